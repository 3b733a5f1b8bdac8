"""Text and objects -> Collection."""
