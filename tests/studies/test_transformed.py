"""Studies of transformed scores: the same answers as of scores that are transformed before, and what survives."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.models.checks import normal_quantiles
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import Measure
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.survival import NOT_SIGNIFICANT


@pytest.fixture(scope="module")
def runs() -> Bench:
    return Bench(simulate(Design(systems=8, topics=20, depth=100, corpus_size=2000)).collection())


def arcsine_before(runs: Bench, shards: str | None = None) -> ig.Scores:
    """A table of scores that are filled and transformed by hand."""
    scores = ig.measure(runs, "AP", shards=shards).scores
    named = (Measure.opaque("arcsine(AP)"),)
    return replace(scores, values=np.arcsin(np.sqrt(scores.values)), measures=named)


def test_score_is_of_the_transformed_scores(runs: Bench) -> None:
    means = {mean.system: mean.mean for mean in ig.score(runs, "AP", transform="arcsine").means}
    table = arcsine_before(runs)
    expected = dict(zip(table.systems, table.values[0].mean(axis=(0, 2)).tolist(), strict=True))
    assert means == pytest.approx(expected)


def test_undefined_scores_are_filled_before(runs: Bench) -> None:
    table = ig.Scores.from_frame(ig.score(runs, "AP").scores.frame())
    table.values[0, 0] = np.nan  # for all systems: undefined
    result = ig.score(table, transform="z-empirical", fill="zero")
    assert np.all(result.values[0, 0] == 1.0)  # all zeros are the same
    assert result.provenance["undefined"] == len(table.systems)
    assert "transform" in result.as_data().source


def test_compare_is_of_the_transformed_scores(runs: Bench) -> None:
    result = ig.compare(runs, "AP", transform="arcsine", test="t", correction="none")
    table = ig.compare(arcsine_before(runs), test="t", correction="none")
    assert result.measures == ("arcsine(AP)",)
    np.testing.assert_allclose(result.comparison.p, table.comparison.p)
    assert result.provenance["transform"] == "arcsine"
    assert "asin √y" in result.provenance.text


def signs(whole: ig.Scores) -> dict[str, float]:
    """Pair -> the sign of its difference, where scipy's t-test finds one."""
    found = {}
    for a, b in combinations(np.argsort(whole.systems), 2):
        test = stats.ttest_rel(whole.values[0, :, a, 0], whole.values[0, :, b, 0])
        found[f"{whole.systems[a]} and {whole.systems[b]}"] = np.sign(test.statistic) * (test.pvalue <= 0.05)
    return found


def test_what_survives_is_counted_on_both_scales(runs: Bench) -> None:
    result = ig.compare(runs, "AP", transform="ranks", test="t", correction="none", shards="even:2")
    before, after = signs(ig.score(runs, "AP").scores), signs(ig.score(runs, "AP", transform="ranks").scores)
    changed = {pair for pair, sign in before.items() if sign != after[pair]}
    survival = result.first.survivals[0]
    assert {change.of for change in survival.changed} == changed
    assert changed
    assert survival.conclusions == 28
    told = result.findings().of("survives-transform")
    assert [finding.claims for finding in told] == [()]
    assert told[0].fields["same"]["topics"] == 28 - len(changed)
    assert "survival" in [table.name for table in result.tables()]


def test_anova_and_effects_are_of_the_transformed_scores(runs: Bench) -> None:
    analysed = ig.anova(runs, "AP", transform="arcsine", shards="even:3")
    table = ig.anova(arcsine_before(runs, "even:3"))
    assert [row.ss for row in analysed.rows] == pytest.approx([row.ss for row in table.rows])
    sizes = ig.effects(runs, "AP", transform="arcsine", shards="even:3")
    assert [effect.omega2 for effect in sizes.effects] == pytest.approx([row.omega2 for row in table.rows])
    plain = ig.anova(runs, "AP", shards="even:3")
    kinds = [
        {row.source: row.size if row.p <= 0.05 else NOT_SIGNIFICANT for row in each.rows} for each in (analysed, plain)
    ]
    changed = {source for source in kinds[0] if kinds[0][source] != kinds[1][source]}
    assert analysed.survival is not None
    assert {change.of for change in analysed.survival.changed} == changed
    assert {change.of for change in sizes.survivals[0].changed} == {f"{source} (even:3)" for source in changed}


def test_standardised_topics_do_not_differ(runs: Bench) -> None:
    assert ig.anova(runs, "AP", transform="z", shards="even:3").row("topic").p == pytest.approx(1.0)


def test_a_margin_is_one_of_the_scale(runs: Bench) -> None:
    with pytest.raises(DesignError, match="give a difference on that scale"):
        ig.compare(runs, "AP", transform="z", baseline=runs.systems[0], margin="2%")
    result = ig.compare(runs, "AP", transform="z", baseline=runs.systems[0], margin=0.2)
    assert result.first.margin == 0.2
    with pytest.raises(DesignError, match="bounded needs scores whose least and largest"):
        ig.compare(runs, "AP", transform="arcsine", test="bounded")


def test_measured_scores_are_transformed_once(runs: Bench) -> None:
    measured = ig.measure(runs, "AP", transform="logit")
    assert ig.score(measured).measures == (Measure.opaque("logit(AP)"),)
    assert ig.compare(measured).provenance["transform"] == "logit"
    with pytest.raises(DesignError, match="measured already"):
        ig.compare(measured, transform="z")


def test_quantiles_of_residuals_are_those_of_scipy() -> None:
    residuals = np.random.default_rng(1).exponential(size=50)
    (normal, ordered), _ = stats.probplot(residuals)
    found = normal_quantiles(residuals, 10_000)
    np.testing.assert_allclose(found.residual, ordered / residuals.std())
    np.testing.assert_allclose(found.normal, stats.norm.ppf((np.arange(50) + 0.5) / 50))
    assert np.corrcoef(found.normal, normal)[0, 1] > 0.999
    few = normal_quantiles(np.random.default_rng(2).normal(size=100_000), 60)
    assert len(few.normal) <= 60
    assert few.residual[0] == min(few.residual)
