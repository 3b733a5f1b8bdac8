"""Every table and figure of the papers, computed again and held against what is printed."""
