"""Data whose truth is known."""
