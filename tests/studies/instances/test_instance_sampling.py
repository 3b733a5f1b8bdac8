"""Algorithms on topics in clusters, with weights, and of kinds: the study as it is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.studies.instances.study import AlgorithmsCompared
from oracles.slow_sampling import cr2

TOPICS = [f"q{t:02d}" for t in range(40)]
CLUSTER = np.repeat(np.arange(20), 2)
KIND = np.array(["long"] * 12 + ["short"] * 24 + ["odd"] * 4)
HITS = 1.0 + np.arange(40) % 7
ABOUT = pl.DataFrame({"topic": TOPICS, "user": [f"u{c}" for c in CLUSTER], "type": KIND, "hits": HITS})
ABOUT = ABOUT.with_columns(
    few=pl.Series([f"f{t % 3}" for t in range(40)]), team=pl.Series([f"m{t // 4}" for t in range(40)])
)


def table(new: np.ndarray, old: np.ndarray) -> pl.DataFrame:
    """From values[instance, topic] of two algorithms."""
    return pl.DataFrame(
        [
            {"algorithm": name, "instance": str(i), "topic": topic, "score": float(values[i, t])}
            for name, values in (("new", new), ("old", old))
            for i in range(len(values))
            for t, topic in enumerate(TOPICS)
        ]
    )


def drawn(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    of_cluster = rng.normal(0, 0.1, 20)[CLUSTER]
    return 0.5 + of_cluster + rng.normal(0, 0.05, (4, 40)), 0.45 + rng.normal(0, 0.05, (3, 40))


def compared(new: np.ndarray, old: np.ndarray, **options: Any) -> AlgorithmsCompared:  # noqa: ANN401  # passed on
    return ig.instances(table(new, old), baseline="old", topics_table=ABOUT, posterior=False, **options)


@pytest.mark.parametrize(
    ("options", "clusters", "weights", "covers"),
    [
        ({"cluster": "user"}, CLUSTER, np.ones(40), "other clusters of topics and other instances"),
        ({"weights": "hits"}, np.arange(40), HITS, "queries drawn as in the traffic and other instances"),
        ({"cluster": "user", "weights": "hits"}, CLUSTER, HITS, "queries drawn as in the traffic and other instances"),
    ],
)
def test_the_topics_part_is_that_of_full_matrices(
    options: dict[str, str], clusters: np.ndarray, weights: np.ndarray, covers: str
) -> None:
    new, old = drawn()
    result = compared(new, old, model="topic", **options)
    mean, se, df = cr2(new.mean(axis=0) - old.mean(axis=0), clusters, weights, [1.0], [0] * 40)
    (contrast,) = result.contrasts
    assert (contrast.estimate, contrast.se, contrast.df) == pytest.approx((mean, se, df))
    assert contrast.p == pytest.approx(2 * stats.t.sf(abs(mean / se), df))
    nested = compared(new, old, **options)
    assert nested.population.startswith(covers)
    assert nested.contrasts[0].se > se
    assert nested.means["new"][0] == pytest.approx(np.average(new.mean(axis=0), weights=weights))
    assert nested.provenance.facts != compared(new, old).provenance.facts


def test_shares_weigh_kinds() -> None:
    new, old = drawn()
    shares = pl.DataFrame({"type": ["long", "short", "odd"], "share": [5, 3, 2]})
    result = compared(new, old, shares=shares)
    d = new.mean(axis=0) - old.mean(axis=0)
    of_kinds = [d[kind == KIND].mean() for kind in ("long", "short", "odd")]
    assert result.tests.difference[0] == pytest.approx(np.average(of_kinds, weights=[5, 3, 2]))


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    result = compared(*drawn(), cluster="user", by="type")
    result.save(tmp_path / "it.json")
    again = ig.read(tmp_path / "it.json")
    assert again.findings().texts() == result.findings().texts()
    assert again.content() == result.content()


def test_single_instances_and_the_posterior_follow_clusters() -> None:
    new, old = drawn()
    result = ig.instances(table(new, old), baseline="old", topics_table=ABOUT, cluster="user")
    assert result.posterior is None
    assert "The posterior is left out: its model takes topics" in " ".join(result.findings().texts())
    p = [
        2 * stats.t.sf(abs(mean / se), df)
        for mean, se, df in (cr2(a - b, CLUSTER, np.ones(40), [1.0], [0] * 40) for a in new for b in old)
    ]
    assert result.singles[0].significant == pytest.approx(np.mean(np.array(p) <= 0.05))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cluster": "user", "variances": "common"}, "go with own variances"),
        ({"cluster": "few"}, "into 3 clusters"),
        ({"cluster": "users"}, "did you mean 'user'"),
        ({"by": "type", "shares": pl.DataFrame({"type": ["long", "short", "odd"], "n": [1, 1, 1]})}, "without them"),
        ({"by": "few", "cluster": "type"}, "into 3 clusters"),
    ],
)
def test_what_cannot_be_asked(options: dict[str, Any], words: str) -> None:
    with pytest.raises(DesignError, match=words):
        compared(*drawn(), **options)


def test_clusters_that_are_not_asked_for_are_named_where_a_claim_would_be_lost() -> None:
    rng = np.random.default_rng(6)
    new, old = 0.47 + rng.normal(0, 0.1, 20)[CLUSTER] + np.zeros((2, 40)), np.full((2, 40), 0.45)
    new, old = new + rng.normal(0, 0.01, (2, 40)), old + rng.normal(0, 0.01, (2, 40))
    shift = 2.4 * (new - old).mean(axis=0).std(ddof=1) / 40**0.5 - (new - old).mean()  # t = 2.4, of topics one by one
    result = compared(new + shift, old, model="topic", margin=0.0001)
    assert result.verdicts == ("better",)
    (told,) = result.findings().of("ignored-clusters").texts()
    assert told.endswith("new against old inconclusive instead of better. If they do, ask with --cluster user.")
    assert not compared(new + shift, old, model="topic", cluster="user").findings().of("ignored-clusters")


# kinds of topics


def test_the_spread_on_all_kinds_guards_that_on_one() -> None:
    new, old = np.full((1, 40), 0.5), np.full((1, 40), 0.5)
    rng = np.random.default_rng(2)
    new += 0.02 + rng.normal(0, 0.004, 40)
    new[0, 15] -= 0.5  # a rare large loss, on short alone
    result = compared(new, old, by="type", correction="none")
    d = (new - old)[0]
    long, short, odd = (d[kind == KIND] for kind in ("long", "short", "odd"))
    squares = sum(float(((own - own.mean()) ** 2).sum()) for own in (long, short, odd))
    se = np.sqrt(squares / (40 - 3) / 12)
    own = next(part for part in result.slices if part.value == "long")
    plain = stats.ttest_1samp(long, 0).pvalue
    assert own.p[0] == pytest.approx(max(plain, 2 * stats.t.sf(abs(long.mean() / se), 37)))
    assert plain < 1e-6 < 0.1 < own.p[0]
    assert own.tests.verdicts[0] == "inconclusive"


def test_kinds_that_differ_by_a_constant_amount_are_not_tested() -> None:
    new, old = np.full((1, 40), 0.5), np.full((1, 40), 0.4)
    new[0, 12:] += np.random.default_rng(3).normal(0, 0.1, 28)
    own = next(part for part in compared(new, old, by="type").slices if part.value == "long")
    assert own.tests.p_difference.tolist() == [1.0]


def test_a_kind_on_which_all_scores_are_the_same_is_said_so() -> None:
    new, old = drawn()
    new[:, KIND == "long"] = old[:, KIND == "long"] = 0.0
    own = next(part for part in compared(new, old, by="type").slices if part.value == "long")
    assert own.tests.verdicts == ("equivalent",)


def test_welchs_test_says_whether_the_difference_is_the_same() -> None:
    new, old = drawn()
    new[:, KIND == "long"] += 0.3
    result = compared(new[:1], old[:1], by="type")
    d = (new[0] - old[0]).ravel()
    (test,) = result.heterogeneity  # odd is too small
    expected = stats.ttest_ind(d[KIND == "long"], d[KIND == "short"], equal_var=False)
    assert test.statistic == pytest.approx(expected.statistic**2)  # of two kinds it is Welch's t
    assert test.p == pytest.approx(expected.pvalue)
    told = " ".join(result.findings().texts())
    assert "Is the difference the same on all of them? Welch's test: p < 0.001." in told
    assert "By type, odd (4 topics, could have found" in told
    assert compared(*drawn(), by="type", cluster="user").heterogeneity != ()
    crossed = ABOUT.with_columns(user=pl.Series([f"u{t % 10}" for t in range(40)]))  # users ask for several kinds
    across = ig.instances(
        table(*drawn()), baseline="old", topics_table=crossed, posterior=False, by="type", cluster="user"
    )
    assert across.heterogeneity == ()


def test_kinds_in_few_clusters_are_too_small_to_test() -> None:
    result = compared(*drawn(), by="type", cluster="team")
    assert [part.value for part in result.slices] == ["short"]
    assert {part.value for part in result.small_slices} == {"long", "odd"}
    assert "too small to test (under 5 clusters)" in " ".join(result.findings().texts())


def test_kinds_of_clusters_of_one_topic_are_those_of_topics() -> None:
    new, old = drawn()
    alone = ABOUT.with_columns(user=pl.Series(TOPICS))
    options: dict[str, Any] = {"baseline": "old", "posterior": False, "by": "type", "topics_table": alone}
    plain, own = (ig.instances(table(new, old), cluster=cluster, **options) for cluster in (None, "user"))
    for first, second in zip(plain.slices, own.slices, strict=True):
        np.testing.assert_allclose(first.low, second.low, rtol=1e-9)
        assert first.p == pytest.approx(second.p)
        assert first.detectable == pytest.approx(second.detectable)
    assert plain.heterogeneity[0].p == pytest.approx(own.heterogeneity[0].p)
    assert plain.small_slices[0].detectable == pytest.approx(own.small_slices[0].detectable)
