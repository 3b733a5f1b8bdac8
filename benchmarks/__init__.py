"""Speed and memory as ratios against peers, measured in one run: these machines are noisy."""
