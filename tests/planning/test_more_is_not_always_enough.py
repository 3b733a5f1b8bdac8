"""The fewest topics are found where more are too many again."""

from __future__ import annotations

import pytest

from irgauge.planning.designs import TopicsAndShards
from irgauge.planning.sizes import Goal, Size, assured, topics_for


@pytest.mark.parametrize("width", [0.1, 0.11, 0.15])
def test_few_shards_leave_few_degrees_of_freedom_on_many_topics(width: float) -> None:
    """Of two systems on two shards: on many topics the error is that of shards alone, with one degree of freedom."""
    variances = TopicsAndShards.known(0.02, 0.0006, 0.004, 2)
    goal = Goal("width", width, 0.8, 0.8, 0.05)
    enough = [topics for topics in range(2, 200) if assured(variances, Size(topics, 2), goal) <= width]
    assert assured(variances, Size(100_000, 2), goal) > width
    assert topics_for(variances, 2, goal) == enough[0]


def test_no_number_is_enough_where_none_is() -> None:
    variances = TopicsAndShards.known(0.02, 0.0006, 0.004, 2)
    assert topics_for(variances, 2, Goal("width", 0.05, 0.8, 0.8, 0.05)) is None
