"""The page of what the papers describe: its commands, options and tests exist, and it is made from its records."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from website.commands import parameters
from website.papers import Described

from irgauge.papers.entry import entries, named
from irgauge.studies.registry import studies
from website import papers

TESTS = Path(__file__).parents[1]
RECORDS = list(papers.records())


def test_the_page_is_made_from_the_records() -> None:
    assert papers.PAGE.read_text() == papers.page(), "python -m website.papers writes it anew"


def test_every_paper_has_records() -> None:
    expected = {name.partition("/")[0] for name in entries()} - {"jayasinghe-2014-lab"}
    assert {record.paper for record in RECORDS} == expected


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record.paper} {record.section} {record.what}")
def test_what_a_record_names_exists(record: Described) -> None:
    """A command, its options and its charts; a test; or else a reason."""
    if not record.command:
        assert record.reason
        return
    assert (TESTS / record.test).exists()
    words = shlex.split(record.command)
    command = " ".join(words[: 2 if words[0] == "lab" else 1])
    options = {flag for one in parameters(command) for flag in (*one.opts, *one.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= options
    if words[0] == "reproduce":
        assert named([words[1]])
    if "--chart-of" in words:
        assert words[words.index("--chart-of") + 1] in studies()[words[0]].charts


def test_a_command_that_does_not_exist_is_found() -> None:
    wrong = Described("voorhees-2017", "3", "nothing", "partition qrels runs --nothing", "papers", "")
    with pytest.raises(AssertionError):
        test_what_a_record_names_exists(wrong)
