"""Notebooks for readers, and what runs them."""
