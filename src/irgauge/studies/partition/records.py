"""Splits, pairs, tests and lengths as records: what frames and JSON hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from irgauge.inference.intervals import MeanInterval
from irgauge.studies.partition.lengths import IntervalLengths
from irgauge.studies.partition.related import RelatedRuns
from irgauge.studies.partition.side_by_side import SideBySide
from irgauge.studies.partition.splits import Splits, alphas

if TYPE_CHECKING:
    import polars as pl


def ahead_of(names: tuple[str, str], sign: int) -> str:
    """The system that a sign is for, or neither."""
    return "neither" if sign == 0 else names[0] if sign > 0 else names[1]


def pair_frame(found: Splits, tests: SideBySide | None) -> pl.DataFrame:
    """A row a pair: what all splits together say, each split by itself, and the tests side by side.

    Decisions are 1 where the first system is better, −1 where the second is, 0 for neither; `minority` is how many
    splits disagree with the majority.
    """
    import polars as pl

    numbers = [split.number + 1 for split in found.splits]
    directions = found.direction.tolist()
    columns: dict[str, Any] = {
        "measure": [found.measure] * len(found.first),
        "first": [first for first, _ in found.names],
        "second": [second for _, second in found.names],
        "ahead": [ahead_of(names, sign) for names, sign in zip(found.names, directions, strict=True)],
        "p": found.combined_p(),
        "decision": found.decided(),
        "minority": found.minority(),
        **{f"p_{number}": own for number, own in zip(numbers, found.p, strict=True)},
        **{f"decision_{number}": own for number, own in zip(numbers, found.decisions(), strict=True)},
        **({} if tests is None else {f"p_{test.key}": test.p for test in tests.tests if test.kind != "splits"}),
    }
    return pl.DataFrame(columns)


def rule_record(found: Splits) -> dict[str, Any]:
    """The rule that makes one decision of all splits; none is valid for the paper's p."""
    told = {name: getattr(found.rule, name) for name in ("name", "explanation", "reference", "warning")}
    return {**told, "is_valid": found.rule.is_valid and not found.drawing.is_paper}


def splits_record(found: Splits) -> dict[str, Any]:
    """All that the splits of one measure say."""
    return {
        "measure": found.measure,
        "systems": list(_systems(found)),
        "pairs_count": len(found.first),
        "significant": found.significant_count,
        "top_group": found.top_group,
        "disagreements": found.disagreements(),
        "opposed": found.opposed(),
        "is_resolved": found.is_resolved(),
        "levels": [_level(found, alpha) for alpha in alphas(found.alpha)],
        "splits": list(_splits(found)),
        "grand_mean": found.fit.mean,
        "pairs": list(_pairs(found)),
    }


def _systems(found: Splits) -> Iterator[dict[str, Any]]:
    for rank, (system, mean) in enumerate(zip(found.systems, found.means.tolist(), strict=True), 1):
        yield {"rank": rank, "system": system, "mean": mean}


def _level(found: Splits, alpha: float) -> dict[str, Any]:
    """What all splits together and each by itself say at a level of significance, and how far they disagree."""
    return {
        "alpha": alpha,
        "significant": int((found.decided(alpha) != 0).sum()),
        "significant_by_split": found.significant_counts(alpha),
        "disagreements": found.disagreements(alpha),
        "opposed": found.opposed(alpha),
        "levels": found.levels(alpha),
    }


def _splits(found: Splits) -> Iterator[dict[str, Any]]:
    """Each split, with the effects of systems and their intervals in the order of the systems."""
    counts = found.significant_counts().tolist()
    for split, inference, significant in zip(found.splits, found.inferences, counts, strict=True):
        yield {
            **asdict(split),
            "significant": significant,
            "effects": inference.effects,
            "plain": _interval(inference.plain),
            "adjusted": _interval(inference.adjusted),
        }


def _interval(interval: MeanInterval) -> dict[str, Any]:
    """An interval of each system, in the order of the systems."""
    return {name: getattr(interval, name) for name in ("name", "mean", "low", "high", "alpha", "population")}


def _pairs(found: Splits) -> Iterator[dict[str, Any]]:
    """Every pair; what is a list there goes by split, signs are 1 for the first system, -1 for the second."""
    columns = (found.direction, found.combined_p(), found.decided(), found.minority())
    of_splits = (found.p.T, found.p_single.T, found.directions.T, found.decisions().T)
    every = [column.tolist() for column in (*columns, *of_splits)]
    for names, ahead, p, decided, minority, *own in zip(found.names, *every, strict=True):
        yield {
            "first": names[0],
            "second": names[1],
            "ahead": ahead_of(names, ahead),
            "p": p,
            "decision": ahead_of(names, decided),
            "minority": minority,
            **dict(zip(("p_by_split", "p_single_by_split", "directions", "decisions"), own, strict=True)),
        }


def tests_record(tests: SideBySide) -> dict[str, Any]:
    """What several tests say of the same pairs; what goes by pair is in the order of the pairs."""
    return {
        "levels": tests.levels,
        "draws": tests.draws,
        "seed": tests.many.drawing.seed,
        "counts": tests.counts(),
        "conflicts": {f"{alpha:g}": tests.conflicts(alpha) for alpha in tests.levels},
        "pairs": tests.names,
        "tests": tests.tests,
    }


def lengths_record(lengths: IntervalLengths) -> dict[str, Any]:
    """Intervals by number of parts and model, in the order of the systems."""
    models = [
        {
            "interactions": one.interactions,
            "split": one.split,
            "plain": _interval(one.plain),
            "adjusted": _interval(one.adjusted),
            "lengths": one.lengths,
        }
        for one in lengths.models
    ]
    settings = {name: getattr(lengths.drawing, name) for name in ("alpha", "p", "draws", "seed")}
    return {**settings, "population": lengths.population, "systems": lengths.systems, "models": models}


def related_record(related: RelatedRuns) -> dict[str, Any]:
    """Models of related runs against the model of all."""
    return {**asdict(related), "agreeing": related.agreeing, "outcomes": related.outcomes()}
