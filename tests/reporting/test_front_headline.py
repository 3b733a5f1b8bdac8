from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from conftest import Golden
from irgauge.reading.collection import Collection
from irgauge.reporting.first_screen import headlines
from irgauge.reporting.report import Report, report
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import Scores, score
from irgauge.show.finding import Finding
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.answers import OnTopics, best_system, pair_answer, verdict_numbers
from irgauge.studies.score.findings import uncompared
from oracles import slow_skewed_t

FEW: dict[str, Any] = {"shards": "even:3", "resamples": 1, "images": 4}
POPULATIONS = ["topics", "documents", "both"]
WORDS = 40


def collection(systems: int, topics: int = 12) -> Collection:
    shape: dict[str, int] = {"systems": systems, "families": min(systems, 3), "topics": topics, "depth": 60}
    return simulate(Design(**shape, corpus_size=500, relevant_median=20, seed=4)).collection()


def means(runs: Collection, measure: str = "AP") -> dict[str, float]:
    values = np.nan_to_num(score(runs, [measure]).values[0, :, :, 0])
    return dict(zip(runs.systems, values.mean(axis=0).tolist(), strict=True))


def table(values: list[list[float]], systems: tuple[str, ...]) -> Scores:
    """Scores by topic and system."""
    cells = np.array(values)[None, :, :, None]
    topics = tuple(map(str, range(len(values))))
    return Scores(cells, parse_measures(["AP"]), topics, systems, ("all",))


def only(found: Report) -> str:
    (told,) = headlines(found)
    return told.text


@pytest.fixture(scope="module")
def many() -> Report:
    return report(collection(6), ["AP", "nDCG@10"], **FEW)


def test_there_is_one_for_each_measure_and_population(many: Report) -> None:
    told = headlines(many)
    assert [(one.measure, one.population) for one in told] == [(m, p) for m in ("AP", "nDCG@10") for p in POPULATIONS]
    assert all(len(one.text.split()) <= WORDS for one in told)


def test_the_best_has_its_mean_on_the_whole_corpus(many: Report) -> None:
    of = means(many.reporting.bench.collection)
    best = max(of, key=of.__getitem__)
    first = headlines(many)[0]
    alike = len(many.ran["compare"].results[0].first.under("topics").top_group) - 1
    assert first.text.startswith(f"By AP, {best} is the best of 6 systems (mean {of[best]:.3f}); ")
    assert first.fields["alike"] == alike
    for one in headlines(many)[:3]:
        assert one.fields["mean"] == pytest.approx(of[one.fields["best"][0]])


def said(**changed: Any) -> str:  # noqa: ANN401  # fields of a finding
    usual: dict[str, Any] = {
        "measure": "AP",
        "best": ("a",),
        "mean": 0.469,
        "systems": 129,
        "alike": 5,
        "population": "topics",
    }
    return best_system(**({"by_shards": False} | usual | changed)).text


def test_the_best_in_words(golden: Golden) -> None:
    start = "By AP, a is the best of 129 systems (mean 0.469); for other topics"
    assert said() == f"{start} 5 systems do not differ significantly from it."
    assert said(alike=1) == f"{start} 1 system does not differ significantly from it."
    assert said(alike=0) == f"{start} it differs significantly from every other system."
    golden(said(by_shards=True, population="both"))


def test_ties_at_the_top_are_named(golden: Golden) -> None:
    golden(said(best=("a", "b"), alike=3))
    golden(said(best=("a", "b"), alike=0, by_shards=True))
    assert said(best=tuple("abcde")).startswith("By AP, a and 4 others share the first place among")
    assert said(best=tuple("abc"), systems=3) == "By AP, all 3 systems have the same mean (0.469)."
    scores = table([[0.1, 0.3, 0.0], [0.3, 0.1, 0.1], [0.5, 0.5, 0.0], [0.2, 0.2, 0.1]], ("x", "y", "z"))
    assert only(report(scores)).startswith("By AP, x and y share the first place among 3 systems (mean 0.275); ")


def test_another_best_over_shards_is_said_to_be_so() -> None:
    for seed in range(40):
        design = Design(systems=4, families=2, topics=5, depth=40, corpus_size=300, relevant_median=8, seed=seed)
        runs = simulate(design).collection()
        made = report(runs, "AP", **FEW)
        of, told = means(runs), {one.population: one for one in headlines(made)}
        first = made.ran["compare"].results[0].first.under("documents").systems[0]
        is_other = of[first] < max(of.values())
        assert ("over shards" in told["documents"].text) == is_other
        assert "over shards" not in told["topics"].text
        if is_other:
            assert f"(mean {of[first]:.3f} on the whole corpus)" in told["documents"].text
            return
    pytest.fail("no such collection was drawn")


def counts(found: dict[str, int], margin: float | None = None) -> str:
    return verdict_numbers(measure="AP", baseline="BASE", counts=found, margin=margin, population="topics").text


def test_verdicts_against_a_baseline_in_words(golden: Golden) -> None:
    golden(counts({"better": 3, "worse": 97, "inconclusive": 28}))
    golden(counts({"better": 1, "not worse": 1, "equivalent": 2, "inconclusive": 1}, 0.01))
    assert counts({"worse": 1, "inconclusive": 1}).startswith("Of 2 systems, none is better than BASE by AP")
    assert counts({"worse": 4}) == "All 4 systems are worse than BASE by AP for other topics."
    golden(counts({"inconclusive": 4}))
    every = dict.fromkeys(("better", "not worse", "equivalent", "not better", "worse", "inconclusive"), 21)
    assert len(counts(every, 0.01).split()) <= WORDS


def test_verdicts_against_a_baseline_are_counted() -> None:
    runs = collection(6)
    made = report(runs, "AP", baseline="F1-1", margin=0.05, **FEW)
    compared = made.ran["baseline"].results[0].first
    for told in headlines(made):
        verdicts = compared.verdicts[str(told.population)].verdicts
        assert told.fields["counts"] == {one: verdicts.count(one) for one in verdicts}
        assert "at a margin of 0.05" in told.text


def pair(**changed: Any) -> str:  # noqa: ANN401  # fields of a finding
    usual: dict[str, Any] = {
        "measure": "AP",
        "systems": ("a", "b"),
        "means": (0.312, 0.287),
        "verdict": "better",
        "margin": None,
    }
    usual |= {"p_adjusted": 0.012, "on_topics": OnTopics(31, 1, 50), "population": "topics"}
    return pair_answer(**({"by_shards": False} | usual | changed)).text


def test_two_systems_in_words() -> None:
    numbers = "0.312 against 0.287"
    assert pair() == f"a is better than b by AP for other topics: {numbers}, better on 31 of 50 topics (p = 0.012)."
    assert pair(p_adjusted=1e-9).endswith("(p < 0.0001).")
    assert pair(verdict="inconclusive", p_adjusted=0.2) == (
        f"a and b do not differ significantly by AP for other topics: {numbers}, a better on 31 of 50 topics "
        "(p = 0.200)."
    )
    assert pair(verdict="not worse", margin=0.01) == (
        f"a is not worse than b in AP by 0.01 or more for other topics ({numbers})."
    )
    assert pair(verdict="equivalent", margin=0.05) == (
        f"a is equivalent to b in AP: they differ by less than 0.05 for other topics ({numbers})."
    )
    assert pair(verdict="equivalent", on_topics=OnTopics(0, 50, 50)) == "a and b have the same AP on all 50 topics."


def test_two_systems_are_tested_by_their_differences() -> None:
    runs = collection(2)
    values = score(runs, ["AP"]).values[0, :, :, 0]
    told = headlines(report(runs, "AP", **FEW))[0]
    place = [runs.systems.index(name) for name in told.fields["systems"]]
    first, second = values[:, place[0]], values[:, place[1]]
    assert told.fields["p_adjusted"] == pytest.approx(slow_skewed_t.larger_p(first - second))
    assert told.fields["means"] == pytest.approx((first.mean(), second.mean()))
    assert first.mean() >= second.mean()
    wins = int((first > second + 1e-12).sum())
    assert told.fields["on_topics"] == OnTopics(wins, int(np.isclose(first, second).sum()), 12)


def test_one_system_has_its_interval() -> None:
    runs = collection(1)
    made = report(runs, "AP", **FEW)
    (mean,) = made.ran["score"].results[0].of("AP")
    assert mean.mean == pytest.approx(means(runs)[runs.systems[0]])
    ends = f"{mean.low:.2f} to {mean.high:.2f}"
    assert only(made) == f"{mean.system} has a mean AP of {mean.mean:.3f} (95 % interval {ends} for other topics)."


def test_one_topic_says_little(golden: Golden) -> None:
    runs = collection(3, topics=1)
    of = means(runs)
    best = max(of, key=of.__getitem__)
    assert only(report(runs, "AP", **FEW)) == (
        f"{best} has the highest AP of 3 systems on the only topic ({of[best]:.3f}); one topic says nothing of other "
        "topics."
    )
    golden(uncompared(measure="AP", best=["a", "b"], mean=0.5, systems=2, topics=2).text)


def test_algorithms_lead_where_runs_are_their_instances() -> None:
    made = report(collection(6), "AP", pattern="{algorithm}-{instance}", **FEW)
    told = headlines(made)
    assert [one.kind for one in told] == ["best-algorithm"]
    assert told[0].text == made.page.claims[0].text


def test_replicates_of_a_table_do_not_lead() -> None:
    frame = report(collection(3), "AP", **FEW).ran["compare"].results[0].first.measured.scores.frame()
    told: tuple[Finding, ...] = headlines(report(Scores.from_frame(frame), "AP"))
    assert {one.kind for one in told} == {"answer-best"}
    assert not any(re.search("over shards|whole corpus", one.text) for one in told)


def test_the_same_in_every_shard_is_said_without_a_margin() -> None:
    same = {"verdict": "equivalent", "margin": None, "population": "documents"}
    assert pair(**same, on_topics=OnTopics(0, 50, 50)) == "a and b have the same AP on all 50 topics."
    assert pair(**same, on_topics=OnTopics(2, 40, 50)) == "a and b have the same AP over shards on all 50 topics."


def test_a_geometric_mean_is_no_logarithm() -> None:
    made = report(collection(4), "GMAP", shards=None, images=2)
    best = made.ran["score"].results[0].of("GMAP")[0]
    assert headlines(made)[0].text.startswith(
        f"By GMAP, {best.system} is the best of 4 systems (mean {best.mean:.3f}); "
    )


# the picture


def drawn(found: Report) -> dict[str, dict[str, Any]]:
    """The first chart of the first screen, by system."""
    picture = found.page.front.picture
    assert picture is not None
    figure = picture.variants[0].figure
    assert figure is not None
    sets = figure.altair().to_dict()["datasets"].values()
    return {row["system"]: row for rows in sets for row in rows if "system" in row}


def test_the_picture_of_few_systems_shows_their_differences_from_the_best(many: Report) -> None:
    rows, of = drawn(many), means(many.reporting.bench.collection)
    best = max(of, key=of.__getitem__)
    assert rows[best]["difference"] == 0
    assert {name: row["difference"] for name, row in rows.items()} == pytest.approx(
        {name: mean - of[best] for name, mean in of.items()}
    )
    others = [row for name, row in rows.items() if name != best]
    assert all(row["least"] < row["difference"] < row["most"] for row in others)


def test_the_picture_of_few_systems_shows_their_differences_from_the_baseline() -> None:
    runs = collection(4)
    of = means(runs)
    worst = min(of, key=of.__getitem__)
    rows = drawn(report(runs, ["AP"], baseline=worst, **FEW))
    assert rows[worst]["difference"] == 0
    assert all(row["difference"] == pytest.approx(of[name] - of[worst]) for name, row in rows.items())


def test_the_picture_of_many_systems_shows_their_means() -> None:
    runs = collection(11)
    assert {name: row["mean"] for name, row in drawn(report(runs, ["AP"], **FEW)).items()} == pytest.approx(means(runs))
