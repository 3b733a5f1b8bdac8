"""What claims cover follows from the shards and from what is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.scores import Scores
from irgauge.studies.tested import covered


def on_shards(count: int, *, is_random: bool = True) -> Measured:
    names = tuple(map(str, range(count)))
    scores = Scores(np.zeros((1, 2, 2, count)), (), ("1", "2"), ("a", "b"), names)
    return Measured(scores, Measuring(()), 0, is_random=is_random)


def test_topics_come_first_and_sources_only_if_asked_for() -> None:
    assert covered(on_shards(1)) == ("topics",)
    assert covered(on_shards(3)) == ("topics", "documents", "both")
    assert covered(on_shards(3, is_random=False)) == ("topics", "shards", "topics+shards")
    assert covered(on_shards(3, is_random=False), "sources") == ("sources", "topics", "shards", "topics+shards")
    assert covered(on_shards(3), "documents") == ("documents", "topics", "both")


@pytest.mark.parametrize(
    ("shards", "asked", "message"),
    [
        (on_shards(1), "both", "there are no shards; choose topics$"),
        (on_shards(2), "sources", "the shards are random; choose topics or documents or both"),
        (on_shards(2, is_random=False), "documents", "the shards differ in kind; choose topics or shards"),
        (on_shards(2), "topcs", "did you mean 'topics'"),
    ],
)
def test_what_shards_do_not_speak_of_is_refused(shards: Measured, asked: str, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        covered(shards, asked)
