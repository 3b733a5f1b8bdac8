"""How work is done: types of arrays, compiled kernels and where they are kept, threads and tasks."""
