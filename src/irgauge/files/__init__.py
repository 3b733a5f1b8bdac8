"""Reading and writing whole files: streams, compression, limits, places, and writing all or nothing."""
