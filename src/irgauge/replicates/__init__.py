"""More measurements of the same systems on the same topics: shards, images, instances."""
