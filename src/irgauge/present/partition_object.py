"""The partition method as one JSON object: every field of the results, in full precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from irgauge.present.partition_findings import METHOD, Answer, findings, method
from irgauge.present.partitions import levels, verdict
from irgauge.present.precision_findings import POPULATIONS
from irgauge.reading.ordering import TIE_RULE
from irgauge.studies.partition_tests import SideBySide
from irgauge.studies.partitions import Overlap, Partitions
from irgauge.studies.related_runs import RelatedRuns
from irgauge.studies.significance import COVERS
from irgauge.studies.splits import IntervalLengths, Ranking


def partition_json(answers: Sequence[Answer], overlap: Overlap | None = None) -> dict[str, Any]:
    """The answers as an object: settings, findings, and all of each measure; the draws themselves are left out."""
    return {
        "settings": _settings(answers),
        "findings": findings(answers),
        "measures": [_measure_object(answer) for answer in answers],
        "densities": None if overlap is None else plain(overlap),
    }


def plain(value: object) -> Any:  # noqa: ANN401  # whatever a field holds
    """Dataclasses as objects and arrays as lists, at any depth."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def _settings(answers: Sequence[Answer]) -> dict[str, Any]:
    found = answers[0].found
    rule = {name: getattr(found.rule, name) for name in ("name", "explanation", "reference", "is_valid", "warning")}
    return {
        "method": METHOD,
        "method_line": method(answers),
        "measures": [answer.found.measure for answer in answers],
        "parts": found.parts,
        "splits": len(found.splits),
        "aggregate": rule,
        **plain(found.drawing),
        "correction": "bh",
        "fill": found.fill,
        "keep_systems": found.kept,
        "population": found.population,
        "population_text": POPULATIONS[found.population],
        "covers": COVERS[found.population],
        "order": TIE_RULE,
        "precision": answers[0].precision,
    }


def _measure_object(answer: Answer) -> dict[str, Any]:
    found = answer.found
    return {
        "measure": found.measure,
        "systems": list(_systems(found)),
        "pairs_count": len(found.first),
        "significant": int(np.count_nonzero(found.decided())),
        "top_group": list(found.top_group),
        "disagreements": found.disagreements(),
        "opposed": plain(found.opposed()),
        "is_resolved": found.is_resolved(),
        "notes": list(found.notes),
        "levels": [_level_object(found, alpha) for alpha in levels(found.alpha)],
        "splits": list(_splits(found)),
        "grand_mean": found.bootstrap.mean,
        "pairs": list(_pairs(found)),
        "tests": None if answer.tests is None else _tests_object(answer.tests),
        "lengths": None if answer.lengths is None else _lengths_object(answer.lengths),
        "groups": None if answer.related is None else _related_object(answer.related),
    }


def _level_object(found: Partitions, alpha: float) -> dict[str, Any]:
    """What all splits together and each by itself say at a level of significance, and how far they disagree."""
    return {
        "alpha": alpha,
        "significant": int(np.count_nonzero(found.decided(alpha))),
        "significant_by_split": plain(found.significant_counts(alpha)),
        "disagreements": found.disagreements(alpha),
        "opposed": plain(found.opposed(alpha)),
        "levels": [{"level": str(level), **plain(level)} for level in found.levels(alpha)],
    }


def _systems(found: Partitions) -> Iterator[dict[str, Any]]:
    for rank, (system, mean) in enumerate(zip(found.systems, found.means.tolist(), strict=True), 1):
        yield {"rank": rank, "system": system, "mean": mean}


def _splits(found: Partitions) -> Iterator[dict[str, Any]]:
    """Each split, with the effects of systems and their intervals in the order of the systems."""
    counts = found.significant_counts().tolist()
    for split, inference, significant in zip(found.splits, found.inferences, counts, strict=True):
        own = {name: plain(getattr(inference, name)) for name in ("effects", "plain", "adjusted")}
        yield {**plain(split), "significant": significant, **own}


def _pairs(found: Partitions) -> Iterator[dict[str, Any]]:
    """Every pair; what is a list there goes by split, signs are 1 for the first system, -1 for the second."""
    pairs = (found.first, found.second, found.direction, found.combined_p(), found.decided(), found.minority())
    of_splits = (found.p.T, found.p_single.T, found.directions.T, found.decisions().T)
    columns = [plain(column) for column in (*pairs, *of_splits)]
    for first, second, ahead, p, decided, minority, *own in zip(*columns, strict=True):
        names = found.systems[first], found.systems[second]
        yield {
            "first": names[0],
            "second": names[1],
            "ahead": verdict(names, ahead),
            "p": p,
            "decision": verdict(names, decided),
            "agreement": f"{minority}:{len(found.splits) - minority}",
            **dict(zip(("p_by_split", "p_single_by_split", "directions", "decisions"), own, strict=True)),
        }


def _tests_object(tests: SideBySide) -> dict[str, Any]:
    return {
        "levels": list(tests.levels),
        "draws": tests.draws,
        "seed": tests.seed,
        "counts": plain(tests.counts()),
        "conflicts": {f"{alpha:g}": plain(tests.conflicts(alpha)) for alpha in tests.levels},
        "pairs": _names(tests),
        "tests": plain(tests.tests),  # what goes by pair is in the order of the pairs
    }


def _names(ranking: Ranking) -> list[list[str]]:
    places = zip(ranking.first.tolist(), ranking.second.tolist(), strict=True)
    return [[ranking.systems[first], ranking.systems[second]] for first, second in places]


def _lengths_object(lengths: IntervalLengths) -> dict[str, Any]:
    settings = ("alpha", "draws", "seed", "fill", "kept", "population")
    models = [plain(one) | {"lengths": plain(one.lengths)} for one in lengths.models]
    return {name: getattr(lengths, name) for name in settings} | {"systems": list(lengths.systems), "models": models}


def _related_object(related: RelatedRuns) -> dict[str, Any]:
    return plain(related) | {"agreeing": related.agreeing, "outcomes": related.outcomes()}
