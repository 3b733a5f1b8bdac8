"""Kinds of topics over collections: against t-tests by their definitions, corrected together; what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import irgauge as ig
from calibration.worlds import TopicWorld, normal, rare_loser
from irgauge import DesignError
from irgauge.inference.slices_over_strata import Kind, KindsTest
from oracles import slow_stratified

COUNTS = {"x": (20, 12, 3, 1), "y": (16, 7, 0, 0), "z": (30, 5, 4, 1)}  # topics of each kind
KINDS = ("short", "long", "odd", "rare")
GAINS = {"short": 0.08, "long": -0.1, "odd": 0.0, "rare": 0.0}


def collections(seed: int = 1) -> dict[str, pl.DataFrame]:
    """New is better than old on short queries, and worse on long ones."""
    rng = np.random.default_rng(seed)
    tables = {}
    for name, counts in COUNTS.items():
        kind = np.repeat(KINDS, counts)
        old = 0.3 + 0.4 * rng.random(len(kind))
        gain = np.array([GAINS[own] for own in kind]) + 0.05 * rng.normal(size=len(kind))
        topics = [f"{name}{place}" for place in range(len(kind))]
        tables[name] = pl.DataFrame({"topic": topics, "type": kind, "old": old, "new": old + gain})
    return tables


def common_p(data: dict[str, pl.DataFrame], kind: str) -> float:
    """With the variance of differences within the kinds of each collection, number by number."""
    parts, means, freedoms = [], [], []
    for table in data.values():
        own = {value: (part["new"] - part["old"]).to_list() for (value,), part in table.group_by("type")}
        if len(own.get(kind, ())) < 2:
            continue
        squares = sum((d - sum(each) / len(each)) ** 2 for each in own.values() for d in each)
        freedoms.append(len(table) - len(own))
        parts.append(squares / freedoms[-1] / len(own[kind]))
        means.append(sum(own[kind]) / len(own[kind]))
    df = sum(parts) ** 2 / sum(part**2 / freedom for part, freedom in zip(parts, freedoms, strict=True))
    return 2 * float(stats.t.sf(abs(sum(means)) / math.sqrt(sum(parts)), df))


def test_kinds_are_one_family_of_stratified_tests() -> None:
    data = collections()
    result = ig.suite(data, baseline="old", by="type")
    rows = {row["slice"]: row for row in result.frame("slices").to_dicts()}
    assert list(rows) == ["short", "long", "odd"]
    expected = {}
    for kind in rows:
        tables = [table.filter(pl.col("type") == kind).select("new", "old").to_numpy() for table in data.values()]
        d, _, _, p = slow_stratified.tested([own for own in tables if len(own) > 1], 0, 1)
        assert rows[kind]["difference"] == pytest.approx(d)
        expected[kind] = max(p, common_p(data, kind))
        assert rows[kind]["p"] == pytest.approx(expected[kind], rel=1e-6)
    most = 0.0
    for rank, kind in enumerate(sorted(expected, key=expected.__getitem__)):
        most = max(most, min(1.0, (3 - rank) * expected[kind]))
        assert rows[kind]["p_adjusted"] == pytest.approx(most, rel=1e-6)
    assert [rows[kind]["verdict"] for kind in rows] == ["better", "worse", "inconclusive"]


def test_sentences_say_where_it_is_worse_which_kinds_are_small_and_which_not_everywhere() -> None:
    texts = {finding.kind: finding.text for finding in ig.suite(collections(), baseline="old", by="type").findings()}
    assert texts["slices"].startswith("By type over collections, new against old in score: better overall")
    assert "; but worse on long (−0.1" in texts["slices"]
    assert texts["slices-somewhere"] == (
        "What is said on type odd is of x and z alone: other collections have fewer than 2 such topics."
    )
    assert texts["small-slices"].startswith("By type, rare (2 topics, could have found ")


def test_whether_kinds_differ_is_told_where_they_are_in_the_same_collections() -> None:
    data = {name: table.filter(pl.col("type").is_in(["short", "long"])) for name, table in collections().items()}
    (own,) = ig.suite(data, baseline="old", by="type").kinds.sliced.heterogeneity
    assert (own.p < 1e-6, own.df[0]) == (True, 1.0)
    two = [
        [(part["new"] - part["old"]).to_numpy() for (_,), part in table.group_by("type", maintain_order=True)]
        for table in data.values()
    ]
    m = [np.mean([d[k].mean() for d in two]) for k in (0, 1)]
    v = [sum(d[k].var(ddof=1) / len(d[k]) for d in two) / 9 for k in (0, 1)]
    assert own.statistic == pytest.approx((m[0] - m[1]) ** 2 / sum(v))


def test_lower_is_better_and_a_margin_in_per_cent() -> None:
    data = {name: table.rename({"old": "new", "new": "old"}) for name, table in collections().items()}
    rows = ig.suite(data, "cost:lower", baseline="old", by="type", margin="5%").frame("slices").to_dicts()
    assert [row["verdict"] for row in rows[:2]] == ["better", "worse"]
    assert rows[0]["difference"] < 0


def test_kinds_go_with_the_population_that_they_are_claimed_for() -> None:
    result = ig.suite(collections(), baseline="old", by="type")
    assert result.population("same collections").findings().of("slices")
    other = result.population("collections")
    assert (len(other.findings().of("slices")), len(other.frame("slices"))) == (0, 0)


def test_a_column_that_a_collection_lacks_is_refused() -> None:
    data = collections()
    with pytest.raises(DesignError, match=r"^y has no column 'type' of topics, which every collection needs"):
        ig.suite(data | {"y": data["y"].drop("type")}, baseline="old", by="type")
    with pytest.raises(DesignError, match=r"^x has no column 'typ' of topics.*did you mean 'type'\?"):
        ig.suite(data, by="typ")
    with pytest.raises(DesignError, match="the column 'type' has 1 values"):
        ig.suite({name: table.filter(pl.col("type") == "long") for name, table in data.items()}, by="type")


def test_a_collection_may_have_one_kind_alone() -> None:
    data = {
        name: table.with_columns(lang=pl.lit("de" if name == "x" else "en")) for name, table in collections().items()
    }
    rows = ig.suite(data, baseline="old", by="lang").frame("slices").to_dicts()
    assert [(row["slice"], row["n"]) for row in rows] == [("en", 63), ("de", 36)]


def test_folders_have_a_table_of_topics(suite: Path) -> None:
    for folder in suite.iterdir():
        topics = sorted({line.split()[0] for line in (folder / "qrels.txt").read_text().splitlines()})
        lines = [f"{topic},{'ab'[place % 2]}" for place, topic in enumerate(topics)]
        (folder / "topics.csv").write_text("\n".join(["topic,kind", *lines]) + "\n")
    result = ig.suite(suite, "AP", by="kind")
    assert set(result.frame("slices")["slice"]) == {"a", "b"}


@pytest.mark.parametrize("world", [normal, rare_loser])
def test_any_false_word_on_any_kind_is_rare(world: TopicWorld) -> None:
    """Equal systems on 4 kinds of 8 topics in each of 3 collections: by Bonferroni in at most 5 % of suites."""
    rng, trials, false = np.random.default_rng(5), 200, 0
    kinds = [Kind("kind", str(k), {c: np.arange(8 * k, 8 * k + 8) for c in range(3)}) for k in range(4)]
    for _ in range(trials):
        test = KindsTest([world(rng, 32, 2) for _ in range(3)], ("0", "1"), kinds)
        p = [test.compare(kind, alpha=0.05, correction="none", baseline=None).p[0] for kind in kinds]
        false += min(p) <= 0.05 / 4
    assert stats.binomtest(false, trials, 0.05, alternative="greater").pvalue > 1e-3
