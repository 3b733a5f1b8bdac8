"""Options, each written once: from a field of a dataclass to an argument, a flag, a help text and a check."""
