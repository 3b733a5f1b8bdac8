"""Clusters, weights and shares of topics in studies: what is claimed, refused, warned of and locked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import irgauge as ig
from irgauge.errors import DesignError, InputError
from oracles.slow_sampling import cr2, two_sided


def chats(seed: int = 3, users: int = 15, each: int = 6) -> pl.DataFrame:
    """New differs from old by what the user asks for: topics of a user go together."""
    rng = np.random.default_rng(seed)
    user = np.repeat(np.arange(users), each)
    base = rng.random(len(user))
    d = 0.05 + 0.12 * rng.normal(size=users)[user] + 0.03 * rng.normal(size=len(user))
    names = {"topic": [f"q{t}" for t in range(len(user))], "user": [f"u{u}" for u in user]}
    kind = ["long" if t % 5 == 0 else "short" for t in range(len(user))]
    return pl.DataFrame({**names, "type": kind, "old": base, "new": base + d})


def hits(data: pl.DataFrame) -> pl.DataFrame:
    """A table of topics with unequal weights."""
    numbers = np.random.default_rng(1).gamma(0.5, size=len(data)) + 0.01
    return data.select("topic", "user", "type").with_columns(pl.Series("hits", numbers))


def test_the_verdict_on_clusters_is_that_of_their_errors() -> None:
    data = chats()
    compared = ig.compare(data, baseline="old", test="t", cluster="user")
    d = (data["new"] - data["old"]).to_numpy()
    expected = cr2(d, data["user"].to_list(), np.ones(len(d)), [1.0], [0] * len(d))
    assert compared.comparison.p[0] == pytest.approx(two_sided(*expected), rel=1e-5)
    (finding,) = compared.findings().of("verdict")
    assert "90 topics in 15 clusters; for other clusters of topics" in finding.text
    assert compared.provenance["clusters"] == "user"


def test_clusters_that_were_not_asked_for_are_warned_of() -> None:
    compared = ig.compare(chats(), baseline="old")
    (warning,) = compared.findings().of("ignored-clusters")
    assert compared.first.verdict.verdicts == ("better",)
    assert "new against old inconclusive instead of better. If they do, ask with --cluster user." in warning.text
    assert ig.compare(chats(), baseline="old", cluster="user").first.verdict.verdicts == ("inconclusive",)
    gated = ig.gate(chats(), "old", "new", margin=0.01)
    assert [finding.kind for finding in gated.findings() if finding.tone == "warning"] == ["ignored-clusters"]
    assert gated.verdict == "pass"


def test_a_gate_of_clusters_says_what_would_decide() -> None:
    gated = ig.gate(chats(), "old", "new", margin=0.01, cluster="user")
    assert gated.verdict == "undecided"
    assert gated.needed is not None
    assert gated.needed.topics is not None
    assert gated.needed.clusters is not None
    assert gated.needed.clusters == -(-gated.needed.topics // 6) > 15
    assert "90 topics in 15 clusters" in gated.findings()[0].text
    assert "clusters like these would show" in gated.findings()[0].text


def test_weighted_means_are_those_of_the_traffic() -> None:
    data = chats().drop("user")
    topics = hits(chats())
    w = topics["hits"].to_numpy()
    compared = ig.compare(data, baseline="old", weights="hits", topics_table=topics)
    means = {row["system"]: row["mean"] for row in compared.frame("systems").to_dicts()}
    for system in ("old", "new"):
        assert means[system] == pytest.approx(np.average(data[system].to_numpy(), weights=w))
    assert compared.first.whole_means == pytest.approx(means)
    assert "for queries drawn as in the traffic" in compared.findings().of("verdict")[0].text
    gated = ig.gate(data, "old", "new", margin=0.01, weights="hits", topics_table=topics)
    assert gated.each[0].difference == pytest.approx(means["new"] - means["old"])
    assert gated.each[0].baseline_mean == pytest.approx(means["old"])


def test_few_topics_that_decide_and_few_clusters_are_warned_of() -> None:
    data = chats(users=8)
    topics = data.select("topic", "user").with_columns(
        pl.Series("hits", [100.0 if t < 2 else 1.0 for t in range(len(data))])
    )
    told = ig.compare(data.drop("user"), baseline="old", weights="hits", cluster="user", topics_table=topics).findings()
    assert "by hits, 2 topics have half of the weight" in told.of("few-decide")[0].text
    assert (
        "There are 8 clusters by user that count as 2.0 of one size, fewer than 10" in told.of("few-clusters")[0].text
    )


def test_shares_are_read_from_a_file_and_from_python(tmp_path: Path) -> None:
    data = chats()
    path = tmp_path / "shares.csv"
    path.write_text("type,queries\nlong,900\nshort,100\n")
    compared = ig.compare(data, baseline="old", shares=path)
    own = ig.compare(data, baseline="old", shares={"type": {"long": 0.9, "short": 0.1}})
    d = (data["new"] - data["old"]).to_numpy()
    kinds = [int(kind == "short") for kind in data["type"]]
    mean, se, _ = cr2(d, list(range(len(d))), np.ones(len(d)), [0.9, 0.1], kinds)
    assert compared.comparison.difference[0] == pytest.approx(mean)
    assert compared.comparison.se[0] == pytest.approx(se)
    assert own.comparison.p[0] == compared.comparison.p[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("type,share,more\nlong,1,2\n", "two columns"),
        ("type,share\nlong,1\nlong,2\n", "appears twice"),
        ("type,share\nlong,much\nshort,1\n", "the share 'much' of 'long' is not a number"),
        ("type,share\nlong,1\n", "the kind 'short' of 'type' has no share"),
        ("sort,share\nlong,1\nshort,1\n", "'sort'"),
    ],
)
def test_shares_that_say_nothing(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "shares.csv"
    path.write_text(text)
    with pytest.raises((InputError, DesignError), match=words):
        ig.compare(chats(), baseline="old", shares=path)


def test_kinds_of_topics_in_clusters() -> None:
    data = chats(users=40, each=3)
    rows = ig.compare(data, baseline="old", test="t", cluster="user", by="type").frame("slices").to_dicts()
    assert {row["slice"] for row in rows} == {"long", "short"}
    for row in rows:
        own = data.filter(pl.col("type") == row["slice"])
        d = (own["new"] - own["old"]).to_numpy()
        expected = cr2(d, own["user"].to_list(), np.ones(len(d)), [1.0], [0] * len(d))
        assert row["p"] == pytest.approx(two_sided(*expected), rel=1e-5)
    told = ig.compare(data, baseline="old", cluster="user", by="type")
    assert not told.first.sliced.heterogeneity  # users ask questions of both kinds
    with pytest.raises(DesignError, match="without them"):
        ig.compare(data, baseline="old", by="type", shares={"type": {"long": 1, "short": 1}})


@pytest.mark.parametrize("options", [{"test": "tukey"}, {"test": "wilcoxon"}, {"test": "max-t"}])
def test_what_does_not_go_with_clusters(options: dict[str, str]) -> None:
    with pytest.raises(DesignError, match="tests of clusters are skewed-t, t, bootstrap-t and randomization"):
        ig.compare(chats(), baseline="old", cluster="user", **options)  # type: ignore[arg-type]


def test_a_lock_keeps_weights(tmp_path: Path) -> None:
    data, topics, lock = chats().drop("user"), hits(chats()), tmp_path / "lock"
    ig.gate(data, "old", "new", margin=0.01, weights="hits", topics_table=topics, lock=lock)
    other = topics.with_columns(pl.col("hits") * pl.Series([2.0] + [1.0] * (len(data) - 1)))
    with pytest.raises(InputError, match="the kinds of topics changed"):
        ig.gate(data, "old", "new", margin=0.01, weights="hits", topics_table=other, lock=lock)
    with pytest.raises(InputError, match="the setting weights changed"):
        ig.gate(data, "old", "new", margin=0.01, topics_table=topics, lock=lock)


def test_margins_in_per_cent_are_of_the_weighted_mean() -> None:
    data, topics = chats().drop("user"), hits(chats())
    gated = ig.gate(data, "old", "new", margin="10%", weights="hits", topics_table=topics)
    assert gated.each[0].margin == pytest.approx(0.1 * np.average(data["old"].to_numpy(), weights=topics["hits"]))


def test_intervals_of_means_are_of_clusters_and_weights() -> None:
    data, topics = chats().drop("type"), hits(chats())
    own = ig.score(data, cluster="user")
    for mean in own.means:
        expected = cr2(data[mean.system].to_numpy(), data["user"].to_list(), np.ones(len(data)), [1.0], [0] * len(data))
        assert (mean.mean, mean.se) == pytest.approx(expected[:2])
        half = stats.t.ppf(0.975, expected[2]) * mean.se
        assert mean.low <= mean.mean - half < mean.mean + half <= mean.high  # longer toward the longer tail
    weighed = ig.score(data.drop("user"), weights="hits", topics_table=topics)
    for mean in weighed.means:
        assert mean.mean == pytest.approx(np.average(data[mean.system].to_numpy(), weights=topics["hits"]))
    assert weighed.findings().of("weighted")


def test_intervals_within_a_range_stay_in_it_and_are_wider_with_clusters() -> None:
    data = chats().select("topic", "user", alone="topic", AP=pl.col("old").round(0), system=pl.lit("a"))
    (plain,), (own,), (alone,) = (ig.score(data, cluster=column).means for column in (None, "user", "alone"))
    assert (alone.low, alone.high) == pytest.approx((plain.low, plain.high))
    one = data.with_columns(AP=pl.when(pl.col("user") < "u3").then(1.0).otherwise(0.0))  # all of a user alike
    (plain,), (own,) = (ig.score(one, cluster=column).means for column in (None, "user"))
    assert 0 <= own.low < plain.low < plain.high < own.high <= 1


def test_where_few_clusters_vary_it_is_said_of_clusters() -> None:
    data = chats(users=8)
    two = data["user"].is_in(["u0", "u1"]).to_numpy()
    data = data.with_columns(new=data["old"] + np.where(two, -0.4, 0.1) + 0.001 * np.arange(len(data)))
    compared = ig.compare(data, baseline="old", cluster="user", test="bootstrap-t")
    assert "no interval with so few clusters" in compared.findings().of("verdict").texts()[0]
    assert "vary on the equivalent of fewer than 4 clusters." in compared.findings().of("untested-pairs").texts()[0]
    assert "With so few clusters this test has no interval" in compared.to_text()
    alone = ig.compare(data.drop("user"), baseline="old", test="bootstrap-t")
    assert not alone.findings().of("untested-pairs").texts()


def test_degrees_of_freedom_are_left_out_where_each_pair_has_its_own() -> None:
    data = chats()
    assert ig.compare(data, test="t", cluster="user").frame("populations")["df"].item() == pytest.approx(14)
    shared = ig.compare(data.drop("user"), test="t", shares={"type": {"long": 1, "short": 1}})
    assert shared.frame("populations")["df"].item() is None


@pytest.mark.parametrize(
    ("asked", "covers"),
    [
        ({"cluster": "user"}, "for other clusters of topics"),
        ({"weights": "hits"}, "for queries drawn as in the traffic"),
    ],
)
def test_all_sentences_say_what_is_drawn(asked: dict[str, Any], covers: str) -> None:
    data = chats().with_columns(other=pl.col("old") + 0.01 * pl.col("new"))
    for baseline in (None, "old"):
        findings = ig.compare(data.drop("user", "type"), baseline=baseline, topics_table=hits(data), **asked).findings()
        assert not any("for other topics" in finding.text for finding in findings)
        assert covers in findings[0].text
