"""What every result needs to be shown; nothing here computes a statistic."""
