"""Clusters, weights, shares and wordings of topics on a page: every claim follows, or is not made."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.replicates.exchange import Exchange
from irgauge.scoring.scores import Scores

Irgauge = Callable[..., tuple[int, str, str]]
TOPICS = 40
ABOUT = pl.DataFrame(
    {
        "topic": [f"q{t}" for t in range(TOPICS)],
        "conversation": [f"c{t // 4}" for t in range(TOPICS)],
        "traffic": [200 // (t + 1) for t in range(TOPICS)],
        "type": ["long" if t % 4 == 0 else "short" for t in range(TOPICS)],
    }
)
SHARES = {"type": {"long": 0.6, "short": 0.4}}
ASKED: dict[str, dict[str, Any]] = {
    "for other clusters of topics": {"cluster": "conversation"},
    "for queries drawn as in the traffic": {"weights": "traffic", "baseline": "old", "by": "type"},
    "for queries drawn as in the traffic ": {"shares": SHARES},
}


def _table() -> pl.DataFrame:
    """Differences that topics of a conversation share."""
    rng = np.random.default_rng(3)
    old = rng.uniform(0.2, 0.7, TOPICS)
    new = old + np.repeat(rng.normal(0.03, 0.08, TOPICS // 4), 4) + rng.normal(0, 0.02, TOPICS)
    return pl.DataFrame({"topic": ABOUT["topic"], "old": old, "new": new})


@pytest.mark.parametrize(("covers", "asked"), ASKED.items())
def test_every_claim_on_a_page_follows_how_topics_came_together(covers: str, asked: dict[str, Any]) -> None:
    report = ig.report(_table(), topics_table=ABOUT, **asked)
    own = {name: value for name, value in asked.items() if name not in ("baseline", "by")}
    compared = ig.compare(_table(), topics_table=ABOUT, **own)
    on_page = report.ran["baseline" if "baseline" in asked else "compare"].results[0]
    assert abs(on_page.comparison.difference).tolist() == abs(compared.comparison.difference).tolist()
    assert on_page.comparison.se.tolist() == compared.comparison.se.tolist()
    alone = ig.score(_table(), topics_table=ABOUT, **own)
    assert report.ran["score"].results[0].means == alone.means
    assert report.ran["plan"].results[0].sampling is not None
    page = report.page
    assert covers.strip() in page.front.headlines[0].text
    assert all(card.covers == covers.strip() for card in page.front.cards if card.covers)
    html = report.to_html()
    assert not re.search(r"(for|cover) other topics(?! like)", html)
    assert "each topic counts once" in html  # of what describes topics alike
    assert "drawn one by one" in dict(page.methods)["What is left out"]


def test_a_page_on_wordings_is_of_needs(tmp_path: Path, run: Irgauge) -> None:
    rng = np.random.default_rng(5)
    base, gain = rng.uniform(0.2, 0.6, 20), rng.normal(0.05, 0.05, 20)
    rows = [
        {
            "topic": f"q{t}",
            "wording": f"{t}-{w}",
            "system": name,
            "score": base[t] + own * gain[t] + rng.normal(0, 0.05),
        }
        for t in range(20)
        for w in range(2 + t % 2)
        for own, name in enumerate(("old", "new"))
    ]
    table = pl.DataFrame(rows)
    report = ig.report(table, variants="wording")
    compared = ig.compare(table, variants="wording")
    assert report.ran["compare"].results[0].comparison.p.tolist() == compared.comparison.p.tolist()
    html = report.to_html()
    assert "for other needs" in report.page.front.headlines[0].text
    assert not re.search(r"for other topics|other topics, these", html)
    assert "from wording to wording" in html
    scores, written = tmp_path / "scores.csv", tmp_path / "report.html"
    table.write_csv(scores)
    assert run("report", scores, "--variants", "wording", "-o", written)[0] == 0
    assert "for other needs" in written.read_text()


def test_what_takes_topics_alike_is_refused_where_it_is_asked_for_by_name() -> None:
    with pytest.raises(DesignError, match="'groups' is of topics that are drawn one by one"):
        ig.report(_table(), topics_table=ABOUT, cluster="conversation", groups={"old": "a", "new": "b"})
    with pytest.raises(DesignError, match="column of topics 'conversatio'"):
        ig.report(_table(), topics_table=ABOUT, cluster="conversatio")
    with pytest.raises(DesignError, match="column of topics 'typ'"):
        ig.report(_table(), topics_table=ABOUT, by="typ")
    with pytest.raises(DesignError, match="'type' has several values for one topic"):
        ig.report(_table(), topics_table=ABOUT, variants="conversation", by="type")


def test_runs_in_clusters_have_no_shards() -> None:
    qrels = {f"q{t}": {f"d{t}": 1, f"e{t}": 1} for t in range(TOPICS)}
    good = {f"q{t}": {f"d{t}": 3.0, "x": 2.0, f"e{t}": 1.0 + t % 3} for t in range(TOPICS)}
    poor = {f"q{t}": {"x": 3.0, f"d{t}": 2.0 + t // 4 % 3, "y": 1.0} for t in range(TOPICS)}
    runs = ig.load(qrels, {"good": good, "poor": poor}, warn=False)
    report = ig.report(runs, "AP", topics_table=ABOUT, cluster="conversation")
    assert report.reporting.shards is None
    assert not report.ran["bootstrap"].results
    assert "for other clusters of topics" in report.page.front.headlines[0].text
    with pytest.raises(DesignError, match="'shards' is of topics that are drawn one by one"):
        ig.report(runs, "AP", topics_table=ABOUT, cluster="conversation", shards="even:2")


def test_warnings_of_few_topics_that_decide_stand_among_those_of_the_page() -> None:
    report = ig.report(_table(), topics_table=ABOUT, weights="traffic")
    assert any(text.startswith("Few topics decide") for text in report.page.warnings)


def test_topics_of_a_cluster_change_places_together() -> None:
    values = np.arange(24.0).reshape(1, 8, 3, 1)
    topics = tuple(f"q{t}" for t in range(8))
    together = {topic: topic if t == 7 else str(t // 3) for t, topic in enumerate(topics)}
    moved = Exchange("topics", 1, 0, together).of(Scores(values, (), topics, ("a", "b", "c"), ("all",))).values
    order = (moved - values.min(axis=2, keepdims=True))[0, :, :, 0].astype(int)  # topic, system: whose scores it has
    assert len({tuple(order[t]) for t in range(3)}) == len({tuple(order[t]) for t in range(3, 6)}) == 1
    assert len({tuple(row) for row in order.tolist()}) > 1


def test_a_page_on_clusters_errs_seldom_on_copies_without_differences() -> None:
    report = ig.report(_table(), topics_table=ABOUT, cluster="conversation", null=200)
    assert report.null is not None
    assert report.null.worst.page.observed < 0.1
    assert "on all topics of each cluster" in report.null.worst.explained


def _instances() -> ig.Collection:
    """Two runs each of two algorithms."""
    rng = np.random.default_rng(0)
    qrels = {f"q{t}": {f"d{t}": 1} for t in range(TOPICS)}
    runs = {
        f"{name}.{i}": {f"q{t}": {f"d{t}": float(rng.random() + better), "x": 1.0, "y": 0.8} for t in range(TOPICS)}
        for name, better in (("A", 0.6), ("B", 0.4))
        for i in range(2)
    }
    return ig.load(qrels, runs, warn=False)


def test_instances_on_a_page_follow_clusters() -> None:
    loaded = _instances()
    asked: dict[str, Any] = {"topics_table": ABOUT, "cluster": "conversation", "pattern": "{algorithm}.{instance}"}
    on_page = ig.report(loaded, "RR", **asked).ran["instances"].results[0]
    alone = ig.instances(loaded, "RR", **asked)
    names = ("difference", "se", "population")
    assert on_page.frame().select(names).equals(alone.frame().select(names))


def test_algorithms_on_a_page_are_compared_on_kinds_too_and_the_first_claim_names_its_population() -> None:
    loaded = _instances()
    asked: dict[str, Any] = {"topics_table": ABOUT, "by": "type", "pattern": "{algorithm}.{instance}"}
    report = ig.report(loaded, "RR", baseline="B.0", shards=None, images=2, **asked)
    on_page = report.ran["instances"].results[0]
    alone = ig.instances(loaded, "RR", posterior=False, **asked)
    assert [own.value for own in on_page.slices] == [own.value for own in alone.slices] == ["short", "long"]
    assert f"for {on_page.population}," in report.page.front.headlines[0].text
    told = next(section for section in report.page.sections if section.key == "instances").told
    assert sum(finding.kind == "best-algorithm" for finding in told) == 1
    assert any(finding.text.startswith("The baseline, B.0, is one system") for finding in told)
    assert any(finding.kind == "slices" for finding in told)


def test_two_systems_one_of_them_the_baseline_are_compared_once_with_one_p() -> None:
    report = ig.report(_table(), baseline="old", by="type", topics_table=ABOUT)
    assert not report.ran["compare"].results
    assert "compare" not in report.reporting.standings
    sections = {section.key: section for section in report.page.sections}
    told = [finding.text for section in sections.values() for finding in section.told if finding.kind == "verdict"]
    assert len(told) == 1
    alone = ig.compare(_table(), baseline="old").comparison
    assert report.ran["baseline"].results[0].comparison.p_adjusted.tolist() == alone.p_adjusted.tolist()
    assert any("smallest difference" in card.label for card in report.page.front.cards)
    assert any(finding.text.startswith("Comparisons cover") for finding in sections["baseline"].told)
    rate = dict(report.page.methods)["What this page claims, and how often it errs"]
    assert "Secondary is what is said of kinds of topics: 5 %" in rate


def test_a_page_that_could_not_compare_is_refused_before_it_is_written() -> None:
    with pytest.raises(DesignError, match=r"kinds with known shares \(shares\) are one mean"):
        ig.report(_table(), topics_table=ABOUT, by="type", shares=SHARES)
    runs = {name: {"q": {"d": score}, "r": {"d": 1.0}} for name, score in (("a", 2.0), ("b", 1.0))}
    collection = ig.load({"q": {"d": 1}, "r": {"d": 1}}, runs, warn=False)
    with pytest.raises(DesignError, match="neither higher nor lower scores of NumQ are better"):
        ig.report(collection, ["AP", "NumQ"])
