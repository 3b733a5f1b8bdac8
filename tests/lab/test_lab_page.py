"""docs/lab.md: its tables say what the records say; its commands and its Python are those of every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irgauge.lab.analysis import STEMMERS, STOP_LISTS, stop_words
from irgauge.lab.models import MODELS
from irgauge.lab.ranking import FEEDBACK

PAGE = (Path(__file__).parents[2] / "docs" / "lab.md").read_text()


@pytest.mark.parametrize("name", list(MODELS))
def test_the_table_of_models_is_that_of_the_records(name: str) -> None:
    parameters = ", ".join(f"{one}={parameter.default:g}" for one, parameter in MODELS[name].parameters.items())
    assert f"| `{name}` | {MODELS[name].formula} | {parameters} |\n" in PAGE


def test_stop_lists_stemmers_and_feedback_are_those_that_there_are() -> None:
    for name in STOP_LISTS:
        assert re.search(rf"^\| `{name}` \|", PAGE, re.MULTILINE)
    for name, told in STEMMERS.items():
        assert f"| `{name}` | {told} |\n" in PAGE
    assert f"| `short` | {len(stop_words('short'))} words " in PAGE
    assert f"| `long` | the {len(stop_words('long'))} English" in PAGE
    for name, parameter in FEEDBACK["rm3"].items():
        assert f"{name}={parameter.default:g}" in PAGE
