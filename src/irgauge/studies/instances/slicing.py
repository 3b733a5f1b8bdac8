"""Kinds of topics: what algorithms are against each other on each, all kinds and pairs tested together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.corrections import any_correction
from irgauge.inference.instance_tests import Claiming, ModelName, Pair, TestedPairs, squares_of, tested_by_squares
from irgauge.inference.slices import FEWEST
from irgauge.inference.verdicts import Equivalence
from irgauge.reading.topic_slices import slices_of
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.measures import cut, of_differences


class InstanceSlice(NamedTuple):
    """What is claimed on the topics of one kind."""

    column: str
    value: str
    topics: int
    p: tuple[float, ...]  # pair: for itself
    tests: Equivalence  # pair: over all kinds
    low: Floats  # pair: of intervals that hold for all kinds and pairs together
    high: Floats


def on_slices(
    scores: InstanceScores, pairs: Sequence[Pair], model: ModelName, claiming: Claiming, columns: Sequence[str]
) -> tuple[InstanceSlice, ...]:
    """The pairs on each kind, which has its share of α; kinds of few topics are not tested."""
    if not columns:
        return ()
    parts = [part for part in slices_of(scores.about, columns, scores.topics) if len(part.topics) >= FEWEST]
    if not parts:
        raise DesignError(f"no kind has {FEWEST} topics or more, so that nothing can be said of any")
    own = claiming._replace(share=claiming.share / len(parts))
    claims = []
    for part in parts:
        squares = squares_of(scores.on(part.topics), pairs)
        tested = tested_by_squares(squares, model, len(scores.algorithms), own)
        ends = _together(tested, scores, own, len(pairs))
        p = tuple(contrast.p for contrast in tested.contrasts)
        claims.append(InstanceSlice(part.column, part.value, len(part.topics), p, tested.tests, *ends))
    return tuple(claims)


def _together(tested: TestedPairs, scores: InstanceScores, own: Claiming, pairs: int) -> tuple[Floats, Floats]:
    is_simultaneous = any_correction(own.correction).is_simultaneous
    level = own.alpha * own.share / pairs if is_simultaneous else own.alpha
    return cut(*tested.tests.interval(level), of_differences(scores.range))


def slice_rows(
    slices: Sequence[InstanceSlice], pairs: Sequence[Pair], same: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """A row a pair on a kind; `same` is what all rows have."""
    for own in slices:
        for i, pair in enumerate(pairs):
            yield same | {
                "system": pair.system,
                "against": pair.against,
                "n": own.topics,
                "difference": float(own.tests.difference[i]),
                "low": float(own.low[i]),
                "high": float(own.high[i]),
                "p": own.p[i],
                "p_adjusted": float(own.tests.p_difference[i]),
                "verdict": own.tests.verdicts[i],
                "column": own.column,
                "slice": own.value,
            }
