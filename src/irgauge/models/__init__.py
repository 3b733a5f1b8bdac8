"""Models of scores: they know factors and numbers, and nothing of how the scores came about."""
