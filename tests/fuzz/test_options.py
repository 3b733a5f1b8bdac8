"""Odd values of options from Python: taken, or refused in words, whatever their type."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

import irgauge as ig
from fuzz.odd_values import odd_value
from fuzz.trials import try_each
from irgauge.options.fields import options_of
from irgauge.reading.collection import Collection
from irgauge.studies.registry import studies

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")

SMALL: Mapping[str, Mapping[str, Any]] = {  # so that verbs take milliseconds
    "agreement": {"measures": ["AP", "RR"]},
    "anova": {},
    "bootstrap": {"images": 3},
    "compare": {"draws": 20},
    "effects": {"shards": "even:2"},
    "instances": {"posterior": False, "pattern": "{algorithm}-{seed}"},
    "plan": {},
    "pools": {"images": 3, "all_pairs": True},
    "robustness": {"shards": (2,), "resamples": 2},
    "score": {},
    "sensitivity": {"draws": 20},
    "teams": {"groups": {}},
    "thinning": {"sizes": [50], "repeats": 2, "draws": 20},
    "topics": {},
}
_OTHERS = ("progress", "workers", "scheduler", "keep", "measures", "measure")  # what changes how, or has its own test


class Asked(NamedTuple):
    """An option of a verb, and what it is given."""

    verb: str
    option: str
    value: object


@cache
def collection() -> Collection:
    rng = Random(1)  # noqa: S311  # no secret
    topics, docnos = [str(t) for t in range(4)], [f"d{d}" for d in range(12)]
    qrels = {topic: {docno: rng.randint(0, 2) for docno in docnos} for topic in topics}
    lists = {system: {t: {d: rng.random() for d in docnos} for t in topics} for system in ("a-1", "a-2", "b-1", "b-2")}
    return ig.load(qrels, lists)


@cache
def names(verb: str) -> tuple[str, ...]:
    return tuple(option.name for option in options_of(studies()[verb].options) if option.name not in _OTHERS)


def asked(rng: Random) -> Asked:
    verb = rng.choice(list(SMALL))
    value = odd_value(rng)
    return Asked(verb, rng.choice(names(verb)), [value] if rng.random() < 0.1 else value)


def attempt(made: Asked) -> None:
    getattr(ig, made.verb)(collection(), **{**SMALL[made.verb], made.option: made.value})


def test_options() -> None:
    try_each("options", 150, asked, attempt, is_dear=True)
