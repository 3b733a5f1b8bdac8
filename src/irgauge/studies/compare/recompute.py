"""A comparison as a short script with its scores that computes every claim again, without irgauge, in Python or R."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from typing import Any

from irgauge.errors import DesignError
from irgauge.inference import scripts
from irgauge.inference.comparison import Comparison
from irgauge.inference.hierarchy import in_families
from irgauge.inference.tests.registry import TESTS
from irgauge.scoring.direction import LOWER, sign_of
from irgauge.scoring.measures import of_differences
from irgauge.show.literals import ASSIGNED
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.visible import visible

Claimed = tuple[MeasureCompared, Comparison]
_WIDTH = 116  # columns of a comment


def recomputing(result: Compared, language: str) -> str:
    """The script; refuses a comparison of which nothing can be computed again, and says why."""
    if reason := without_script(result, language):
        raise DesignError(f"no script computes this again: {reason}")
    kept = [family for family in _families(result) if _is_kept(family, language)]
    (_, comparison), *_ = kept[0]  # all are for other topics, by one test
    told = left_out(result, language)
    data: dict[str, object] = {"ALPHA": comparison.alpha}
    if comparison.draws is not None:
        data |= {"SEED": comparison.seed, "DRAWS": comparison.draws}
    data |= {"FAMILIES": [_family(family) for family in kept]}
    text = ASSIGNED[language](data) + (_comment(f"Not computed again: {told}.") if told else "")
    return scripts.script(TESTS[comparison.test], comparison.corrected_by, language, text)


def without_script(result: Compared, language: str) -> str:
    """Why nothing of a comparison can be computed again; empty where something can."""
    if any(_is_kept(family, language) for family in _families(result)):
        return ""
    comparison, test = result.comparison, TESTS[result.comparison.test]
    if not scripts.has_script(test, comparison.corrected_by, language):
        corrected = "" if comparison.corrected_by.is_of_test else f" with {comparison.corrected_by.title}"
        return f"{test.the}{corrected} has no short script in {_SPOKEN[language]}"
    if comparison.sides == 1:
        return "scripts are of two-sided tests"
    if result.first.scored.sampling is not None:
        return "scripts take topics as drawn one by one and counting alike, without clusters, weights and shares"
    return "scripts are of claims for other topics, and of what is corrected with these alone"


def left_out(result: Compared, language: str) -> str:
    """Which claims a script leaves out, and why; empty where it has all."""
    left = [
        f"{compared.measure} for {own.population}"
        for family in _families(result)
        if not _is_kept(family, language)
        for compared, own in family
    ]
    sliced = ["kinds of topics"] if result.order.slices else []
    why = " (claims beyond other topics need scores on each shard, and what is corrected with them needs these)"
    return result.nouns.said(", ".join([*left, *sliced]) + (why if left else ""))


def _families(result: Compared) -> list[tuple[Claimed, ...]]:
    """The comparisons by what is corrected together."""
    members = [(compared, comparison) for compared in result.each for comparison in compared.comparisons]
    return [group.members for group in in_families(members, result.order.family, result.order.standing)]


def _is_kept(family: tuple[Claimed, ...], language: str) -> bool:
    """Whether all of what is corrected together can be computed again."""
    return all(
        own.population == "topics"
        and own.sides == 2
        and compared.scored.sampling is None
        and scripts.has_script(TESTS[own.test], own.corrected_by, language)
        for compared, own in family
    )


def _family(family: tuple[Claimed, ...]) -> dict[str, Any]:
    """What is corrected together, as plain data, and the part of α that it has, where errors of all are limited."""
    first = family[0][1]
    part = first.share / (len(family) if first.corrected_by.is_of_test else 1) if first.is_simultaneous else 1.0
    return {"part of alpha": part, "comparisons": [_comparison(*claimed) for claimed in family]}


def _comparison(compared: MeasureCompared, comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain data, systems best first."""
    measured, pairs = compared.scored.of(comparison.population), len(comparison.first)
    places = [measured.scores.systems.index(system) for system in comparison.systems]
    is_together = comparison.corrected_by.is_of_test and pairs > 1
    level = comparison.corrected_by.interval_level
    possible = of_differences(compared.scored.range_of(comparison.population)) or (-math.inf, math.inf)
    return {
        "measure": compared.measure,
        "baseline": comparison.baseline,
        "lower is better": comparison.direction == LOWER,
        "level": level(comparison.own_alpha, pairs),
        "margin": compared.verdicts[comparison.population].margin,
        "margin share": _margin_share(compared, comparison),
        "margin level": level(comparison.own_alpha * (1 if is_together else 2), pairs),
        "possible differences": list(possible),
        "topics": list(measured.scores.topics),
        "systems": list(comparison.systems),
        "scores": compared.scored.by_topic(comparison.population)[:, places].T.tolist(),
    }


def _margin_share(compared: MeasureCompared, comparison: Comparison) -> float:
    """The margin as a share of the baseline's mean, with its sign; 0 where it is a difference, or there is none."""
    asked = compared.asked_margin
    if asked is None or not asked.is_share or comparison.baseline is None:
        return 0.0
    mean = float(comparison.means[comparison.systems.index(comparison.baseline)])
    return sign_of(comparison.direction) * (1 - asked.factors(mean, comparison.direction)[0])


def _comment(text: str) -> str:
    return textwrap.fill(visible(text), _WIDTH, initial_indent="# ", subsequent_indent="# ") + "\n"


_SPOKEN: Mapping[str, str] = {"python": "Python", "r": "R"}
