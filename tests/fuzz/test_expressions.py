"""Random texts of measures: parsed, so that what is printed means the same, or refused."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fuzz.expressions import expression
from fuzz.samples import QREL, RUN
from fuzz.trials import attempted, drawn, try_each
from irgauge import load
from irgauge.cli.commands.measures import explained
from irgauge.scoring.measures import Measure, parse_measures, relevant_from
from irgauge.scoring.scores import score

PARTS = (
    "AP",
    "nDCG",
    "P",
    "rbp",
    "(",
    ")",
    "@",
    "10",
    "0",
    "p=",
    "rel=",
    "0.5",
    ",",
    "_",
    ".",
    "-l",
    "{1:",
    "}",
    " ",
    "'",
)


def try_text(text: str) -> None:
    """What a text means is what its own print means; a name of no known measure is one of a table of scores."""
    Measure.read(text)
    found = parse_measures([text])
    assert parse_measures([str(one) for one in found]) == found
    relevant_from(2, [text])


def test_expressions() -> None:
    try_each("expressions", 2700, expression, try_text)


@drawn(300)
@given(st.text(max_size=12) | st.lists(st.sampled_from(PARTS), max_size=6).map("".join))
def test_any_text(text: str) -> None:
    attempted(lambda: try_text(text))


def test_explanations() -> None:
    try_each("explanations", 200, expression, lambda text: explained(text).to_text(width=80))


def test_scores_by_any_measure() -> None:
    """Whatever can be parsed can be computed."""
    collection = load(QREL, {"mine": RUN})

    def attempt(texts: list[str]) -> None:
        score(collection, texts, workers=1).frame()

    def make(rng: Random) -> list[str]:
        return [expression(rng) for _ in range(rng.choice((1, 1, 2)))]

    try_each("scores by measures", 500, make, attempt, is_dear=True)
