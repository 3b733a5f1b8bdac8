"""Random inputs for every reader and every command: anything but a result or an error for users is a fault."""
