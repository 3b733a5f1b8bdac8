"""Results as tables and pages; computes no statistic."""
