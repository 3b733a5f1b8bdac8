"""Jayasinghe et al. 2014: its table and figures, on simulated instances of the shape of its data."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import InputError
from irgauge.papers.entry import SOURCES, Dataset, Entry, Recomputed
from irgauge.papers.jayasinghe_2014 import ENTRIES
from irgauge.papers.presented import remarks
from irgauge.papers.published import Computed, Verdict, papers
from irgauge.papers.reproduce import reproduce
from irgauge.simulation.collections import Design
from irgauge.simulation.instances import BASELINE, InstanceDesign, simulate_instances
from oracles.simulated_scores import Effects, simulate_scores

PAPER = "jayasinghe-2014"
BY_NAME = {entry.name.partition("/")[2]: entry for entry in ENTRIES}
CORPUS, INSTANCES, TOPICS, FIRST = 2000, 20, 45, 806
RATES = (0.02, 0.1, 0.5, 1, 4)
DESIGN = InstanceDesign(
    instances=INSTANCES,
    rates=RATES,
    collection=Design(
        systems=1, families=1, topics=TOPICS, depth=60, corpus_size=CORPUS, pool_depth=20, relevant_median=12, seed=6
    ),
)
Floats = NDArray[np.float64]


def renumber(path: Path) -> None:
    """Topics from 806 on, so that there are those of Figure 1."""
    lines = [line.split(" ", 1) for line in path.read_text().splitlines()]
    path.write_text("".join(f"{FIRST - 1 + int(topic)} {rest}\n" for topic, rest in lines))


def written(folder: Path, design: InstanceDesign) -> Dataset:
    simulate_instances(design).write(folder)
    for path in (folder / "qrels.txt", *(folder / "runs").iterdir()):
        renumber(path)
    return Dataset(replace(SOURCES["gov2-csi"], corpus_size=CORPUS), folder, seed=3)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return written(tmp_path_factory.mktemp("gov2-csi"), DESIGN)


@pytest.fixture(scope="module")
def computed(dataset: Dataset) -> dict[str, Recomputed]:
    return {name: entry.recompute(dataset) for name, entry in BY_NAME.items()}


@pytest.fixture(scope="module")
def cells(dataset: Dataset) -> dict[str, Floats]:
    """nDCG@10 of each algorithm by trec_eval: instance, topic."""
    with (dataset.folder / "qrels.txt").open() as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {"ndcg_cut.10"})
    topics = [str(number) for number in range(FIRST, FIRST + TOPICS)]
    rows: dict[str, list[list[float]]] = {}
    for run, label in zip(DESIGN.runs, DESIGN.labels, strict=True):
        with (dataset.folder / "runs" / f"{run}.run").open() as file:
            scores = evaluator.evaluate(pytrec_eval.parse_run(file))
        rows.setdefault(label.algorithm, []).append([scores[topic]["ndcg_cut_10"] for topic in topics])
    return {name: np.array(values) for name, values in rows.items()}


# what there is


def test_all_that_shows_data_has_an_entry() -> None:
    """Table 2 lists pros and cons."""
    assert set(papers()[PAPER].exhibits) == set(BY_NAME) == {"table-1", "figure-1", "figure-2"}
    assert BY_NAME["table-1"].exhibit.illegible > 0
    for entry in ENTRIES:
        assert set(entry.needs) == {"gov2-csi"} == {value.collection for value in entry.exhibit.values}
        assert set(entry.files) == set(entry.needs["gov2-csi"])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_printed_value_has_one_of_ours(entry: Entry, computed: dict[str, Recomputed]) -> None:
    found = computed[entry.name.partition("/")[2]]
    for value in entry.exhibit.values:
        ours = found.values[value.key]
        if value.number is None:
            assert isinstance(ours, bool)
        else:
            assert isinstance(ours, Computed)
            assert math.isfinite(ours.value)
    assert any("other topics" in sentence.lower() for sentence in found.beside)
    assert all(chart.to_dict() for chart in found.charts)
    assert bool(found.charts) == entry.name.partition("/")[2].startswith("figure")


def test_without_the_manifest_it_is_told_how_to_make_it(dataset: Dataset, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_bytes((dataset.folder / "qrels.txt").read_bytes())
    (tmp_path / "runs").mkdir()
    alone = {"gov2-csi": replace(dataset, folder=tmp_path)}
    for outcome in reproduce(ENTRIES, alone):
        assert outcome.verdict == Verdict.NEEDS
        assert "manifest: a line `run algorithm instance`" in outcome.values[0].reason


# against trec_eval and scipy


def p_of_instances(cells: dict[str, Floats], rate: float) -> Floats:
    sampled, exhaustive = cells[f"sampled-{rate:g}"], cells[BASELINE][0]
    return np.array([stats.ttest_rel(one, exhaustive).pvalue for one in sampled])


def test_table_1_counts_single_instances(computed: dict[str, Recomputed], cells: dict[str, Floats]) -> None:
    found = computed["table-1"].values
    p = p_of_instances(cells, 0.5)
    shares = []
    for alpha in (0.05, 0.1):
        ours = found["rate 0.5", f"instances at {alpha:g}"]
        assert isinstance(ours, Computed)
        assert ours.value == pytest.approx(100 * (p <= alpha).mean())
        shares.append(ours.value)
    assert 0 < shares[0] < shares[1] < 100  # so that the test can tell
    by_rate = [100 * (p_of_instances(cells, rate) <= 0.05).mean() for rate in RATES]
    assert found["the lower the rate, the more instances differ", "holds"] is bool(
        (np.diff(by_rate) <= 0).all() and by_rate[0] > by_rate[-1]
    )
    assert found["instances of one rate contradict each other", "holds"] is True
    told = ", ".join(f"{rate:g} %: {share:.0f} %" for rate, share in zip(RATES, by_rate, strict=True))
    assert all(part in computed["table-1"].beside[0] for part in told.split(", "))


def test_intervals_are_about_differences_of_means(computed: dict[str, Recomputed], cells: dict[str, Floats]) -> None:
    """In balanced data the difference of a rate from exhaustive search is that of mean scores, whatever the model."""
    sentence = next(one for one in computed["figure-2"].beside if "(model nested)" in one)
    for rate in RATES:
        low, high = (float(end.replace("−", "-")) for end in ends_of(sentence, rate))
        assert (low + high) / 2 == pytest.approx(cells[f"sampled-{rate:g}"].mean() - cells[BASELINE].mean(), abs=0.0011)


def ends_of(sentence: str, rate: float) -> tuple[str, str]:
    words = sentence.replace(",", "").replace(";", "").split()
    place = next(i for i, word in enumerate(words) if word == f"{rate:g}" and words[i + 3] == "to")
    return words[place + 2], words[place + 4]


def test_figure_1_is_of_25_topics_at_4_percent(computed: dict[str, Recomputed], cells: dict[str, Floats]) -> None:
    shown = cells["sampled-4"][:, 826 - FIRST : 851 - FIRST]
    assert shown.shape == (INSTANCES, 25)
    spans = shown.max(axis=0) - shown.min(axis=0)
    found = computed["figure-1"].values
    assert found["instances agree on some topics", "holds"] is bool(spans.min() <= 0.05)
    assert found["instances disagree on others", "holds"] is bool(spans.max() >= 0.2)
    lower, median, upper = np.quantile(shown, (0.25, 0.5, 0.75), axis=0)
    shifted = 0
    for t in range(25):
        reach = 1.5 * (upper[t] - lower[t])
        outlier = any(one < lower[t] - reach or one > upper[t] + reach for one in shown[:, t])
        shifted += outlier and abs(shown[:, t].mean() - median[t]) >= 0.01
    assert found["outliers shift the mean on several topics", "holds"] == (shifted >= 3)
    assert f"{shown.std(axis=0, ddof=1).mean():.3f}" in computed["figure-1"].beside[0]
    assert {row["topic"] for row in rows_of(computed["figure-1"])} == {str(number) for number in range(826, 851)}


def rows_of(found: Recomputed) -> list[dict[str, str]]:
    spec = found.charts[0].to_dict()
    return [row for rows in spec["datasets"].values() for row in rows]


def test_figure_2_judges_intervals_against_the_margin(
    computed: dict[str, Recomputed], cells: dict[str, Floats]
) -> None:
    """The interval of a rate is near that of the paired t-test of means over instances."""
    low, high = {}, {}
    for rate in RATES:
        differences = cells[f"sampled-{rate:g}"].mean(axis=0) - cells[BASELINE][0]
        low[rate], high[rate] = stats.t.interval(
            0.95, TOPICS - 1, differences.mean(), differences.std(ddof=1) / math.sqrt(TOPICS)
        )
    found = computed["figure-2"].values
    assert found["below 0.05 % the interval is below the margin", "holds"] == (high[0.02] < -0.01)
    above = all(high[rate] > -0.01 for rate in (0.5, 1, 4))
    assert found["above 0.1 % part of the interval is above the lower end of the margin", "holds"] == above
    assert found["from 1 % on part of the interval is above the margin", "holds"] == all(
        high[rate] > 0.01 for rate in (1, 4)
    )
    is_first = low[1] > -0.01 and low[4] > -0.01 and low[0.5] <= -0.01
    smallest = "1 % is the smallest rate at and above which all of the interval is above the lower end of the margin"
    assert found[smallest, "holds"] == is_first


def test_all_that_the_paper_says_of_figure_2_holds_of_instances_like_its_own(dataset: Dataset) -> None:
    """Means that rise with the rate past that of exhaustive search, with intervals of about ± 0.01."""
    means = {BASELINE: 0.48, "csi-0.01": 0.4, "csi-0.1": 0.455, "csi-0.5": 0.475, "csi-1": 0.49, "csi-4": 0.493}
    names = tuple(means)
    effects = Effects(names, tuple(means.values()), deterministic=(BASELINE,), topic_algorithm_sd=0.045)
    like = replace(dataset, _made={})
    like.once(f"{PAPER} scores", lambda: simulate_scores(effects, topics=149, instances=30, seed=1))
    found = BY_NAME["figure-2"].recompute(like)
    assert all(found.values[value.key] is True for value in BY_NAME["figure-2"].exhibit.values)
    worse = {**means, "csi-1": 0.465}
    like = replace(dataset, _made={})
    effects = replace(effects, means=tuple(worse.values()))
    like.once(f"{PAPER} scores", lambda: simulate_scores(effects, topics=149, instances=30, seed=1))
    found = BY_NAME["figure-2"].recompute(like)
    smallest = "1 % is the smallest rate at and above which all of the interval is above the lower end of the margin"
    assert found.values[smallest, "holds"] is False


def test_what_is_said_of_rates_that_were_not_run_is_not_computed(dataset: Dataset) -> None:
    means = {BASELINE: 0.48, "csi-0.1": 0.455, "csi-0.5": 0.475, "csi-4": 0.493}
    effects = Effects(tuple(means), tuple(means.values()), deterministic=(BASELINE,))
    few = replace(dataset, _made={})
    few.once(f"{PAPER} scores", lambda: simulate_scores(effects, topics=20, instances=3, seed=1))
    (outcome,) = reproduce(f"{PAPER}/figure-2", {"gov2-csi": few})
    verdicts = {value.printed.key[0]: (value.verdict, value.ours, value.reason) for value in outcome.values}
    lacking = {key: reason for key, (verdict, ours, reason) in verdicts.items() if verdict == Verdict.NEEDS}
    assert lacking == {
        "below 0.05 % the interval is below the margin": "runs at a rate below 0.05 %, which these are not",
        "1 % is the smallest rate at and above which all of the interval is above the lower end of the margin": (
            "runs at the rate 1 %, which these are not"
        ),
    }
    assert all(verdicts[key][1] is None for key in lacking)
    text = " ".join(remarks(outcome))
    assert "Not computed: 1 value needs runs at a rate below 0.05 %" in text


# what cannot be computed


@pytest.mark.parametrize(
    ("rates", "extra", "message"),
    [((0.5, 1), "", "0.5 and 4 among them"), ((0.5, 4), "sampled-4.2 other", "3 algorithms have one instance")],
)
def test_a_manifest_of_another_shape_is_refused(
    rates: tuple[float, ...], extra: str, message: str, tmp_path: Path
) -> None:
    small = replace(DESIGN, instances=2, rates=rates, collection=replace(DESIGN.collection, topics=40))
    data = written(tmp_path, small)
    if extra:
        manifest = tmp_path / "manifest.txt"
        lines = [line for line in manifest.read_text().splitlines() if line.split()[0] != extra.split()[0]]
        manifest.write_text("\n".join([*lines, extra, ""]))
    with pytest.raises(InputError, match=message):
        BY_NAME["table-1"].recompute(data)


def test_topics_of_figure_1_are_needed(tmp_path: Path) -> None:
    small = replace(DESIGN, instances=2, rates=(0.5, 4), collection=replace(DESIGN.collection, topics=10))
    with pytest.raises(InputError, match="topics 826 to 850"):
        BY_NAME["figure-1"].recompute(written(tmp_path, small))
