"""Mean squares that others print beside what they make of them: systems are their persons, topics their items."""

from __future__ import annotations

from irgauge.models.generalizability import MeanSquares

# Brennan, "Generalizability Theory" (2001), synthetic data no. 4 as persons × items: tables 6.2 and 6.5, as the tests
# of the R package gt4ireval have them
BRENNAN = MeanSquares(12, 10, 1, {"topic": 11.6273, "system": 10.2963, "topic:system": 2.7872})

# the same, synthetic data no. 3: persons × items × occasions, of which shards take the place; sums of squares over
# degrees of freedom, as the tests of the Python package GeneralizIT have them
BRENNAN_TWO = MeanSquares(
    4,
    10,
    2,
    {
        "topic": 37.45 / 3,
        "system": 62.20 / 9,
        "shard": 3.20,
        "topic:system": 56.30 / 27,
        "system:shard": 12.05 / 9,
        "topic:shard": 7.50 / 3,
        "topic:system:shard": 25.25 / 27,
    },
)

# the manual of gt4ireval 1.1: TREC-3 ad hoc, of all systems and without the poorest quarter
ADHOC3 = MeanSquares(50, 40, 1, {"topic": 0.91661, "system": 0.36926, "topic:system": 0.01092})
ADHOC3_BEST = MeanSquares(50, 30, 1, {"topic": 0.85296, "system": 0.15074, "topic:system": 0.010152})
