"""What papers print: one file a paper, one grid for each block of a table."""
