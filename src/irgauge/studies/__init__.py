"""Questions a researcher asks: one function each, one frozen result."""
