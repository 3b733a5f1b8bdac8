"""Splits, pairs, tests and lengths as records: what frames and JSON hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from irgauge.inference.intervals import MeanInterval
from irgauge.studies.partition.lengths import IntervalLengths, RelatedRuns
from irgauge.studies.partition.side_by_side import SideBySide
from irgauge.studies.partition.splits import Splits, alphas

if TYPE_CHECKING:
    import polars as pl


def ahead_of(names: tuple[str, str], sign: int) -> str:
    """The system that a sign is for, or neither."""
    return "neither" if sign == 0 else names[0] if sign > 0 else names[1]


def pair_frame(splits: Splits, tests: SideBySide | None) -> pl.DataFrame:
    """A row a pair: what all splits together say, each split by itself, and the tests side by side.

    Decisions are 1 where the first system is better, −1 where the second is, 0 for neither; `minority` is how many
    splits disagree with the majority.
    """
    import polars as pl

    numbers = [split.number + 1 for split in splits.splits]
    directions = splits.direction.tolist()
    columns: dict[str, Any] = {
        "measure": [splits.measure] * len(splits.first),
        "first": [first for first, _ in splits.names],
        "second": [second for _, second in splits.names],
        "ahead": [ahead_of(names, sign) for names, sign in zip(splits.names, directions, strict=True)],
        "p": splits.combined_p(),
        "decision": splits.decided(),
        "minority": splits.minority(),
        **{f"p_{number}": own for number, own in zip(numbers, splits.p, strict=True)},
        **{f"decision_{number}": own for number, own in zip(numbers, splits.decisions(), strict=True)},
        **({} if tests is None else {f"p_{test.key}": test.p for test in tests.tests if test.kind != "splits"}),
    }
    return pl.DataFrame(columns)


def rule_record(splits: Splits) -> dict[str, Any]:
    """The rule that makes one decision of all splits; none is valid for the paper's p."""
    rule = {name: getattr(splits.rule, name) for name in ("name", "explanation", "reference", "warning")}
    return {**rule, "is_valid": splits.rule.is_valid and not splits.drawing.is_paper}


def splits_record(splits: Splits) -> dict[str, Any]:
    """All that the splits of one measure say."""
    return {
        "measure": splits.measure,
        "systems": list(_systems(splits)),
        "pairs_count": len(splits.first),
        "significant": splits.significant_count,
        "top_group": splits.top_group,
        "disagreements": splits.disagreements(),
        "opposed": splits.opposed(),
        "is_resolved": splits.is_resolved(),
        "levels": [_level(splits, alpha) for alpha in alphas(splits.alpha)],
        "splits": list(_splits(splits)),
        "grand_mean": splits.fit.mean,
        "pairs": list(_pairs(splits)),
    }


def _systems(splits: Splits) -> Iterator[dict[str, Any]]:
    for rank, (system, mean) in enumerate(zip(splits.systems, splits.means.tolist(), strict=True), 1):
        yield {"rank": rank, "system": system, "mean": mean}


def _level(splits: Splits, alpha: float) -> dict[str, Any]:
    """What all splits together and each by itself say at a level of significance, and how far they disagree."""
    return {
        "alpha": alpha,
        "significant": int((splits.decided(alpha) != 0).sum()),
        "significant_by_split": splits.significant_counts(alpha),
        "disagreements": splits.disagreements(alpha),
        "opposed": splits.opposed(alpha),
        "levels": splits.levels(alpha),
    }


def _splits(splits: Splits) -> Iterator[dict[str, Any]]:
    """Each split, with the effects of systems and their intervals in the order of the systems."""
    counts = splits.significant_counts().tolist()
    for split, inference, significant in zip(splits.splits, splits.inferences, counts, strict=True):
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


def _pairs(splits: Splits) -> Iterator[dict[str, Any]]:
    """Every pair; what is a list there goes by split, signs are 1 for the first system, -1 for the second."""
    columns = (splits.direction, splits.combined_p(), splits.decided(), splits.minority())
    of_splits = (splits.p.T, splits.p_single.T, splits.directions.T, splits.decisions().T)
    every = [column.tolist() for column in (*columns, *of_splits)]
    for names, ahead, p, decided, minority, *own in zip(splits.names, *every, strict=True):
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
            "interactions": model.interactions,
            "split": model.split,
            "plain": _interval(model.plain),
            "adjusted": _interval(model.adjusted),
            "lengths": model.lengths,
        }
        for model in lengths.models
    ]
    settings = {name: getattr(lengths.drawing, name) for name in ("alpha", "p", "draws", "seed")}
    return {**settings, "population": lengths.population, "systems": lengths.systems, "models": models}


def related_record(related: RelatedRuns) -> dict[str, Any]:
    """Models of related runs against the model of all."""
    return {**asdict(related), "agreeing": related.agreeing, "outcomes": related.outcomes()}
