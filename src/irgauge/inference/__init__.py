"""From fits and arrays to claims: distributions, corrections, comparisons, intervals."""
