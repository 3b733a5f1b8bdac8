"""Models, corrections and unbalanced splits of the partition method, against other ways to the same numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.inference.contrasts import system_differences
from irgauge.models.anova import fit
from irgauge.reading.collection import Collection
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition.split import ranked_values
from irgauge.studies.partition.study import Partitioned


@cache
def collection() -> Collection:
    """Some topics have few relevant documents."""
    return simulate(Design(systems=6, topics=15, depth=100, corpus_size=1500, seed=3)).collection()


def partitioned(**options: object) -> Partitioned:
    return ig.partition(collection(), "AP", splits=2, **options)  # type: ignore[arg-type]  # any options


@pytest.mark.parametrize("model", ["MD2", "MD4", "MD5", "MD6"])
def test_p_is_against_what_the_model_leaves(model: str) -> None:
    splits = partitioned(model=model).first.splits
    fitted = fit(ranked_values(splits.measured, splits), model)
    np.testing.assert_allclose(splits.p[0], system_differences(fitted, splits.first, splits.second).p)
    assert str(splits.fit.model) == model
    assert splits.provenance.get("model") == (None if model == "MD2" else model)


def test_what_all_systems_share_in_a_part_changes_no_difference() -> None:
    np.testing.assert_allclose(partitioned(model="MD4").first.splits.p, partitioned().first.splits.p)
    np.testing.assert_allclose(partitioned(model="MD6").first.splits.p, partitioned(model="MD5").first.splits.p)


def test_a_model_that_takes_parts_out_of_the_error_says_so() -> None:
    assert [finding.fields for finding in partitioned(model="MD5").findings().of("fixed-parts")] == [{"model": "MD5"}]
    assert not partitioned(model="MD4").findings().of("fixed-parts")
    assert not partitioned(model="MD5", drawn="topics").findings().of("fixed-parts")


@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("by", "fdr_by")])
@pytest.mark.parametrize("p", ["difference", "paper"])
def test_pairs_are_corrected_as_asked_for(ours: str, theirs: str, p: str) -> None:
    splits = partitioned(correction=ours, p=p).first.splits
    for own, adjusted in zip(splits.p, splits.p_adjusted, strict=True):
        np.testing.assert_allclose(adjusted, multipletests(own, method=theirs)[1], atol=1e-12)
    assert splits.provenance["correction"] == ours
    assert {row["correction"] for row in partitioned(correction=ours, p=p).frame().to_dicts()} == {ours}


def test_adjusted_intervals_are_those_of_the_correction() -> None:
    first = partitioned(correction="bonferroni", model="MD3").first.splits.inferences[0]
    wider = partitioned(correction="none", alpha=0.05 / 15).first.splits.inferences[0]
    np.testing.assert_allclose(first.adjusted.low, wider.plain.low)
    assert first.adjusted.name == "t, by Bonferroni's correction"


def test_topics_stay_in_splits_in_which_they_lack_a_part() -> None:
    options = {"parts": 5, "lengths_of": (5,)}
    unbalanced, dropped = partitioned(fill="unbalanced", **options), partitioned(fill="drop", **options)
    splits, fewer = unbalanced.first.splits, dropped.first.splits
    assert fewer.splits[0].dropped
    assert not splits.splits[0].dropped
    values = ranked_values(splits.measured, splits)
    kept = ~np.isnan(values).any(axis=(1, 2))
    np.testing.assert_array_equal(values[kept], ranked_values(fewer.measured, fewer))
    of_topics = np.nanmean(values, axis=2)  # topic, system
    effects = of_topics.mean(axis=0) - of_topics.mean()
    np.testing.assert_allclose(splits.inferences[0].effects, effects)
    assert "fitted by least squares" in unbalanced.provenance.text
    assert unbalanced.chart("effects").to_svg().startswith("<svg")
    assert unbalanced.chart("densities").to_svg().startswith("<svg")


def test_unbalanced_splits_of_the_papers_p() -> None:
    splits = partitioned(fill="unbalanced", parts=5, p="paper").first.splits
    assert np.isnan(splits.measured.values()).any()
    drawn = splits.bootstrap
    np.testing.assert_allclose(drawn.draws.mean(axis=1), splits.inferences[0].effects, atol=0.002)


def test_models_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(DesignError, match="MD4 has interactions of system and topic"):
        partitioned(model="MD4", interactions=False)
    with pytest.raises(DesignError, match="topics can be drawn in the model with interactions only"):
        partitioned(model="MD2", drawn="topics")
    with pytest.raises(DesignError, match="'MD7' is unknown"):
        partitioned(model="MD7")
