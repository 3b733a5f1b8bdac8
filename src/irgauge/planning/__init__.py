"""How large an experiment must be: of variances, goals and sizes; nothing of IR."""
