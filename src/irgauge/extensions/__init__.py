"""What others add to irgauge: measures, tests, corrections, ways to shard and studies."""
