from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.inference.hierarchy import Standing
from irgauge.inference.margins import GivenMargin
from irgauge.reading.collection import Collection
from irgauge.reporting.report import Report, report
from irgauge.scoring.scores import Scores, score
from irgauge.show.figure import Figure
from irgauge.show.page import Section, Variant
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.study import compare, compare_on_page
from irgauge.studies.report_part import BEST
from oracles import slow_skewed_t

FEW: dict[str, Any] = {"shards": "even:3", "resamples": 1, "images": 4}
DESIGN = Design(systems=6, families=3, topics=12, depth=60, corpus_size=500, relevant_median=20, seed=4)
MANY = Design(systems=45, families=5, topics=8, depth=40, corpus_size=400, relevant_median=15, seed=6)
BASE = "F2-1"
POPULATIONS = ("topics", "documents", "both")


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(collection: Collection) -> Report:
    return report(collection, ["AP", "nDCG@10"], baseline=BASE, margin={"AP": 0.05, "nDCG@10": "10%"}, **FEW)


@pytest.fixture(scope="module")
def section(result: Report) -> Section:
    return section_of(result, "baseline")


def section_of(made: Report, key: str) -> Section:
    (found,) = [one for one in made.page.sections if one.key == key]
    return found


def forms(section: Section, key: str) -> tuple[Variant, ...]:
    (found,) = [one for one in section.panels if one.key == key]
    return found.variants


def rows_of(figure: Figure | None) -> list[dict[str, Any]]:
    assert figure is not None
    return [row for rows in figure.to_dict()["datasets"].values() for row in rows]


def test_it_stands_after_the_comparison_of_all_pairs(result: Report) -> None:
    keys = [one.key for one in result.page.sections]
    assert keys[keys.index("compare") + 1] == "baseline"
    assert result.ran["compare"].results[0].comparison.baseline is None
    assert result.ran["compare"].results[0].margins is None


def test_it_is_left_out_without_a_baseline(collection: Collection) -> None:
    made = report(collection, "AP", margin=0.05, **FEW)
    assert made.ran["baseline"].results == ()
    assert "baseline" not in [one.key for one in made.page.sections]
    (found,) = made.ran["compare"].results
    assert found.first.margin == 0.05  # which goes to all pairs
    assert {one.kind for one in made.findings()} >= {"best", "pair-verdicts"}


def test_it_finds_what_compare_finds(result: Report, collection: Collection) -> None:
    """Its secondary claims have half of α; the other half is of all pairs."""
    margins: dict[str, GivenMargin] = {"AP": 0.05, "nDCG@10": "10%"}
    half = Standing(share=0.5)
    every = compare_on_page(collection, list(margins), baseline=BASE, margin=margins, shards="even:3", standing=half)
    for found, alone in zip(result.ran["baseline"].results, every.each, strict=True):
        assert [one.population for one in found.first.comparisons] == list(POPULATIONS)
        for name in POPULATIONS:
            np.testing.assert_array_equal(found.first.under(name).p_adjusted, alone.under(name).p_adjusted)
            assert found.first.verdicts[name].verdicts == alone.verdicts[name].verdicts
            assert found.first.verdicts[name].margin == alone.verdicts[name].margin


def test_p_values_are_those_of_scipys_statistics(result: Report, collection: Collection) -> None:
    values = score(collection, ["AP"]).values[0, :, :, 0]
    place = {name: i for i, name in enumerate(collection.systems)}
    one = result.ran["baseline"].results[0].first.under("topics")
    own = [slow_skewed_t.larger_p(values[:, place[name]] - values[:, place[BASE]]) for name, _ in one.names]
    np.testing.assert_allclose(one.p, own)


def test_the_counts_of_verdicts_stand_first_for_each_population(result: Report, section: Section) -> None:
    for found in result.ran["baseline"].results:
        measure = found.first.measure
        for name in POPULATIONS:
            told = next(one for one in section.told if (one.measure, one.population) == (measure, name))
            assert told.kind == "verdicts"
            counts = {verdict: len(systems) for verdict, systems in told.fields["systems"].items()}
            assert counts == Counter(found.first.verdicts[name].verdicts)
            assert told.text in [claim.text for claim in result.page.claims if claim.section == "baseline"]


def test_charts_and_tables_are_there_for_each_measure_and_population(section: Section, result: Report) -> None:
    wanted = [(m, p) for m in ("AP", "nDCG@10") for p in POPULATIONS]
    assert section.panels[0].key == "baseline-differences"
    for key in ("baseline-differences", "baseline-pairs"):
        assert [tuple(dict(one.choices).values()) for one in forms(section, key)] == wanted
    one = result.ran["baseline"].results[0].first
    shown = {row["system"]: row for row in rows_of(forms(section, "baseline-differences")[0].figure) if "low" in row}
    assert {name: row["verdict"] for name, row in shown.items()} == dict(
        zip([name for name, _ in one.comparison.names], one.verdict.verdicts, strict=True)
    )
    table = forms(section, "baseline-pairs")[0].table
    assert table is not None
    assert table.column("verdict") == list(one.verdict.verdicts)


def test_of_many_systems_the_best_are_shown() -> None:
    runs = simulate(MANY).collection()
    section = section_of(report(runs, "AP", baseline=runs.systems[3], **FEW), "baseline")
    drawn = forms(section, "baseline-differences")
    assert [dict(one.choices)["systems"] for one in drawn] == [f"best {BEST}", "all"] * 3
    shown = [{row["system"] for row in rows_of(one.figure) if "low" in row} for one in drawn]
    assert [len(one) for one in shown] == [BEST, 44] * 3
    gains = forms(section, "baseline-gains")[0].table
    assert gains is not None
    assert len(set(gains.column("system"))) <= BEST
    assert f"Shown: the best {BEST} of 45 systems." in gains.notes


def test_methods_and_references_name_what_was_done(result: Report, collection: Collection) -> None:
    text = dict(result.page.methods)["Comparison with the baseline"]
    assert "5 systems were compared with F2-1" in text
    assert "Schuirmann 1987" in text
    assert any("Schuirmann" in one for one in result.page.references)
    bare = report(collection, "AP", baseline=BASE, shards=None, images=2)
    assert not any("Schuirmann" in one or "Satterthwaite" in one for one in bare.page.references)


def test_one_of_two_systems_may_be_the_baseline() -> None:
    both = simulate(Design(systems=2, families=2, topics=8, depth=40, corpus_size=400, relevant_median=15, seed=2))
    runs = both.collection()
    for base in runs.systems:
        made = report(runs, "AP", baseline=base, **FEW)
        section = section_of(made, "baseline")
        assert section.told[0].kind == "verdict"
        assert section.told[0].fields["baseline"] == base
        assert not [one for one in section.told if one.kind == "verdicts"]


def test_tables_of_scores_have_a_baseline_too(collection: Collection) -> None:
    scores = Scores.from_frame(score(collection, ["AP"]).frame())
    made = report(scores, baseline=BASE, margin="5%")
    (found,) = made.ran["baseline"].results
    alone = compare(scores, "AP", baseline=BASE, margin="5%").first
    assert found.first.verdict.verdicts == alone.verdict.verdicts
    assert made.page.settings["baseline system"] == BASE
    assert made.page.settings["margin"] == "5%"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"baseline": "nobody"}, "baseline 'nobody'"),
        ({"margin": "2%"}, "name a baseline"),
        ({"margin": 1.5}, "too large"),
        ({"margin": -1}, "not possible"),
        ({"margin": {"AP": 0.01}}, "nDCG@10 has no margin"),
        ({"margin": 0.01, "alpha": 0.25}, "below 0.25"),
    ],
)
def test_what_cannot_be_is_refused_before_the_long_work(
    options: dict[str, Any], said: str, collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irgauge.reporting.report.sections", lambda: pytest.fail("a study was asked"))
    for data in (collection, Scores.from_frame(score(collection, ["AP", "nDCG@10"]).frame())):
        with pytest.raises(DesignError, match=said):
            report(data, ["AP", "nDCG@10"], **options)
