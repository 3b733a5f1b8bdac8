"""Random names of systems, topics and measures: every form of a result shows them, and nothing else happens."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from random import Random
from typing import NamedTuple

import pytest

from fuzz.odd_values import WORDS
from fuzz.trials import try_each
from irgauge import compare, load_scores
from irgauge.show.vega import JOINER
from irgauge.studies.compare.study import Compared
from oracles.hostile_names import NAMES, OF_GITHUB, unseen

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")

_PARTS = (
    *NAMES,
    *OF_GITHUB,
    *WORDS,
    "\\",
    '"',
    "'",
    "`",
    "${x}",
    "\\u{110000}",
    "\\xZZ",
    "\\u",
    '" + datum.x + "',
    "😀" * 30,
)
_LAST = 0x10FFFF


class Named(NamedTuple):
    """Names of a small table of scores."""

    measure: str
    systems: list[str]
    topics: list[str]


def name(rng: Random) -> str:
    """Some parts of hostile names, and any signs of Unicode."""
    parts = [
        rng.choice(_PARTS) if rng.random() < 0.7 else chr(rng.randint(0, _LAST)) for _ in range(rng.choice((1, 2, 3)))
    ]
    return "".join(parts)


def named(rng: Random) -> Named:
    return Named(name(rng), [f"{name(rng)}{i}" for i in range(3)], [f"{name(rng)}{i}" for i in range(4)])


def compared(made: Named) -> Compared:
    table = {
        system: {topic: (7 * s + 3 * t) % 5 / 5 for t, topic in enumerate(made.topics)}
        for s, system in enumerate(made.systems)
    }
    found = compare(load_scores(table, measure=made.measure))
    assert isinstance(found, Compared)
    return found


def test_texts() -> None:
    def attempt(made: Named) -> None:
        result = compared(made)
        for text in (*map(result.to_text, ("text", "markdown", "latex")), repr(result), result._repr_html_()):
            assert not unseen(text) - {JOINER}

    try_each("names in texts", 60, named, attempt, is_dear=True)


def test_charts() -> None:
    """What draws them would end the process at some signs."""

    def attempt(made: Named) -> None:
        figure = compared(made).chart("topics")
        drawing = figure.to_svg()
        ET.fromstring(drawing)  # noqa: S314  # our own
        assert not unseen(drawing) - {JOINER}
        figure.drawn(".png")

    try_each("names in charts", 4, named, attempt, is_dear=True)
