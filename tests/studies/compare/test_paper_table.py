"""The table of a comparison for a paper: what is bold and marked, against scipy, and that it fits a column."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats

from conftest import Golden, Irgauge
from irgauge import Collection, load
from irgauge.errors import DesignError
from irgauge.reading.missing import MissingRule
from irgauge.show.marks import Marked, noted_text
from irgauge.show.table import Table
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.registry import studies
from irgauge.studies.score.study import score
from latex.document import caption_lines, typeset
from oracles.compared_systems import simulated

MEASURES = ["nDCG@10", "AP", "RR@10", "R@1000"]
QUALITY = {  # how much relevance counts in the order, with the names of runs of DL 2020
    "SPLADE_P_P_ENSEMBLE_DISTIL": 2.4,
    "REP_LLAMA": 2.3,
    "D_BERT_KD_TASB": 2.0,
    "OPEN_AI_ADA2": 1.4,
    "BM25_RM3": 1.2,
    "BM25": 1.1,
}
TWO_COLUMNS = ["a4paper,twocolumn", "letterpaper,twocolumn"]


@cache
def runs(lacking: int = 0, missing: MissingRule = "zero") -> Collection:
    """Six runs on 40 topics, each the best 25 of 60 documents; the second run lacks some topics."""
    rng = np.random.default_rng(5)
    grades = {f"t{i}": {f"d{j}": int(grade) for j, grade in enumerate(rng.binomial(1, 0.2, 60))} for i in range(40)}
    made: dict[str, dict[str, dict[str, float]]] = {name: {} for name in QUALITY}
    for topic, judged in grades.items():
        shared = rng.normal(size=len(judged))
        for name, quality in QUALITY.items():
            order = quality * np.array(list(judged.values())) + 0.7 * shared + rng.normal(size=len(judged))
            made[name][topic] = {f"d{j}": float(order[j]) for j in np.argsort(-order)[:25]}
    for i in range(lacking):
        del made["REP_LLAMA"][f"t{i}"]
    return load(grades, made, missing=missing, warn=False)


@cache
def compared(baseline: str | None = "BM25", **options: Any) -> Compared:  # noqa: ANN401  # of compare
    return compare(runs(), MEASURES, baseline=baseline, **options)


def marked(table: Table, column: str) -> dict[str, Marked]:
    """The cells of a column, by system."""
    cells = [cell for cell in table.column(column) if isinstance(cell, Marked)]
    return dict(zip(map(str, table.column("system")), cells, strict=True))


def test_systems_are_rows_best_first_and_measures_columns() -> None:
    table = compared().table("paper")
    assert table.names == ("system", *MEASURES)
    first = [float(cell) for cell in marked(table, "nDCG@10").values()]
    assert first == sorted(first, reverse=True)
    assert sorted(map(noted_text, table.column("system"))) == sorted([*QUALITY.keys() - {"BM25"}, "BM25 (baseline)"])


@pytest.mark.parametrize("measure", MEASURES)
def test_daggers_are_those_of_paired_t_tests_with_holms_correction(measure: str) -> None:
    scores = score(runs(), [measure]).scores
    values = dict(zip(scores.systems, scores.values[0, :, :, 0].T, strict=True))
    others = [name for name in QUALITY if name != "BM25"]
    p = {name: stats.ttest_rel(values[name], values["BM25"]).pvalue for name in others}
    rejected = set()
    for rank, name in enumerate(sorted(others, key=p.__getitem__)):
        if p[name] > 0.05 / (len(others) - rank):
            break
        rejected.add(name)
    cells = marked(compared(family="each").table("paper"), measure)
    assert {name for name, cell in cells.items() if cell.mark} == rejected
    for name, value in values.items():
        assert cells[name] == pytest.approx(value.mean())


def test_the_best_of_each_measure_is_bold_and_all_that_are_shown_as_the_best() -> None:
    table = compared().table("paper")
    for measure in MEASURES:
        cells = marked(table, measure).values()
        best = f"{max(cells):.3f}"
        assert {f"{cell:.3f}" for cell in cells if cell.is_bold} == {best}
        assert all(cell.is_bold for cell in cells if f"{cell:.3f}" == best)


def test_without_a_baseline_systems_share_a_letter_where_they_do_not_differ(golden: Golden) -> None:
    result = compared(None)
    table = result.table("paper")
    for one in result.each:
        cells = marked(table, one.measure)
        for (first, second), differ in zip(one.comparison.names, one.comparison.significant.tolist(), strict=True):
            assert differ == (not set(cells[first].mark) & set(cells[second].mark))
    golden(table.caption)


def test_the_caption_says_test_correction_level_topics_and_population() -> None:
    table = compared(test="randomization", correction="bonferroni", alpha=0.01, draws=2000).table("paper")
    assert table.title == "Means over 40 topics, best in bold"
    how = "randomization test, Bonferroni, α = 0.01"
    assert table.caption == f"† differs significantly from the baseline for other topics ({how})."


def test_a_dagger_of_a_one_sided_test_means_better() -> None:
    table = compared("OPEN_AI_ADA2", test="randomization", sides=1, draws=2000).table("paper")
    means = {name: float(cell) for name, cell in marked(table, "AP").items()}
    assert "† is significantly better than the baseline for other topics (randomization test, one-" in table.caption
    for name, cell in marked(table, "AP").items():
        assert not cell.mark or means[name] > means["OPEN_AI_ADA2"]


def test_the_caption_says_so_when_no_system_differs() -> None:
    data = runs()
    two = data.only([data.systems.index(name) for name in list(QUALITY)[4:]])
    table = compare(two, ["AP"], baseline="BM25", alpha=1e-6).table("paper")
    assert table.caption.startswith("No system differs significantly from the baseline for other topics (")


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("zero", "40 topics (7 missing, scored 0)"),
        ("drop", "33 topics (7 missing, left out)"),
    ],
)
def test_the_caption_says_what_became_of_missing_topics(rule: MissingRule, told: str) -> None:
    table = compare(runs(7, rule), MEASURES, baseline="BM25").table("paper")
    assert table.title == f"Means over {told}, best in bold"
    assert {"REP_LLAMA (7 missing)", "BM25 (baseline)", "BM25_RM3"} < set(map(noted_text, table.column("system")))


def test_text_markdown_and_html_show_bold_and_marks() -> None:
    table = compared().table("paper")
    best = marked(table, "AP")["SPLADE_P_P_ENSEMBLE_DISTIL"]
    assert f"*{best:.3f}*†" in table.to_text()
    assert f"| **{best:.3f}**† |" in table.to_markdown()
    assert f"<b>{best:.3f}</b><sup>†</sup>" in table.to_html()
    assert f"**{best:.3f}**<sup>a</sup>" in compared(None).table("paper").to_markdown()
    assert f"*{best:.3f}* a" in compared(None).table("paper").to_text()


def test_cells_stay_numbers() -> None:
    table = compared().table("paper")
    frame = table.frame()
    for i, one in enumerate(compared().each):
        systems = list(frame["system"])
        means = dict(zip(one.comparison.systems, one.comparison.means.tolist(), strict=True))
        assert frame[MEASURES[i]].to_list() == [means[name] for name in systems]
    assert table.records()[0]["AP"] == table.rows[0][2]


def test_too_many_letters_are_left_out_with_a_word() -> None:
    result = compare(simulated(40), ["AP"], correction="none")
    table = result.table("paper")
    assert max(map(len, result.comparison.groups.texts)) > 6
    assert not any(cell.mark for cell in marked(table, "AP").values())
    count = f"{result.comparison.significant_count} of 780 pairs differ significantly for other topics"
    assert table.caption == f"{count} (guarded t-test, uncorrected, α = 0.05); too many systems for letters."


# in LaTeX


@pytest.mark.parametrize("options", TWO_COLUMNS)
@pytest.mark.parametrize("baseline", ["BM25", "SPLADE_P_P_ENSEMBLE_DISTIL", None], ids=["short", "long", "none"])
def test_six_systems_and_four_measures_fit_a_column(tmp_path: Path, baseline: str | None, options: str) -> None:
    text = compared(baseline).table("paper").to_latex()
    assert text.startswith(r"\begin{table} ")
    assert r"\label{tab:paper}" in text
    assert typeset(f"Text.\n{text}", tmp_path, options=options, passes=1).overfull == ()
    assert caption_lines(text, tmp_path, options=options) <= 3


def test_a_caption_has_three_lines_with_missing_topics_too(tmp_path: Path) -> None:
    for rule, baseline in (("zero", "BM25"), ("drop", None)):
        table = compare(runs(7, cast("MissingRule", rule)), MEASURES, baseline=baseline).table("paper")
        assert caption_lines(table.to_latex(), tmp_path, options=TWO_COLUMNS[0]) <= 3


def test_all_tables_of_a_comparison_fit_the_page(tmp_path: Path) -> None:
    results = (compared(), compared(None), compared(margin="2%"))
    document = typeset("\n".join(result.to_text("latex") for result in results), tmp_path)
    assert max(document.overfull, default=0) <= 1


# the layout


def test_a_layout_is_found_by_its_name_and_is_not_among_the_tables() -> None:
    assert "paper" not in [table.name for table in compared().tables()]
    with pytest.raises(DesignError, match="did you mean 'paper'"):
        compared().table("papers")


def test_the_command_prints_the_layout_alone(run: Irgauge, demo: Path, tmp_path: Path) -> None:
    files = (demo / "qrels.txt", demo / "runs", "-m", "AP", "-m", "P@5", "--table", "paper")
    code, out, _ = run("compare", *files)
    assert code == 0
    assert out.startswith("Means over 6 topics, best in bold\n\nsystem ")
    assert run("compare", *files, "-f", "markdown")[1].startswith("**Means over 6 topics, best in bold**\n")
    assert run("compare", *files, "-o", tmp_path / "paper.tex")[0] == 0
    assert (tmp_path / "paper.tex").read_text() == run("compare", *files, "-f", "latex")[1]


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_a_layout_is_not_for_programs(run: Irgauge, demo: Path, tmp_path: Path, form: str) -> None:
    target = tmp_path / f"x.{form}"
    code, out, err = run("compare", demo / "qrels.txt", demo / "runs", "--table", "paper", "-o", target)
    assert (code, out, target.exists()) == (2, "", False)
    assert f"--table paper is a table for readers, not {form}; use --format with one of table, markdown, latex" in err


def test_an_unknown_table_is_refused(run: Irgauge, demo: Path) -> None:
    code, _, err = run("compare", demo / "qrels.txt", demo / "runs", "--table", "pape")
    assert code == 2
    assert "the table 'pape' is unknown; did you mean 'paper'?" in err
    assert [study.name for study in studies().values() if study.layouts] == ["compare", "judges"]
    assert run("anova", demo / "qrels.txt", demo / "runs", "--table", "paper")[0] == 2


def test_any_table_can_be_had_alone(run: Irgauge, demo: Path, tmp_path: Path) -> None:
    files = (demo / "qrels.txt", demo / "runs", "--table", "systems")
    code, out, _ = run("compare", *files, "-f", "csv")
    assert code == 0
    assert out.startswith("rank,system,mean,low,high,is_top,letters\n1,")
    assert run("compare", *files, "-o", tmp_path / "systems.csv")[0] == 0
    assert (tmp_path / "systems.csv").read_text() == out
    assert run("compare", *files)[1].startswith("Systems by AP\n")
    code, _, err = run("compare", *files, "-o", tmp_path / "x.parquet")
    assert code == 2
    assert "--table systems is one table, not parquet; use --format with one of" in err
