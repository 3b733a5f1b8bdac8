"""A suite of collections whose topics are in clusters, or count unequally, against full matrices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import irgauge as ig
from irgauge.errors import DesignError, InputError
from irgauge.studies.suite.study import SuiteCompared
from oracles.slow_sampling import cr2

SIZES = {"a": 12, "b": 30, "c": 21}
SHARES = pl.DataFrame({"type": ["long", "short"], "share": [1, 3]})


def scores(name: str) -> pl.DataFrame:
    """Two systems; what they do on a cluster of three topics is alike."""
    size, rng = SIZES[name], np.random.default_rng(len(name) + SIZES[name])
    of_cluster = rng.normal(0.1, 0.2, size // 3).repeat(3)
    old = rng.random(size)
    new = old + of_cluster + rng.normal(0, 0.1, size)
    return pl.DataFrame({"topic": [f"{name}{t}" for t in range(size)], "old": old, "new": new})


def about(name: str) -> pl.DataFrame:
    topics = np.arange(SIZES[name])
    return pl.DataFrame(
        {
            "topic": [f"{name}{t}" for t in topics],
            "user": [f"u{t // 3}" for t in topics],
            "alone": [f"u{t}" for t in topics],
            "type": ["long" if t // 3 % 2 else "short" for t in topics],
            "half": ["odd" if t % 2 else "even" for t in topics],
            "rare": ["odd" if t < 6 and name == "b" else "usual" for t in topics],
            "hits": (1.0 + topics % 5).tolist(),
        }
    )


def asked(**options: Any) -> SuiteCompared:  # noqa: ANN401  # passed on
    data = {name: ig.score(scores(name), "score", topics_table=about(name)) for name in SIZES}
    return ig.suite(data, baseline="old", **options)


def expected(column: str | None, weights: str | None) -> tuple[float, float, float]:
    """The difference over collections, its error and degrees of freedom, for other topics of these collections."""
    each, counts = [], []
    for name in SIZES:
        table, known = scores(name), about(name)
        w = known[weights].to_numpy() if weights else np.ones(len(table))
        clusters = known[column].to_list() if column else known["alone"].to_list()
        each.append(cr2((table["new"] - table["old"]).to_numpy(), clusters, w, [1.0], [0] * len(table)))
        counts.append(float(w.sum()) if weights else 1.0)
    share = np.array(counts) / sum(counts)
    mean, se, df = np.array(each).T
    parts = np.square(share * se)
    return float(share @ mean), float(np.sqrt(parts.sum())), float(parts.sum() ** 2 / (parts**2 / df).sum())


@pytest.mark.parametrize(
    ("options", "columns", "covers"),
    [
        ({"cluster": "user"}, ("user", None), "for other clusters of topics of these collections"),
        ({"weights": "hits"}, (None, "hits"), "for queries drawn as in the traffic of these collections"),
        ({"cluster": "user", "weights": "hits"}, ("user", "hits"), "for queries drawn as in the traffic"),
    ],
)
def test_the_difference_is_that_of_full_matrices(
    options: dict[str, str], columns: tuple[str | None, str | None], covers: str
) -> None:
    result = asked(**options)
    mean, se, df = expected(*columns)
    same, other = result.over
    assert (same.comparison.difference[0], same.comparison.se[0]) == pytest.approx((mean, se))
    assert same.comparison.p[0] >= 2 * stats.t.sf(abs(mean / se), df) * (1 - 1e-9)  # guarded against skewness
    half = stats.t.isf(0.025, df) * se
    assert same.comparison.low[0] <= mean - half * (1 - 1e-9)
    assert same.comparison.high[0] >= mean + half * (1 - 1e-9)
    assert other.comparison.se[0] >= se * (1 - 1e-9)
    assert covers in result.findings().texts()[0]
    on_one = f"{covers.partition(' of these')[0]} of the collection"
    assert all(on_one in result.table(name).columns[-1].explained for name in ("collections", "collection-pairs"))
    assert "or other topics" not in result.own_forms()["html"](result)
    place = result.systems.index("new"), result.systems.index("old")
    means = result.over_collections
    assert means[place[0]] - means[place[1]] == pytest.approx(mean)
    on = result.on[0].claims.comparison
    one = ig.compare(scores("a"), baseline="old", topics_table=about("a"), **options)  # type: ignore[arg-type]  # texts
    compared = one.first.comparisons[0]
    assert (on.p[0], on.low[0]) == pytest.approx((compared.p[0], compared.low[0]))


def test_collections_are_kinds_of_known_shares() -> None:
    """As `compare` tests topics of all of them, each collection a kind."""
    every = pl.concat(scores(name) for name in SIZES)
    known = pl.concat(about(name).with_columns(of=pl.lit(name), user=name + pl.col("user")) for name in SIZES)
    shares = pl.DataFrame({"of": list(SIZES), "share": [1, 1, 1]})
    compared = ig.compare(every, baseline="old", topics_table=known, cluster="user", shares=shares).first.comparisons[0]
    same = asked(cluster="user").over[0].comparison
    for field in ("difference", "low", "high", "p", "se"):
        np.testing.assert_allclose(getattr(same, field), getattr(compared, field), rtol=1e-9)


def test_clusters_of_one_topic_are_no_clusters() -> None:
    plain, own = asked(), asked(cluster="alone")
    for claims, same in zip(plain.over, own.over, strict=True):
        np.testing.assert_allclose(claims.comparison.difference, same.comparison.difference, rtol=1e-9)
        np.testing.assert_allclose(claims.comparison.se, same.comparison.se, rtol=1e-9)
    for field in ("low", "high", "p"):
        first, second = (getattr(result.over[1].comparison, field) for result in (plain, own))
        np.testing.assert_allclose(first, second, rtol=1e-9)
    assert plain.over[1].disagreement is not None
    assert own.over[1].disagreement is not None
    np.testing.assert_allclose(plain.over[1].disagreement.tau2, own.over[1].disagreement.tau2, atol=1e-12)


def test_shares_are_those_of_kinds_on_each_collection() -> None:
    result = asked(shares=SHARES)
    each = []
    for name in SIZES:
        d = (scores(name)["new"] - scores(name)["old"]).to_numpy()
        is_long = about(name)["type"].to_numpy() == "long"
        each.append(0.25 * d[is_long].mean() + 0.75 * d[~is_long].mean())
    assert result.over[0].comparison.difference[0] == pytest.approx(np.mean(each))


def test_a_column_that_looks_like_clusters_is_warned_of_where_a_claim_would_be_lost(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    data = {}
    for name in ("x", "y"):
        of_user = np.repeat([-0.2, -0.1, 0.05, 0.1, 0.25, 0.35], 5)
        old = rng.random(30)
        table = pl.DataFrame({"topic": [f"{name}{t}" for t in range(30)], "old": old, "new": old + of_user})
        known = pl.DataFrame({"topic": table["topic"], "user": [f"u{t // 5}" for t in range(30)]})
        data[name] = ig.score(table, "score", topics_table=known)
    plain, clustered = ig.suite(data, baseline="old"), ig.suite(data, baseline="old", cluster="user")
    (verdict,), (other,) = (result.over[0].verdicts.verdicts for result in (plain, clustered))
    assert (verdict, other) == ("better", "inconclusive")
    assert plain.ignored == (("user", 12, (("new", "old", verdict, other),)),)
    plain.save(tmp_path / "it.json")
    (warning,) = ig.read(tmp_path / "it.json").findings().of("ignored-clusters")
    assert warning.text.endswith(
        "if the topics of each of 12 values of user belong together: new against old inconclusive instead of better. "
        "If they do, ask with --cluster user."
    )
    assert not clustered.findings().of("ignored-clusters")


def test_what_is_saved_comes_back_and_all_is_shown(tmp_path: Path) -> None:
    result = asked(cluster="user", weights="hits", margin="5%")
    result.save(tmp_path / "it.json")
    again = ig.read(tmp_path / "it.json")
    assert again.findings().texts() == result.findings().texts()
    told = " ".join(result.findings().texts())
    assert "63 topics count as" in told
    assert "By user, topics are in few clusters" in told
    assert "each counting by the hits of its topics" in result.table("systems").to_text()
    assert "clusters of topics by user" in str(result.provenance)
    for chart in ("systems", "ranks", "collections"):
        assert result.chart(chart)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weights": "precision"}, "a has no column 'precision' of topics.*other weights are equal and topics"),
        ({"cluster": "users"}, "a has no column 'users' of topics"),
        ({"cluster": "type"}, "a: the column 'type' puts 12 topics into 2 clusters"),
        (
            {"shares": pl.DataFrame({"type": ["long", "odd"], "n": [1, 1]})},
            "a: the kind 'short' of 'type' has no share",
        ),
        ({"weights": "type"}, "a: the column 'type' of topics does not hold numbers"),
    ],
)
def test_what_cannot_be_asked(options: dict[str, Any], words: str) -> None:
    with pytest.raises((DesignError, InputError), match=words):
        asked(**options)


# kinds of topics


def on_kind(kind: str, column: str, weights: str | None) -> tuple[float, float]:
    """The difference on a kind over collections, and the error by its own spread."""
    each, counts = [], []
    for name in SIZES:
        known = about(name)
        own = known["type"].to_numpy() == kind
        w = known[weights].to_numpy()[own] if weights else np.ones(int(own.sum()))
        d = (scores(name)["new"] - scores(name)["old"]).to_numpy()[own]
        each.append(cr2(d, known.filter(own)[column].to_list(), w, [1.0], [0] * len(d)))
        counts.append(float(w.sum()) if weights else 1.0)
    share, (mean, se, _) = np.array(counts) / sum(counts), np.array(each).T
    return float(share @ mean), float(np.sqrt(np.square(share * se).sum()))


@pytest.mark.parametrize("weights", [None, "hits"])
def test_kinds_are_tested_with_clusters_and_weights(weights: str | None) -> None:
    result = asked(by="type", cluster="user", weights=weights or "equal")
    assert [own.value for own in result.kinds.sliced.slices] == ["short", "long"]
    for own in result.kinds.sliced.slices:
        difference, se = on_kind(own.value, "user", weights)
        assert own.comparison.difference[0] == pytest.approx(difference)
        assert own.comparison.se[0] >= se * (1 - 1e-9)
    (alike,) = result.kinds.sliced.heterogeneity
    assert 0 < alike.p < 1
    row = result.frame("slices").to_dicts()[0]
    assert row["population"] == ("clusters" if weights is None else "traffic") + " of same collections"
    assert "By type over collections" in " ".join(result.findings().texts())


def test_kinds_of_clusters_of_one_topic_are_those_of_topics() -> None:
    plain, own = asked(by="type").kinds.sliced, asked(by="type", cluster="alone").kinds.sliced
    for first, second in zip(plain.slices, own.slices, strict=True):
        np.testing.assert_allclose(first.comparison.se, second.comparison.se, rtol=1e-9)
        assert first.comparison.p[0] <= second.comparison.p[0] * (1 + 1e-9)  # guarded against skewness
    assert plain.heterogeneity[0].p == pytest.approx(own.heterogeneity[0].p)


def test_kinds_that_share_clusters_are_not_compared_and_few_clusters_not_tested() -> None:
    crossed = asked(by="half", cluster="user").kinds.sliced
    assert len(crossed.slices) == 2
    assert crossed.heterogeneity == ()
    result = asked(by="rare", cluster="user")
    assert {part.value for part in result.kinds.sliced.small} == {"odd"}
    assert "odd (6 topics, could have found" in " ".join(result.findings().texts())
    assert "under 5 clusters" in " ".join(result.findings().texts())
    with pytest.raises(DesignError, match="without them"):
        asked(by="type", shares=SHARES)
