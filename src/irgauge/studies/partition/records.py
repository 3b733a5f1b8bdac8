"""Splits as records: what JSON, frames and tables are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from irgauge.inference.intervals import MeanInterval
from irgauge.inference.verdicts import Verdict
from irgauge.scoring.direction import HIGHER
from irgauge.studies.partition.splits import Splits, ahead_of, alphas


def rule_record(splits: Splits) -> dict[str, Any]:
    """The rule that makes one decision of all splits; none is valid for the paper's p."""
    rule = {name: getattr(splits.rule, name) for name in ("name", "explanation", "reference", "warning")}
    return {**rule, "is_valid": splits.rule.is_valid and not splits.drawing.is_paper}


def splits_record(splits: Splits) -> dict[str, Any]:
    """All that the splits of one measure say."""
    return {
        "measure": splits.measure,
        "systems": list(system_rows(splits)),
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
            "plain": interval_record(inference.plain),
            "adjusted": interval_record(inference.adjusted),
            "printed": interval_record(inference.printed) if inference.printed else None,
        }


def interval_record(interval: MeanInterval) -> dict[str, Any]:
    """An interval of each system, in the order of the systems."""
    return {name: getattr(interval, name) for name in ("name", "mean", "low", "high", "alpha", "population")}


_VERDICTS: Mapping[int, Verdict] = {1: "better", -1: "worse", 0: "inconclusive"}


def pair_rows(splits: Splits) -> Iterator[dict[str, Any]]:
    """Every pair, by all splits together; they give no interval of the difference."""
    columns = (splits.difference, splits.combined_p_alone(), splits.combined_p(), splits.decided())
    every = [column.tolist() for column in (*columns, splits.direction, splits.minority())]
    tested = {
        "test": "partition",
        "correction": splits.drawing.correction,
        "population": splits.population,
        "alpha": splits.alpha,
    }
    for names, difference, p, p_adjusted, decision, ahead, minority in zip(splits.names, *every, strict=True):
        yield {
            "measure": splits.measure,
            "system": names[0],
            "against": names[1],
            "n": min(len(split.topics) for split in splits.splits),
            "difference": difference,
            "low": None,
            "high": None,
            "p": p,
            "p_adjusted": p_adjusted,
            "verdict": _VERDICTS[decision],
            "margin": None,
            **tested,
            "direction": HIGHER,
            "ahead": ahead_of(names, ahead),
            "minority": minority,
        }


def _pairs(splits: Splits) -> Iterator[dict[str, Any]]:
    """Every pair; what is a list there goes by split, signs are 1 for the system, -1 for the one that it is against."""
    of_splits = (splits.p.T, splits.p_adjusted.T, splits.directions.T, splits.decisions().T)
    names = ("p_by_split", "p_adjusted_by_split", "directions", "decisions")
    every = zip(*(column.tolist() for column in of_splits), strict=True)
    for row, own in zip(pair_rows(splits), every, strict=True):
        yield row | dict(zip(names, own, strict=True))


def split_rows(splits: Splits) -> Iterator[dict[str, Any]]:
    """Every pair in every split."""
    own = zip(splits.splits, splits.inferences, splits.decisions(), strict=True)
    for split, inference, decisions in own:
        columns = (inference.p, inference.p_adjusted, decisions)
        for names, p, p_adjusted, decision in zip(splits.names, *(column.tolist() for column in columns), strict=True):
            yield {
                "measure": splits.measure,
                "system": names[0],
                "against": names[1],
                "split": split.number + 1,
                "p": p,
                "p_adjusted": p_adjusted,
                "decision": decision,
            }


def system_rows(splits: Splits) -> Iterator[dict[str, Any]]:
    """Every system: its mean, and in the first split its effect with both intervals."""
    first, top = splits.inferences[0], set(splits.top_group)
    same = {"n": len(splits.splits[0].topics), "population": splits.population, "alpha": splits.alpha}
    for i, system in enumerate(splits.systems):
        yield {
            "measure": splits.measure,
            "system": system,
            "mean": float(splits.means[i]),
            **same,
            "direction": HIGHER,
            "rank": i + 1,
            "effect": float(first.effects[i]),
            "plain_low": float(first.plain.low[i]),
            "plain_high": float(first.plain.high[i]),
            "adjusted_low": float(first.adjusted.low[i]),
            "adjusted_high": float(first.adjusted.high[i]),
            "is_top": system in top,
        }
