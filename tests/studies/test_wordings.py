"""Needs with several wordings: means and what they cover; how much they matter, against slow sums and statsmodels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.regression.mixed_linear_model import MixedLM

import irgauge as ig
from calibration.rates import assert_at_most
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.inference.tests.registry import run_test
from irgauge.inference.wordings import wording_spread

SYSTEMS = ("old", "new", "other")


def drawn(rng: np.random.Generator, counts: list[int], systems: int = 3) -> Floats:
    """values[need, system, wording]: needs, wordings of them, and both by system; NaN where there are fewer."""
    needs, most = len(counts), max(counts)
    values = rng.normal(0.5, 0.1, (needs, 1, 1)) + rng.normal(0, 0.1, (needs, 1, most))
    values = values + rng.normal(0, 0.2, (needs, systems, 1)) + rng.normal(0, 0.3, (needs, systems, most))
    for need, count in enumerate(counts):
        values[need, :, count:] = np.nan
    return values


def rows(values: Floats) -> Iterator[dict[str, Any]]:
    """A row for each score; wordings have names of their own, kinds are of needs."""
    for need, system, wording in zip(*np.nonzero(~np.isnan(values)), strict=True):
        yield {
            "topic": f"q{need}",
            "kind": "long" if need % 2 else "short",
            "paraphrase": f"q{need} put {wording}",
            "system": SYSTEMS[system],
            "score": float(values[need, system, wording]),
        }


VALUES = drawn(np.random.default_rng(3), [2, 3, 1, 4, 2, 3, 3, 2, 1, 4, 2, 2])
TABLE = pd.DataFrame(rows(VALUES))
MEANS = TABLE.groupby(["topic", "kind", "system"], as_index=False)["score"].mean()


def test_components_of_equally_many_wordings_are_those_of_reml() -> None:
    values = drawn(np.random.default_rng(8), [4] * 40, systems=2)
    d = (values[:, 0] - values[:, 1]).ravel()
    fitted = MixedLM(d, np.ones((len(d), 1)), groups=np.repeat(np.arange(40), 4)).fit(reml=True)
    spread = wording_spread(values)
    np.testing.assert_allclose([spread.of_needs, spread.of_wordings], [fitted.cov_re[0, 0], fitted.scale], rtol=1e-4)


def test_components_are_means_over_pairs_of_slow_sums() -> None:
    of_needs, of_wordings = [], []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        d = [[x for x in row if not math.isnan(x)] for row in (VALUES[:, first] - VALUES[:, second]).tolist()]
        means = [fmean(row) for row in d]
        within = sum((x - mean) ** 2 for row, mean in zip(d, means, strict=True) for x in row)
        within /= sum(len(row) - 1 for row in d)
        between = sum((mean - fmean(means)) ** 2 for mean in means) / (len(means) - 1)
        of_wordings.append(within)
        of_needs.append(between - within * fmean([1 / len(row) for row in d]))
    spread = wording_spread(VALUES)
    np.testing.assert_allclose([spread.of_needs, spread.of_wordings], [fmean(of_needs), fmean(of_wordings)], rtol=1e-9)
    assert spread.width(needs=2) == pytest.approx(math.sqrt(0.5))
    assert math.sqrt(0.5) < spread.width(wordings=2) < 1


def test_systems_are_compared_on_means_over_wordings() -> None:
    found, expected = ig.compare(TABLE, variants="paraphrase"), ig.compare(MEANS)
    np.testing.assert_allclose(found.comparison.p_adjusted, expected.comparison.p_adjusted, rtol=1e-12)
    told = found.findings().of("wordings")[0]
    assert told.fields["column"] == "paraphrase"
    np.testing.assert_allclose(told.fields["spread"].share, wording_spread(VALUES).share)
    assert not told.claims
    assert "1 to 4 wordings of a need (column paraphrase" in found.provenance.text
    assert ig.compare(TABLE, variants="paraphrase", by="kind").first.sliced
    assert ig.score(TABLE, variants="paraphrase").scores.topics == ig.score(MEANS).scores.topics


def test_a_column_may_say_whose_wording_a_topic_is(tmp_path: Path) -> None:
    topics = TABLE.assign(need=TABLE["topic"], topic=TABLE["paraphrase"]).drop(columns="paraphrase")
    by_rows, by_topics = ig.compare(TABLE, variants="paraphrase"), ig.compare(topics, variants="need")
    np.testing.assert_allclose(by_topics.comparison.p_adjusted, by_rows.comparison.p_adjusted, rtol=1e-12)
    (tmp_path / "topics.csv").write_text(topics[["topic", "need"]].drop_duplicates().to_csv(index=False))
    scores = topics[["topic", "system", "score"]]
    by_table = ig.compare(scores, topics_table=tmp_path / "topics.csv", variants="need")
    np.testing.assert_allclose(by_table.comparison.p_adjusted, by_rows.comparison.p_adjusted, rtol=1e-12)


def test_wordings_of_runs_are_topics_of_a_table() -> None:
    qrels = {topic: {"a": 1, "b": 1} for topic in ("1a", "1b", "2a", "2b", "3a")}
    good = {topic: {"a": 2.0, "x": 1.0} for topic in qrels}
    poor = {topic: {"x": 2.0, "b" if topic > "2" else "a": 1.0} for topic in qrels}
    runs = ig.load(qrels, {"good": good, "poor": poor | {"1b": {"a": 1.0, "b": 0.5}}})
    table = pd.DataFrame({"topic": list(qrels), "need": ["1", "1", "2", "2", "3"]})
    found = ig.score(runs, "AP", topics_table=table, variants="need").scores
    whole = ig.score(runs, "AP").scores.values[0, :, :, 0]
    np.testing.assert_allclose(found.values[0, :, :, 0], [whole[:2].mean(axis=0), whole[2:4].mean(axis=0), whole[4]])


def test_the_same_wordings_of_all_needs_are_said_to_be_these() -> None:
    shared = TABLE[TABLE["topic"].isin([f"q{i}" for i in (1, 3, 5, 6, 9)])]
    shared = shared.assign(paraphrase=shared["paraphrase"].str[-1]).query("paraphrase < '3'")
    assert ig.compare(shared, variants="paraphrase").findings().of("shared-wordings")
    assert not ig.compare(TABLE, variants="paraphrase").findings().of("shared-wordings")


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (MEANS, {"variants": "kind"}, None),
        (MEANS.assign(need=MEANS["topic"]), {"variants": "need"}, "each of the 12 needs has one wording"),
        (TABLE, {"variants": "wordin"}, "the column 'wordin' is unknown"),
        (TABLE.iloc[1:], {"variants": "paraphrase"}, "scores are missing on some"),
        (TABLE, {"variants": "paraphrase", "shards": "even:2"}, "leave it out"),
    ],
)
def test_what_cannot_be_averaged_is_refused(table: pd.DataFrame, options: dict[str, Any], message: str | None) -> None:
    if message is None:
        assert ig.compare(table, **options).first.whole.scores.topics == ("long", "short")
        return
    with pytest.raises((DesignError, InputError), match=message):
        ig.compare(table, **options)


def test_wordings_that_a_system_lacks_can_be_left_out() -> None:
    left = ig.compare(TABLE.iloc[1:], variants="paraphrase", missing="drop").first.whole.scores
    assert left.wordings is not None
    assert sorted(left.wordings.counts) == sorted([1, 3, 1, 4, 2, 3, 3, 2, 1, 4, 2, 2])


def test_taken_as_topics_wordings_err_too_often_and_averaged_they_do_not() -> None:
    trials, errors = 400, {"averaged": 0, "as topics": 0}
    rng = np.random.default_rng(11)
    for _ in range(trials):
        values = drawn(rng, rng.integers(1, 8, 15).tolist(), systems=2)
        means, apart = np.nanmean(values, axis=2), values.swapaxes(1, 2).reshape(-1, 2)
        apart = apart[~np.isnan(apart).any(axis=1)]
        for name, scores in (("averaged", means), ("as topics", apart)):
            errors[name] += bool(run_test("t", scores, ["a", "b"]).significant[0])
    assert_at_most(errors["averaged"], trials)
    assert errors["as topics"] > 0.08 * trials


def test_a_plan_weighs_needs_against_wordings() -> None:
    pair = TABLE[TABLE["system"] != "other"]
    found = ig.plan(pair, variants="paraphrase", difference=0.3, cost_topic=1, cost_wording=0.2)
    spread = wording_spread(VALUES[:, :2])
    components = found.first.components
    np.testing.assert_allclose(components["need:system"], spread.of_needs, rtol=1e-9)
    np.testing.assert_allclose(components["wording:system"], spread.of_wordings, rtol=1e-9)
    needed = {design.replicates: design.topics or 0 for design in found.first.designs}
    assert needed[1] > needed[3] > needed[100] > 0
    costs = [design.cost for design in found.first.designs if design.cost is not None]
    assert found.first.cheapest is not None
    assert (found.first.cheapest.cost or 0) <= min(costs)
    z = 2.8**2 / 0.3**2  # about: the variance of d̄ is to be (δ / (z_0.975 + z_0.8))²
    assert needed[1] > z * (spread.of_needs + spread.of_wordings)
    assert "wordings" in found.findings().texts()[0]


def test_costs_of_wordings_need_wordings() -> None:
    with pytest.raises(DesignError, match="a cost of wordings was given"):
        ig.plan(MEANS, difference=0.1, cost_wording=1)


def test_claims_are_for_other_needs() -> None:
    texts = ig.compare(TABLE, variants="paraphrase").findings().texts()
    assert "for other needs like these" in texts[0]
    assert not any("for other topics" in text for text in texts)
