"""Mixed models by REML, and their posterior."""
