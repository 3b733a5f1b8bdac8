"""Tables, charts, findings, files, the section and the command of robustness, against its numbers."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from irgauge.errors import DesignError
from irgauge.inference.intervals import tukey_interval
from irgauge.models.anova import decompose
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.report_part import Reporting
from irgauge.studies.robustness import STUDY
from irgauge.studies.robustness.section import CHARTS, PART
from irgauge.studies.robustness.study import Robustness, robustness

Irgauge = Callable[..., tuple[int, str, str]]
AP = (Measure.parse("AP"),)


@cache
def simulated() -> Collection:
    return simulate(Design(systems=8, topics=10, depth=100, corpus_size=2000)).collection()


@cache
def result() -> Robustness:
    """The models of the paper."""
    return robustness(simulated(), "AP", shards=(2, 3), resamples=3, test="tukey", population="documents")


@cache
def usual() -> Robustness:
    """What is said of other topics."""
    return robustness(simulated(), "AP", shards=(2, 3), resamples=3)


@cache
def single() -> Robustness:
    """One split into each number of shards, and not the usual settings."""
    options: dict[str, Any] = {"fill": "mean", "population": "topics", "keep_systems": "5", "seed": 4, "alpha": 0.1}
    return robustness(simulated(), "AP", shards=(2, 9), resamples=1, test="tukey", models=["MD3", "MD5"], **options)


def rows_of(figure: Figure) -> list[list[dict[str, Any]]]:
    """The inline data of a chart, largest first."""
    spec = figure.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    return sorted(spec["datasets"].values(), key=len, reverse=True)


# charts


def test_the_charts_are_those_that_the_study_names() -> None:
    assert list(CHARTS) == list(STUDY.charts)


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("of", [result, single, usual], ids=["several", "one", "usual"])
def test_every_chart_is_drawn_and_captioned(name: str, of: Callable[[], Robustness]) -> None:
    figure = of().chart(name)
    svg = figure.to_svg()
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert figure.title
    assert figure.alternative
    told = " ".join((*figure.caption, figure.method))
    assert f"{of().systems} systems" in told
    assert f"seed {of().provenance['seed']}" in told
    assert f"α = {of().alpha:g}" in told


def test_stability_draws_means_and_intervals_over_splits() -> None:
    pairs, tau, *_ = rows_of(result().chart())
    assert len(pairs) == len(result().stability) == 10
    for row, one in zip(pairs, result().stability, strict=True):
        over = one.significant.within(0, result().pairs)
        assert (row["shards"], row["method"]) == (one.shards, one.method)
        assert (row["mean"], row["low"], row["high"]) == (over.mean, over.low, over.high)
    assert [row["method"] for row in tau] == ["all methods", "all methods"]
    assert [row["mean"] for row in tau] == [result().stability_of(n, "MD6").tau.mean for n in (2, 3)]


def test_one_split_has_no_interval() -> None:
    pairs, *_ = rows_of(single().chart())
    assert {(row["low"], row["high"]) for row in pairs} == {(None, None)}
    assert "t intervals" not in " ".join(single().chart().caption)
    assert "t intervals" in " ".join(result().chart().caption)


@pytest.mark.parametrize(("of", "method"), [(result, "MD6"), (usual, "the guarded t-test")])
def test_the_title_says_what_is_found_on_the_whole_corpus_and_with_most_shards(
    of: Callable[[], Robustness], method: str
) -> None:
    whole, most = (round(100 * one.significant / 28) for one in (of().whole, of().outcomes[-1]))
    assert of().chart().title == (
        f"Pairs with an adjusted p ≤ 0.05 in AP: {whole} % on the whole corpus; with 3 shards {most} % by {method}"
    )


@pytest.mark.parametrize("model", [None, "MD3"])
def test_intervals_are_those_of_what_was_asked_for(model: str | None) -> None:
    """The fill, the population, the systems, the seed and the level; the old chart took none of them."""
    rows, *_ = rows_of(single().chart("intervals", model=model))
    bench, name = Bench(simulated()), model or "MD5"
    assert {row["series"] for row in rows} == {"MD1", f"{name} on 2 shards", f"{name} on 9 shards"}
    for count in (2, 9):
        split = bench.measured(Measuring(AP, f"even:{count}", "mean", "5", seed=4))
        fit = decompose(split.values()).fit(name)
        expected = tukey_interval(fit, split.scores.systems, population="topics", alpha=0.1)
        drawn = {row["system"]: row for row in rows if row["series"] == f"{name} on {count} shards"}
        assert set(drawn) == set(expected.systems)
        for i, system in enumerate(expected.systems):
            ends = (expected.mean[i], expected.low[i], expected.high[i])
            assert (drawn[system]["mean"], drawn[system]["low"], drawn[system]["high"]) == ends


def test_intervals_of_the_best_systems_have_the_numbers_of_all() -> None:
    every, few = rows_of(result().chart("intervals"))[0], rows_of(result().chart("intervals", best=3))[0]
    assert len(every) == 3 * 8
    assert list(few) == [row for row in every if row["rank"] <= 3]
    assert "Shown: the best 3 of 8 systems." in result().chart("intervals", best=3).caption
    assert result().chart("intervals", best=3).title == result().chart("intervals").title


def test_intervals_beside_t_tests_are_those_of_md6() -> None:
    rows, *_ = rows_of(usual().chart("intervals"))
    assert {row["series"] for row in rows} == {"MD1", "MD6 on 2 shards", "MD6 on 3 shards"}
    assert "population: topics" in " ".join(usual().chart("intervals").caption)


def test_a_model_that_was_not_fitted_has_no_intervals() -> None:
    with pytest.raises(DesignError, match="the model 'MD6' is unknown; did you mean 'MD5'"):
        single().chart("intervals", model="MD6")


# findings


def fields_of(found: Robustness, kind: str) -> dict[str, Any]:
    [finding] = found.findings().of(kind)
    assert found.findings()[0].kind == "whole-corpus"
    assert (finding.measure, finding.population) == (found.measure, found.population)
    return dict(finding.fields)


def test_the_answer_is_of_the_last_model_at_the_middle_number_of_shards() -> None:
    asked: dict[str, Any] = {"test": "tukey", "models": ["MD3", "MD6"], "population": "documents"}
    found = robustness(simulated(), "AP", shards=(5, 2, 3), resamples=2, **asked)
    assert fields_of(found, "stability") == {
        "measure": "AP",
        "over": found.stability_of(3, "MD6"),
        "splits": 2,
        "pairs": 28,
    }
    assert found.findings()[1].kind == "stability"


def test_the_whole_corpus_comes_first_and_speaks_of_other_topics() -> None:
    for found, by in ((usual(), "guarded t-test, Holm's correction"), (result(), "Tukey's HSD test")):
        first = found.findings()[0]
        whole = found.whole
        assert (first.kind, first.population, first.measure) == ("whole-corpus", "topics", "AP")
        assert first.text == (
            f"On the whole corpus, {whole.significant:.0f} of 28 pairs of systems differ significantly in AP for other "
            f"topics ({by}); the top group has {whole.top_group:.0f} systems."
        )


def test_sentences_of_t_tests() -> None:
    one = usual().stability_of(2, "skewed-t")
    _, over, by_number = usual().findings().texts()
    assert over.startswith(
        f"Over 3 random splits into 2 shards, the guarded t-test gives p ≤ α in AP to {one.significant.mean:.1f} of 28 "
        "pairs of systems on average ("
    )
    assert by_number == (
        "From 2 to 3 shards, the pairs to which the guarded t-test gives p ≤ α in AP go "
        f"from {usual().outcome(2, 'skewed-t').significant:.1f} to "
        f"{usual().outcome(3, 'skewed-t').significant:.1f} of 28."
    )


def test_sentences() -> None:
    one = result().stability_of(2, "MD6")
    between = f"95 % interval of that mean {max(one.significant.low, 0):.1f} to {min(one.significant.high, 28):.1f}"
    assert result().findings().texts()[1:] == [
        f"Over 3 random splits into 2 shards, MD6 gives p ≤ α in AP to {one.significant.mean:.1f} of 28 pairs of "
        f"systems on average ({between}), and to "
        f"{round(100 * one.common, 1):g} % of all pairs in every split; the order of systems agrees with that on the "
        f"whole corpus by Kendall's τ = {one.tau.mean:.3f}.",
        "From 2 to 3 shards, the pairs to which MD6 gives p ≤ α in AP "
        f"go from {result().outcome(2, 'MD6').significant:.1f} to "
        f"{result().outcome(3, 'MD6').significant:.1f} of 28.",
    ]


def test_one_split_tells_no_interval_and_nothing_of_every_split() -> None:
    [text] = [one.text for one in single().findings() if one.text.startswith("Over 1 random split into 2 shards, MD5 ")]
    assert "gives p ≤ α in AP to 1.0 of 10 pairs of systems on average; the order" in text
    assert "interval" not in text
    assert "every split" not in text


def test_many_undefined_scores_are_noted() -> None:
    with pytest.raises(DesignError, match=r"of the scores of AP are undefined .* 'even:40'.*: take the whole corpus"):
        robustness(simulated(), "AP", shards=[2, 40], resamples=1)
    found = robustness(simulated(), "AP", shards=[2, 40], resamples=1, sparse=True)
    warning, share = found.findings()[0], found.stability_of(40, "skewed-t").undefined
    assert (warning.kind, warning.tone) == ("sparse", "warning")
    undefined = warning.fields["undefined"]
    assert share > 0.5
    assert undefined.share == pytest.approx(share)
    assert (undefined.measures, undefined.among, undefined.is_largest) == (("AP",), "shards", True)
    assert not result().findings().of("sparse")


# tables, frames and files


def test_tables_hold_numbers() -> None:
    for table in result().tables():
        text = {name for name in table.names if any(isinstance(cell, str) for cell in table.column(name))}
        assert text <= {"method", "against"}
    assert [table.name for table in result().tables()] == ["outcomes", "splits", "changes"]
    assert [table.name for table in single().tables()] == ["outcomes", "changes"]  # one split has no spread
    assert [table.name for table in usual().tables()] == ["outcomes", "splits"]  # one method has no simpler one


def test_the_frame_has_a_row_a_number_of_shards_and_model() -> None:
    frame = result().frame()
    rows = frame.to_dicts()
    assert len(rows) == 1 + 10
    assert (rows[0]["shards"], rows[0]["method"], rows[0]["tau"], rows[0]["common"]) == (1, "MD1", None, None)
    assert rows[0]["significant"] == result().whole.significant
    for row, outcome, over in zip(rows[1:], result().outcomes, result().stability, strict=True):
        for name in ("shards", "method", "omega2", "significant", "not_significant", "top_group", "width"):
            assert row[name] == getattr(outcome, name)
        for name in ("significant", "width", "tau"):
            mean = getattr(over, name)
            least, most = {"tau": (-1, 1), "significant": (0, result().pairs)}.get(name, (0, math.inf))
            ends = max(mean.low, least), min(mean.high, most)
            assert (row[name], row[f"{name}_low"], row[f"{name}_high"]) == (mean.mean, *ends)
        assert (row["common"], row["undefined"]) == (over.common, over.undefined)
    numeric = {name for name, kind in frame.schema.items() if kind.is_numeric()}
    assert set(frame.columns) - numeric == {"measure", "method"}


def test_changes_are_those_of_the_outcomes() -> None:
    table = result().table("changes")
    for row in table.records():
        changes = result().outcome(int(str(row["shards"])), str(row["method"])).changes[str(row["against"])]
        assert {name: row[name] for name in changes} == dict(changes)
    assert len(table.rows) == 2 * (1 + 2 + 3 + 4 + 5)


def test_json_has_every_number_in_full_precision(tmp_path: Path) -> None:
    result().save(tmp_path / "robustness.json")
    read = json.loads((tmp_path / "robustness.json").read_text())
    assert (read["study"], read["measure"], read["pairs"], read["resamples"]) == ("robustness", "AP", 28, 3)
    assert read["provenance"]["shards"] == "even:2, even:3"
    for row, one in zip(read["outcomes"], result().outcomes, strict=True):
        assert row == vars(one)
    for row, over in zip(read["stability"], result().stability, strict=True):
        assert row["tau"] == vars(over.tau)
        assert row["significant"] == vars(over.significant)
        assert (row["common"], row["undefined"]) == (over.common, over.undefined)
    assert read["whole"] == vars(result().whole)


def test_undefined_ends_are_null_in_json_and_empty_in_csv(tmp_path: Path) -> None:
    assert math.isnan(single().stability[0].tau.low)
    single().save(tmp_path / "one.json")
    assert json.loads((tmp_path / "one.json").read_text())["stability"][0]["tau"]["low"] is None
    single().save(tmp_path / "one.csv")
    rows = csv.DictReader((tmp_path / "one.csv").read_text().splitlines())
    assert {row["tau_low"] for row in rows} == {""}


@pytest.mark.parametrize("extension", ["json", "csv", "parquet", "md", "tex", "txt", "png", "svg"])
def test_results_are_saved(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"robustness.{extension}"
    result().save(path)
    starts = {
        "png": b"\x89PNG",
        "svg": b"<svg",
        "json": b"{",
        "md": b"- On the whole corpus",
        "txt": b"- On the",
        "tex": b"\\begin",
    }
    assert path.read_bytes().startswith(starts.get(extension, b""))
    if extension == "csv":
        assert pl.read_csv(path).equals(result().frame())
    if extension == "parquet":
        assert pl.read_parquet(path).equals(result().frame())


def test_the_result_shows_itself_shortly_and_safely() -> None:
    assert repr(result()).startswith("Robustness:\n- On the whole corpus, ")
    assert len(repr(result())) < 1200
    hostile = simulate(Design(systems=5, topics=6, depth=40, corpus_size=400)).collection()
    html = robustness(hostile, "AP", shards=[2], resamples=1)._repr_html_()
    assert "<script" not in html
    assert html.count("<img ") == 1


def test_text_fits_a_terminal() -> None:
    lines = result().to_text(width=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert "Method: Tukey's HSD test; family: all 28 pairs" in result().to_text(width=80)
    assert max(map(len, usual().to_text(width=80).splitlines())) <= 80
    assert "Method: guarded t-test; family: all 28 pairs; Holm's correction" in usual().to_text(width=80)


# the report


def reporting(**options: Any) -> Reporting:  # noqa: ANN401  # of Reporting
    measures = parse_measures(["AP", "P@5"])
    return Reporting(Bench(simulated(), measures), measures, **{"shards": "even:3", "resamples": 2, **options})


def test_the_section_of_a_report() -> None:
    asked = reporting()
    ran = PART.run(asked)
    assert [found.measure for found in ran.results] == ["AP", "P@5"]
    assert [found.counts for found in ran.results] == [(2, 3, 6)] * 2
    made = PART.section(ran, asked)
    assert [panel.key for panel in made.panels] == ["stability", "outcomes", "splits"]
    assert all(
        [dict(form.choices) for form in panel.variants] == [{"measure": "AP"}, {"measure": "P@5"}]
        for panel in made.panels
    )
    [claim] = PART.headline(ran.results[0])
    assert isinstance(claim, Finding)
    assert (claim.kind, claim.population, claim.measure) == ("order-kept", None, "AP")
    assert claim.fields["tau"] == ran.results[0].stability_of(3, "skewed-t").tau.mean
    assert [text[:24] for text in made.texts[:2]] == ["Over 2 random splits int"] * 2
    assert "`irgauge robustness` tests it." in made.texts[2]
    [(heading, text)] = PART.methods(ran, asked)
    assert heading == "Robustness"
    assert "2 times into each of several numbers" in text


def test_a_report_without_shards_says_why() -> None:
    asked = reporting(shards=None, unsharded="no shards were asked for")
    ran = PART.run(asked)
    made = PART.section(ran, asked)
    assert made.panels == ()
    assert "no shards were asked for" in str(made.reason)
    assert list(PART.methods(ran, asked)) == []


# the command


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


OPTIONS = ["--shards", "2,3", "--resamples", 2]
TUKEY = ["--test", "tukey", "--models", "MD3,MD6"]


def test_the_command_gives_json(demo: Path, run: Irgauge) -> None:
    code, out, err = run("robustness", *paths(demo), *OPTIONS, *TUKEY, "--format", "json")
    assert (code, err) == (0, "")
    shown = json.loads(out)
    expected = [(2, "MD3"), (2, "MD6"), (3, "MD3"), (3, "MD6")]
    assert [(row["shards"], row["method"]) for row in shown["outcomes"]] == expected
    assert [(row["shards"], row["method"]) for row in shown["stability"]] == expected
    assert (shown["test"], shown["population"]) == ("tukey", "topics")
    assert set(shown["outcomes"][1]["changes"]) == {"MD1", "MD3"}


def test_the_command_gives_csv_and_text(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("robustness", *paths(demo), *OPTIONS, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["method"] for row in rows] == ["skewed-t"] * 3
    named = ("measure", "method")
    assert all(re.fullmatch(r"[-+.0-9e]*", row[name]) for row in rows for name in row if name not in named)
    code, out, _ = run("robustness", *paths(demo), *OPTIONS)
    assert code == 0
    warning, answer = " ".join(out.split()).split("- ")[1:3]
    assert re.match(r"Warning: Up to [0-9]+ % of scores are undefined \(no relevant document in the shard\)", warning)
    assert answer.startswith("On the whole corpus, ")
    assert "Over 2 random splits into 2 shards, the guarded t-test gives p ≤ α" in " ".join(out.split())
    assert "Means over splits with their 95 % intervals" in out


@pytest.mark.parametrize("chart", CHARTS)
def test_the_command_draws(chart: str, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    code, _, _ = run("robustness", *paths(demo), *OPTIONS, "--chart", target, "--chart-of", chart)
    assert code == 0
    assert target.read_text().startswith("<svg")


BAD: dict[str, tuple[list[str], str]] = {
    "numbers of shards": (["--shards", "two"], "--shards 'two' are not whole numbers; write them like 2,5,10"),
    "no shards": (["--shards", "1"], "1 shard is the whole corpus"),
    "a model": (["--test", "tukey", "--models", "MD7"], "MD1 to MD6"),
    "a model without its test": (["--models", "MD6"], "models are for Tukey's test"),
    "a population": (["--population", "documnts"], "did you mean 'documents'?"),
    "a fill": (["--fill", "nought"], "'nought' is unknown"),
    "a chart": (["--chart", "x.svg", "--chart-of", "pairs"], "the chart 'pairs' is unknown"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(name: str, demo: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("robustness", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in err


def test_a_table_of_scores_is_not_enough(run: Irgauge, tmp_path: Path) -> None:
    Bench(simulated()).whole(AP).save(tmp_path / "scores.csv")
    code, _, err = run("robustness", tmp_path / "scores.csv")
    assert code == 2
    assert "needs judgments and runs" in err
