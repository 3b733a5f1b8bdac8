"""What the tests that compile tables need."""
