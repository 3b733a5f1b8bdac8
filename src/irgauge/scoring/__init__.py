"""Collection -> Scores: kernels, measures, the scorer."""
