"""Commands that are not studies; each module has a COMMAND."""
