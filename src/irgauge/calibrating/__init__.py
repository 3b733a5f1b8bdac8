"""Do tests and intervals keep their promise on data like these? Worlds of known truth, made of scores."""
