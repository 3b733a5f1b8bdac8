"""What a suite says in sentences, tables, charts, and on its page."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

import irgauge as ig
from conftest import Golden
from irgauge.show.page import Page
from irgauge.studies.registry import studies
from irgauge.studies.suite.forms import page_of
from irgauge.studies.suite.study import SuiteCompared

TOPICS = (40, 30, 60, 26)
TRUE = (0.34, 0.25, 0.0)
BETWEEN = ((0.0, 0.05, -0.03), (0.04, 0.0, 0.02), (-0.02, 0.2, 0.0), (0.0, -0.04, 0.01))


def given(collections: int = 4, systems: tuple[str, ...] = ("new", "mid", "old")) -> dict[str, ig.Scores]:
    """Collections on which the best is not always the same, and on which `old` is always far behind."""
    rng = np.random.default_rng(11)
    made = {}
    for c in range(collections):
        effects = np.array(TRUE) + BETWEEN[c % len(BETWEEN)]
        values = rng.random((TOPICS[c % len(TOPICS)], 1)) * 0.4 + effects + rng.normal(0, 0.05, (TOPICS[c % 4], 3))
        made[f"c{c}"] = ig.load_scores(values[:, : len(systems)], systems=systems, measure="score")
    return made


@pytest.fixture(scope="module")
def found() -> SuiteCompared:
    return ig.suite(given())


@pytest.fixture(scope="module")
def against() -> SuiteCompared:
    return ig.suite(given(), baseline="old", margin=0.05)


def test_the_answer_is_one_sentence_for_both_populations(found: SuiteCompared, golden: Golden) -> None:
    golden(found.findings()[0].text)


def test_the_answer_against_a_baseline(against: SuiteCompared, golden: Golden) -> None:
    golden(against.findings()[0].text)
    only = ig.suite(given(systems=("new", "mid")), baseline="mid")
    assert "for other collections new is inconclusive." in only.findings()[0].text


def test_few_pairs_have_their_numbers(found: SuiteCompared) -> None:
    told = found.findings().of("pair")
    assert [one.population for one in told] == ["same collections"] * 3 + ["collections"] * 3
    assert told[1].text.startswith("For other topics of these collections, new is better than old (difference 0.3")
    assert "neither shown to differ from nor to be as good as" in told[3].text


def test_many_pairs_are_counted(golden: Golden) -> None:
    rng = np.random.default_rng(1)
    many = {name: ig.load_scores(rng.random((30, 5)), systems=tuple("abcde")) for name in ("x", "y")}
    told = ig.suite(many).findings()
    golden(told.of("pairs").texts())
    assert told.of("ranks").texts()[0].count("1 to 5") == 5


def test_cautions_are_honest_about_few_collections_and_topics(found: SuiteCompared) -> None:
    (few,) = found.findings().of("few-collections")
    assert (few.tone, few.population) == ("warning", "collections")
    assert "chosen by hand, and 4 are few: the test has 3 degrees of freedom" in few.text
    assert not found.findings().of("few-topics")
    assert "up to 18.5 % of suites of 4" in found.findings().of("each-by-itself").texts()[0]
    many = ig.suite(given(12)).findings()
    assert (many.of("few-collections"), many.of("chosen")[0].tone) == ((), "note")
    two = ig.suite(given(2)).findings().of("few-collections").texts()[0]
    assert "the test has 1 degree of freedom" in two


def test_tables_hold_means_ranks_and_verdicts(found: SuiteCompared, against: SuiteCompared) -> None:
    names = [table.name for table in found.tables()]
    assert names == ["systems", "pairs", "disagreement", "collections", "scores", "collection-pairs"]
    assert [table.name for table in against.tables()][:2] == ["pairs", "systems"]
    systems = found.table("systems")
    assert systems.column("ranks same collections") == ["1", "2", "3"]
    assert systems.column("ranks collections") == ["1 to 2", "1 to 2", "3"]
    assert systems.column("top collections") == [True, True, False]
    assert found.table().name == "pairs"
    assert found.table().column("population") == ["same collections"] * 3 + ["collections"] * 3
    assert found.table().column("won")[1] == "4/0/0"
    scores = found.table("scores")
    assert scores.column("collection") == ["c0", "c1", "c2", "c3", "all"]
    assert scores.column("of new") == pytest.approx([*found.means[:, 0], found.means[:, 0].mean()])
    assert against.table("collections").column("verdicts") == ["2 better"] * 4
    assert len(against.table("collection-pairs").rows) == 8


def test_where_systems_are_more_than_collections_they_are_the_rows() -> None:
    few = ig.suite(given(2)).table("scores")
    assert few.names == ("system", "of c0", "of c1", "of all")
    assert few.rows[0][3] == pytest.approx((few.rows[0][1] + few.rows[0][2]) / 2)  # type: ignore[operator]  # numbers


@pytest.mark.parametrize("name", studies()["suite"].charts)
def test_charts_draw(name: str, found: SuiteCompared, against: SuiteCompared, tmp_path: Path) -> None:
    for one in (found, against):
        figure = one.chart(name)
        figure.save(tmp_path / "chart.svg")
        assert "<svg" in (tmp_path / "chart.svg").read_text()[:500]
        assert figure.provenance is not None
        assert "Holm's correction" in figure.method


def test_a_chart_of_one_population_says_what_it_covers(found: SuiteCompared) -> None:
    assert "as far as these are a random sample" in found.chart("systems", population="collections").caption[-1]
    assert "population: collections" in found.chart("ranks", population="collections").method
    assert found.chart("systems").title == (
        "new is the best of 3 systems in score over 4 collections; others not significantly below it: 0 for other "
        "topics of these collections, 1 for other collections"
    )


def test_the_page_answers_for_each_population(against: SuiteCompared) -> None:
    page: Page = page_of(against)
    assert [one.population for one in page.front.headlines] == ["same collections", "collections"]
    assert page.front.picture is not None
    assert [dict(one.choices)["population"] for one in page.front.picture.variants] == [
        "same collections",
        "collections",
    ]
    assert [section.key for section in page.sections] == ["over", "each"]
    assert len(page.panels) == 9
    assert any("chosen by hand" in warning for warning in page.warnings)
    assert any("Schuirmann" in one for one in page.references)
    assert {heading for heading, _ in page.methods} == {
        "Comparison over collections",
        "Ranks",
        "Each collection",
        "Margin",
    }


def test_the_python_of_the_docs_prints_what_it_says() -> None:
    page = (Path(__file__).parents[3] / "docs" / "questions" / "suite.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(block, {}, "suite.md", None, None)
    assert len(example.examples) == 6
    assert doctest.DocTestRunner().run(example).failed == 0


def test_the_page_is_saved_as_html(found: SuiteCompared, tmp_path: Path) -> None:
    found.save(tmp_path / "suite.html")
    text = (tmp_path / "suite.html").read_text()
    assert "Which systems are better over collections?" in text
    assert "Al Mohamad" in text
