"""A history: one SQLite file that keeps what gates and comparisons found. Entries are added, and never changed."""
