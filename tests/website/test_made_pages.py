"""What the site makes of code: texts that are shown as they are, signatures, fields, formulas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from markdown import markdown

from irgauge.cli.app import every_command
from irgauge.options.fields import Option
from irgauge.scoring.catalogue import RECORDS
from irgauge.show.saving import filed
from irgauge.studies.registry import studies
from irgauge.tracked import metrics
from website import commands, examples, fields, markup, measures, pictures, reference, schemas, teaching, tutorials

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("shown", ["a_b_c*d*", "[x](y) `z`", "2^g <b> & {k} # \\ |", "1. not a list? -- yes"])
def test_a_text_is_shown_as_it_is(shown: str) -> None:
    row = markup.table(["head"], [[markup.text(shown)]])
    rendered = ElementTree.fromstring(markdown(row, extensions=["tables"]))  # noqa: S314  # our own
    cell = rendered.find(".//td")
    assert cell is not None
    assert "".join(cell.itertext()) == shown


def test_prose_keeps_code() -> None:
    assert markup.prose("see `a_b` and c_d") == "see <code>a_b</code> and c\\_d"


def test_every_option_says_how_it_is_written() -> None:
    shown = commands.options("compare")
    assert "| <code>--measure, -m TEXT</code> |" in shown
    assert (
        "| <code>--seed NUMBER</code> | Seed of the draws; the same seed gives the same numbers. | <code>0</code> |"
        in shown
    )
    assert "<code>--quiet, -q</code>" in shown


def test_an_example_is_a_line_a_command() -> None:
    assert commands.example("plan") == (
        "```sh\nirgauge plan qrels.txt runs/ -m nDCG@10 --difference 0.02\n"
        "irgauge plan --components topic:system=0.01 --difference 0.02  # without data\n"
        "irgauge plan scores.csv  # what scores of any tool can find\n```\n"
    )


def test_the_page_of_pictures_is_that_of_the_demo_and_small() -> None:
    made = teaching.made()
    assert {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in made} == made
    assert sum(map(len, made.values())) < 200_000
    data = teaching.demo()
    _, grades = data.ranked(teaching.BEST)
    blue = re.findall(rf'<rect x="\d+" y="26"[^>]*fill="{teaching.RELEVANT}"', made["teaching-documents.svg"])
    assert len(blue) == sum(grades)


def test_the_pictures_of_the_tutorials_are_of_their_data() -> None:
    made = tutorials.made()
    folder = ROOT / "docs" / "tutorials"
    assert {name: (folder / name).read_text(encoding="utf-8") for name in made} == made
    for name in made:
        assert f"]({name})" in (folder / name).with_suffix(".md").read_text(encoding="utf-8")
    assert made["better.svg"].count(teaching.RELEVANT) == 37  # topics on which F02-3 is better, as the tutorial says
    assert made["track.svg"].count("<circle") == 58
    assert made["track.svg"].count(f'r="4" fill="{teaching.TOP}"') == 15  # beside the best


def test_every_study_has_an_example_whose_charts_can_be_drawn() -> None:
    assert examples.results().keys() == studies().keys()


def test_a_reference_shows_options_and_sessions() -> None:
    shown = reference.docstring(studies()["compare"].verb)
    assert "```pycon\n>>> from irgauge import load\n" in shown
    assert "| <code>baseline</code> | <code>None</code> | Compare all systems with this one only" in shown
    assert "Options:" not in shown


def test_fields_of_json_are_those_of_the_results() -> None:
    """Every field that is named is in the JSON, and every first field of the JSON is named."""
    for name, result in examples.results().items():
        written = result.to_dict()
        paths = [one.path for one in fields.fields(result)]
        assert {path.partition(".")[0].removesuffix("[]") for path in paths} == (
            written.keys() - {"study", "provenance", "findings"}
        ), name
        assert [path for path in paths if not is_there(written, path)] == [], name


def test_every_field_of_json_has_a_meaning() -> None:
    every = [(name, one) for name, result in examples.results().items() for one in fields.fields(result)]
    assert len(every) > 1000
    assert [(name, one.path) for name, one in every if not one.meaning] == []


def test_trackers_take_every_result() -> None:
    """Names are those of the rows: none is numbered, as two rows of one name would be."""
    kept = {name: metrics(result) for name, result in examples.results().items()}
    assert {name for name, numbers in kept.items() if numbers} >= {"compare", "suite", "gate", "instances", "judges"}
    assert [name for numbers in kept.values() for name in numbers if name.endswith(" _2")] == []


@pytest.mark.parametrize("study", studies())
def test_the_schema_of_a_study_is_that_of_its_results(study: str) -> None:
    """What is shipped is what `python -m website.schemas` writes; all fields have a meaning, and results fit."""
    shipped = (schemas.FOLDER / f"{study}.json").read_text()
    result = examples.results()[study]
    assert shipped == schemas.text(result), "run make names"
    schema = json.loads(shipped)
    assert [name for name, one in properties(schema) if not one.get("description")] == []
    assert not re.search(r'"description": "[^"]*\b(F\d-\d|(in|of one) (AP|nDCG@10)\b)', shipped), "names of the example"
    validator, written = Draft202012Validator(schema), json.loads(json.dumps(filed(result)))
    validator.validate(written)
    for wrong in ({"study": "another"}, {"findings": [{"kind": 3}]}):
        assert not validator.is_valid(written | wrong)


def properties(schema: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All fields that a schema names, at any depth."""
    if isinstance(schema, dict):
        for key, part in schema.items():
            if key in ("properties", "$defs") and isinstance(part, dict):
                yield from part.items()
            yield from properties(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from properties(part)


def is_there(value: object, path: str) -> bool:
    for part in path.replace("[]", ".[]").split("."):
        if part == "[]":
            assert isinstance(value, list)
            value = value[0]
        elif part == "*":
            assert isinstance(value, dict)
            value = next(iter(value.values()))
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return False
    return True


def test_a_comment_beside_a_field_says_what_it_means() -> None:
    assert fields.comments(Option)["kind"] == "its type, without None"


def test_every_formula_is_mathml_and_every_letter_of_the_legend_too() -> None:
    for latex in [*(one.formula for one in RECORDS), *measures.LETTERS]:
        shown = measures.formula(latex)
        assert ElementTree.fromstring(shown).tag.endswith("math")  # noqa: S314  # our own
        assert "\\" not in shown, latex


def test_pictures_show_what_each_population_covers() -> None:
    drawn = pictures.pictures()
    cells = {
        name: {state: drawing.count(f'fill="{colour}"') for state, colour in pictures.COLOURS.items()}
        for name, drawing in drawn.items()
    }
    legend = 1
    assert cells["populations-topics.svg"] == {"measured": 40 + legend, "covered": 40 + legend, "outside": 64 + legend}
    assert cells["populations-documents.svg"] == {
        "measured": 40 + legend,
        "covered": 32 + legend,
        "outside": 72 + legend,
    }
    assert cells["populations-both.svg"] == {"measured": 40 + legend, "covered": 104 + legend, "outside": 0}
    assert cells["populations-same-collections.svg"] == {
        "measured": 24 + legend,
        "covered": 24 + legend,
        "outside": 32 + legend,
    }
    assert cells["populations-collections.svg"] == {"measured": 24 + legend, "covered": 56 + legend, "outside": 0}


def test_pictures_in_the_docs_are_those_that_are_drawn() -> None:
    for name, drawing in pictures.pictures().items():
        assert (pictures.DOCS / name).read_text() == drawing


def test_the_page_for_agents_names_every_study_and_options_that_exist() -> None:
    page = (ROOT / "docs" / "llms.txt").read_text()
    named = set(re.findall(r"`irgauge ([a-z]+)", page))
    assert set(studies()) <= named <= {*every_command()}
    for name, rest in re.findall(r"`irgauge ([a-z]+)([^`]*)`", page):
        flags = {flag for one in commands.parameters(name) for flag in one.opts}
        assert set(re.findall(r"(?<= )--?[a-z][a-z-]*", rest)) <= flags, rest
    assert [link for link in re.findall(r"\]\(([^)]+)\)", page) if not (ROOT / "docs" / link).exists()] == []
    codes = re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE)
    assert codes
    assert set(codes) <= set(re.findall(r"\d+", page.partition("## Exit codes")[2]))


# what readers stumbled over, and what was put in its place
UNPLAIN = (
    "is told by the content",
    "One page a question",
    "anything that is said of the pairs",
    "by the calm of",
    "are as good as none",
    "was not told",
    "nobody shares the runs of",
    "not to be had",
    "from which on",
    "made to be slow",
    "belongs into",
    "skewed t ",
)


def test_pages_are_in_plain_words() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.ipynb")]
    texts = {page: " ".join(page.read_text().split()) for page in pages if page.name != "CHANGELOG.md"}
    assert [(page.name, phrase) for page, text in texts.items() for phrase in UNPLAIN if phrase in text] == []
