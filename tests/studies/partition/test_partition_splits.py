"""The partition method: against draws of every residual, by hand, on stratified qrels, and on TREC-8."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.multitest import multipletests

from conftest import Golden
from irgauge import Collection, DesignError, InputError, load
from irgauge.inference.aggregation import RULES, aggregation
from irgauge.inference.intervals import MeanInterval
from irgauge.inference.tests.flips import randomization
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.unpaired_t import unpaired_t
from irgauge.models.anova import fit
from irgauge.reading.groups import read_groups
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measured, Measuring
from irgauge.replicates.shards import sharding
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import Scores, score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition.findings import findings
from irgauge.studies.partition.inferring import Drawing, Inference, infer
from irgauge.studies.partition.lengths import IntervalLengths, RelatedRuns, interval_lengths, members_of, related_runs
from irgauge.studies.partition.options import PartitionOptions
from irgauge.studies.partition.side_by_side import PairTest, SideBySide
from irgauge.studies.partition.split import Divider, DrawnSplit, ranked_values, split_of
from irgauge.studies.partition.splits import Splits, many_splits
from irgauge.studies.partition.study import Difference, OfMeasure, Overlap, Partitioned, densities, partition
from oracles.slow_residuals import bootstrap_effects, difference_error, means_of, p_value, replicates_of

Floats = NDArray[np.float64]
SEED = 4
FEW: dict[str, Any] = {"draws": 1000, "seed": SEED}
PAPER: dict[str, Any] = {"p": "paper"}
ONE_SIDED: dict[str, Any] = {**PAPER, "sides": 1}


def measured(data: Collection, measure: str = "AP", **options: Any) -> Measured:  # noqa: ANN401  # of Measuring
    return Bench(data).measured(Measuring(parse_measures([measure]), **options))


def divider(data: Collection, measure: str = "AP", **options: Any) -> Divider:  # noqa: ANN401  # of PartitionOptions
    return Divider(Bench(data), measure, PartitionOptions(measure, **options))


@cache
def simulated() -> Collection:
    """Eight systems on fifteen topics, each with a dozen relevant documents at least."""
    design = Design(
        systems=8, families=3, topics=15, depth=60, corpus_size=900, relevant_median=30, relevant_sd=0.3, seed=1
    )
    return simulate(design).collection()


@cache
def result(**options: Any) -> Splits:  # noqa: ANN401  # of partition
    return partition(simulated(), "AP", **{"splits": 3, **FEW, **options}).first.splits


def values_of(found: Splits, number: int) -> Floats:
    """AP[topic, system, part] of a split, best system first."""
    own = measured(simulated(), shards=f"die:{found.parts}", fill=found.fill, seed=SEED, number=number)
    return own.values()[:, [own.scores.systems.index(system) for system in found.systems]]


def notes(found: Splits) -> dict[str, str]:
    """What is noted of splits, by kind."""
    told = findings(Partitioned((OfMeasure(found),), None))
    return {finding.kind: finding.text for finding in told if finding.tone != "finding"}


# one split


def test_systems_are_ranked_on_the_whole_corpus() -> None:
    whole = measured(simulated()).scores
    means = dict(zip(whole.systems, whole.values[0].mean(axis=(0, 2)), strict=True))
    assert list(result().systems) == sorted(whole.systems, key=lambda system: -means[system])
    assert result().means.tolist() == pytest.approx(sorted(means.values(), reverse=True))
    pairs = list(zip(result().first, result().second, strict=True))
    assert pairs == list(combinations(range(8), 2))


@pytest.mark.parametrize("options", [{}, {"parts": 3}, {"interactions": False}, {"drawn": "topics"}], ids=str)
def test_the_papers_p_is_that_of_drawing_every_residual(options: dict[str, Any]) -> None:
    found, draws = result(**options, **ONE_SIDED, splits=1, draws=20_000), 3000
    values, interactions = values_of(found, 0), found.drawing.interactions
    slow = bootstrap_effects(values, draws, 1, interactions=interactions, topics_too="drawn" in options)
    effects, _ = means_of(values, interactions=interactions)
    inference = found.inferences[0]
    np.testing.assert_allclose(inference.effects, effects, atol=1e-12)
    for pair, (first, second) in enumerate(zip(found.first, found.second, strict=True)):
        p = inference.p[pair]
        assert inference.direction[pair] == (1 if effects[first] >= effects[second] else -1)
        assert abs(p - p_value(slow, effects, first, second)) < 5 * math.sqrt(max(p, 1e-4) * (1 - p) / draws)
    assert 0.01 < np.median(inference.p) < 0.5 or (inference.p > 0.01).any()


@pytest.mark.parametrize("options", [{}, {"parts": 3}, {"interactions": False}, {"drawn": "topics"}], ids=str)
def test_p_is_of_the_difference_of_two_systems(options: dict[str, Any]) -> None:
    found = result(**options, splits=1)
    values, inference = values_of(found, 0), found.inferences[0]
    how = {"interactions": found.drawing.interactions, "topics_too": "drawn" in options}
    for pair, (first, second) in enumerate(zip(found.first, found.second, strict=True)):
        strata = replicates_of(values, first, second, **how)
        t = np.mean([one.mean() for one in strata]) / difference_error(values, first, second, **how)
        assert inference.direction[pair] == (1 if t >= 0 else -1)
        most = 7 * sum(len(one) - 1 for one in strata)  # that all pairs together have
        least, largest = (2 * stats.t.sf(abs(t), df) for df in (most, len(strata[0]) - 1))
        assert least * 0.999 <= inference.p[pair] <= largest * 1.001
        assert inference.p[pair] == pytest.approx(2 * stats.t.sf(abs(t), found.differences.df[pair]))
    assert (inference.p > 0.01).any()


def test_no_draws_are_needed_for_p_of_the_difference() -> None:
    few, many = result(draws=1), result(draws=5000)
    np.testing.assert_array_equal(few.p_adjusted, many.p_adjusted)
    assert few.is_resolved(1e-12)
    assert (few.least_p, few.drawing.draws) == (0, 0)
    assert "draws" not in few.provenance


def test_p_of_the_paper_finds_more_pairs() -> None:
    one, two, ours = result(**ONE_SIDED), result(**PAPER), result()
    counts = [found.significant_counts().sum() for found in (ours, two, one)]
    assert counts == sorted(counts)
    assert counts[0] < counts[2]
    assert "paper-p" in notes(one)
    assert "a ranking of evidence, not an error rate" in str(one.provenance["p"])
    assert "paper-p" not in notes(ours)
    assert "ranking" not in str(ours.provenance["p"])


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.2])
def test_p_values_are_corrected_over_all_pairs(alpha: float) -> None:
    for inference, decisions in zip(result().inferences, result().decisions(alpha), strict=True):
        rejected, corrected, *_ = multipletests(inference.p, alpha, method="fdr_bh")
        np.testing.assert_allclose(inference.p_adjusted, corrected, rtol=1e-12)
        np.testing.assert_array_equal(decisions, np.where(rejected, inference.direction, 0))


def test_with_two_sides_p_is_doubled_and_then_corrected(golden: Golden) -> None:
    one, two = result(**ONE_SIDED), result(**PAPER)
    for single, double in zip(one.inferences, two.inferences, strict=True):
        expected = np.minimum(1, 2 * single.p)
        np.testing.assert_array_equal(double.p, expected)
        np.testing.assert_allclose(double.p_adjusted, multipletests(expected, 0.05, method="fdr_bh")[1], rtol=1e-12)
        np.testing.assert_array_equal(double.direction, single.direction)
        np.testing.assert_array_equal(double.plain.low, single.plain.low)
    assert (two.significant_counts() <= one.significant_counts()).all()
    assert (one.least_p, two.least_p) == (0.001, 0.002)
    golden(notes(two)["resolution"])
    assert notes(one)["resolution"] == "p-values are shares of 1,000 draws; 0 means below 0.001."
    assert ("from the data" in notes(one)["direction"], "from the data" in notes(two)["direction"]) == (True, False)
    with pytest.raises(DesignError, match="a test has 1 or 2 sides"):
        result(**PAPER, sides=3)
    with pytest.raises(DesignError, match="sides are of the paper's p"):
        result(sides=2)


@pytest.mark.parametrize("alpha", [0.05, 0.02])
def test_intervals_leave_out_what_the_paper_says(alpha: float) -> None:
    found = result(**PAPER, alpha=alpha, splits=1)
    inference, drawn = found.inferences[0], found.bootstrap.draws
    n = len(found.first)
    ordered = np.sort(inference.p)
    k = max((i for i in range(1, n + 1) if ordered[i - 1] <= i * alpha / n), default=0)
    assert 0 < k < n
    for interval, name, share in (
        (inference.plain, "percentile", alpha / 2),
        (inference.adjusted, "percentile, adjusted by k/N", alpha * k / 2 / n),
    ):
        assert (interval.name, interval.alpha, interval.population) == (name, alpha, "documents")
        left_out = math.floor(1000 * share + 1e-9)
        expected = [np.sort(own)[[left_out, -1 - left_out]] for own in drawn]
        np.testing.assert_array_equal(np.stack([interval.low, interval.high], axis=1), expected)
    assert (inference.adjusted.high - inference.adjusted.low > inference.plain.high - inference.plain.low).all()


@pytest.mark.parametrize("fill", ["redraw", "drop"])
def test_splits_say_how_they_were_drawn(fill: str) -> None:
    data = simulate(Design(systems=3, families=2, topics=12, depth=40, relevant_median=6, relevant_sd=0.2)).collection()
    found = partition(data, "AP", fill=fill, splits=4, **FEW).first.splits  # type: ignore[arg-type]  # any text
    for number, split in enumerate(found.splits):
        expected = measured(data, shards="die:2", fill=fill, seed=SEED, number=number)
        assert (split.parts, split.number, split.attempts) == (2, number, expected.attempts)
        assert split.topics == expected.scores.topics
        assert set(split.dropped) == set(data.topics) - set(split.topics)
    attempts, dropped = [one.attempts for one in found.splits], [len(one.dropped) for one in found.splits]
    assert (max(attempts) > 1, max(dropped) > 0) == (fill == "redraw", fill == "drop")


def test_topics_that_cannot_be_split_are_named_before_anything_is_drawn() -> None:
    qrels = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"a": 1, "b": 0}, "q3": {"a": 2, "b": 1, "c": 1}}
    runs = {name: {topic: {"a": 1.0, "b": 2.0, "c": i} for topic in qrels} for i, name in enumerate("xyz", 1)}
    data = load(qrels, runs)
    with pytest.raises(DesignError, match=r"fewer than 2 relevant documents are q2 \(1\); use the fill 'drop'"):
        partition(data, "AP", **FEW)
    with pytest.raises(DesignError, match=r"are q1 \(0\), q2 \(0\), q3 \(1\)"):
        partition(data, "AP(rel=2)", **FEW)


# many splits: by hand


OF_PAPER = Drawing(0.05, 0, "residuals", interactions=True, p="paper", draws=1000, sides=1)


def made(p: Sequence[Sequence[float]], directions: Sequence[Sequence[int]], rule: str = "all") -> Splits:
    """Splits of three systems with these p[split, pair]; effects go with the directions."""
    first, second = np.triu_indices(3, 1)
    inferences = []
    for own, ahead in zip(p, directions, strict=True):
        effects = np.zeros(3)
        np.add.at(effects, first, ahead)
        np.add.at(effects, second, -np.array(ahead))
        interval = MeanInterval(("a", "b", "c"), "t", effects, effects, effects, 0.05, "documents")
        inferences.append(
            Inference(effects, np.array(ahead, np.int8), np.array(own), np.array(own), interval, interval)
        )
    model = fit(np.random.default_rng(0).random((2, 3, 2)), "MD3")
    splits = tuple(DrawnSplit(2, number, 1, ("q",), ()) for number in range(len(p)))
    scores = Scores(np.zeros((1, 1, 3, 2)), parse_measures(["AP"]), ("q",), ("a", "b", "c"), ("1", "2"))
    whole = Measured(scores, Measuring(scores.measures, "die:2", "redraw"), undefined=0)
    return Splits(
        ("a", "b", "c"), np.array([0.3, 0.2, 0.1]), first, second, None, "AP", splits, tuple(inferences), model,
        whole, aggregation(rule), OF_PAPER,
    )  # fmt: skip


HAND = made(
    p=[[0.0, 0.01, 0.04], [0.02, 0.04, 0.06], [0.01, 0.5, 0.03], [0.03, 0.2, 0.3], [0.05, 0.002, 0.01]],
    directions=[[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, -1, 1], [1, 1, -1]],
)


def test_decisions_and_agreement_by_hand() -> None:
    assert HAND.decisions().tolist() == [[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0], [1, 1, -1]]
    assert HAND.significant_counts().tolist() == [3, 2, 2, 1, 3]
    assert HAND.minority().tolist() == [0, 2, 3]  # the last pair: two for a, two for neither, one for b
    assert [(str(level), level.pairs, level.share) for level in HAND.levels()] == [
        ("0:5", 1, pytest.approx(1 / 3)),
        ("1:4", 0, 0),
        ("2:3", 1, pytest.approx(1 / 3)),
        ("3:2", 1, pytest.approx(1 / 3)),
    ]
    assert HAND.disagreements() == 2
    assert HAND.opposed() == [("b", "c")]
    assert HAND.opposed(0.005) == []
    assert HAND.decisions(0.01).tolist() == [[1, 1, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 1, -1]]


@pytest.mark.parametrize(
    ("rule", "combined", "decided"),
    [
        ("all", [0.05, 1.0, 1.0], [1, 0, 0]),
        ("majority", [0.02, 0.04, 0.06], [1, 1, 0]),
        ("median-p", [0.02, 0.04, 0.06], [1, 1, 0]),
        ("twice-median", [0.04, 0.08, 0.12], [1, 0, 0]),
        ("harmonic", [0.0, 5 / (100 + 25 + 2 + 1 + 500), 5 / (25 + 100 / 6 + 100 / 3 + 10 / 3 + 1)], [1, 1, 0]),
    ],
)
def test_rules_decide_for_the_system_that_is_ahead_in_the_mean(
    rule: str, combined: list[float], decided: list[int]
) -> None:
    assert HAND.combined_p(rule).tolist() == pytest.approx(combined)
    assert HAND.decided(rule=rule).tolist() == decided


def test_a_decision_may_go_against_the_whole_corpus() -> None:
    found = made([[0.01, 0.2, 0.3]] * 3, [[-1, 1, 1]] * 3, "twice-median")
    assert found.decided().tolist() == [-1, 0, 0]
    assert found.decided(0.01).tolist() == [0, 0, 0]


@given(
    p=st.lists(st.lists(st.sampled_from([0.0, 0.03, 0.05, 0.2]), min_size=3, max_size=3), min_size=1, max_size=12),
    data=st.data(),
)
def test_levels_count_every_pair_once(p: list[list[float]], data: st.DataObject) -> None:
    orders = data.draw(st.lists(st.permutations([0, 1, 2]), min_size=len(p), max_size=len(p)))
    found = made(p, [[1 if own[a] < own[b] else -1 for a, b in ((0, 1), (0, 2), (1, 2))] for own in orders])
    decisions = found.decisions()
    minorities = Counter(len(p) - max(Counter(own.tolist()).values()) for own in decisions.T)
    assert {level.minority: level.pairs for level in found.levels() if level.pairs} == dict(minorities)
    agreed = np.abs(decisions.sum(axis=0)) == len(p)
    np.testing.assert_array_equal(found.decided(rule="all") != 0, agreed)
    most = [max(np.count_nonzero(own > 0), np.count_nonzero(own < 0)) > len(p) / 2 for own in decisions.T]
    decided = found.decided(rule="majority") != 0
    assert not (decided & ~np.array(most)).any()


def test_matrices_take_the_order_asked_for() -> None:
    square = HAND.matrix(HAND.minority())
    np.testing.assert_array_equal(square, [[np.nan, 0, 2], [0, np.nan, 3], [2, 3, np.nan]])
    turned = HAND.matrix(HAND.minority(), ["c", "a", "b"])
    np.testing.assert_array_equal(turned, [[np.nan, 2, 3], [2, np.nan, 0], [3, 0, np.nan]])


def test_draws_too_few_to_tell_are_told() -> None:
    resolved, coarse = made([[0.0, 0.0, 0.5]], [[1, 1, 1]]), made([[0.0, 0.5, 0.5]], [[1, 1, 1]])
    assert resolved.is_resolved()
    assert coarse.is_resolved()  # 1 of 3 at 0.05 is 0.017, above one in 1000
    assert not coarse.is_resolved(0.002)
    found = result(**ONE_SIDED, splits=1, draws=40, seed=0)
    assert (found.significant_counts()[0] * 0.05 / 28 >= 1 / 40) != ("few-draws" in notes(found))
    few = made([[0.0, 0.5, 0.5]], [[1, 1, 1]], "fisher")
    object.__setattr__(few, "drawing", replace(OF_PAPER, draws=41))
    assert not few.is_resolved()
    assert notes(few)["few-draws"].endswith("that 41 draws are too coarse; 60 draws resolve any number.")
    assert "no rule for all splits" in notes(made([[0.0, 0.5, 0.5]] * 2, [[1, 1, 1]] * 2))["paper-p"]


def test_rules_that_are_not_valid_are_told() -> None:
    fisher = result(aggregate="fisher")
    assert str(RULES["fisher"].warning) in notes(fisher)["rule"]
    assert "rule" not in notes(result())


# many splits: as a whole


def test_a_split_depends_on_the_seed_and_its_number_alone() -> None:
    one, two = result(workers=1), result(workers=2)
    np.testing.assert_array_equal(one.p_adjusted, two.p_adjusted)
    fewer, other = result(splits=2), result(seed=SEED + 1)
    np.testing.assert_array_equal(fewer.p_adjusted, one.p_adjusted[:2])
    assert not np.array_equal(other.p, one.p)


def test_the_papers_draws_depend_on_the_seed_and_the_split_alone() -> None:
    one, two, fewer = (result(**PAPER, workers=1), result(**PAPER, workers=2), result(**PAPER, splits=2))
    np.testing.assert_array_equal(fewer.bootstrap.draws, two.bootstrap.draws)
    for number, inference in enumerate(one.inferences):
        own = one.drawing.fit(values_of(one, number))
        np.testing.assert_array_equal(inference.p, infer(own, (2, number), one, one.drawing).p)


def test_settings_are_told() -> None:
    found = result(parts=3, aggregate="median-p", alpha=0.1, keep_systems="5", fill="drop")
    assert (found.measure, len(found.systems), len(found.first), found.parts) == ("AP", 5, 10, 3)
    assert (found.rule.name, found.alpha, found.fill) == ("median-p", 0.1, "drop")
    assert found.provenance["keep_systems"] == "5"
    assert (found.drawing.p, found.drawing.seed, found.population) == ("difference", SEED, "documents")
    assert result(drawn="topics").population == "both"
    assert found.systems == result().systems[:5]


def test_drawing_topics_too_finds_fewer_pairs() -> None:
    documents, both = (result(drawn=one).significant_counts().sum() for one in ("residuals", "topics"))
    assert 0 < both < documents


def test_progress_is_told_for_every_split() -> None:
    told: list[tuple[int, int]] = []
    asked: dict[str, Any] = {"splits": 3, "draws": 100, "progress": lambda done, total: told.append((done, total))}
    partition(simulated(), ["AP", "P@5"], **asked)
    assert told == [(done, 6) for done in range(1, 7)]


def test_the_density_of_the_difference_of_two_systems() -> None:
    found = result()
    first, second = found.systems[2], found.systems[3]
    shown = densities(found, second, first)
    assert isinstance(shown, Difference)
    pair = found.place(first, second)
    assert shown.difference == pytest.approx(abs(found.inferences[0].effects[2] - found.inferences[0].effects[3]))
    assert shown.p == found.p[0, pair]
    assert {shown.better, shown.worse} == {first, second}
    assert (shown.better == first) == (found.directions[0, pair] > 0)
    beyond = shown.at <= 0
    assert np.trapezoid(shown.density[beyond], shown.at[beyond]) == pytest.approx(shown.p / 2, abs=0.01)
    assert shown.at[0] < 0 < shown.difference < shown.at[-1]


def test_the_papers_densities_of_two_systems() -> None:
    found = result(**ONE_SIDED, draws=4000)
    better, worse = found.systems[2], found.systems[3]
    overlap = densities(found, worse, better)
    assert isinstance(overlap, Overlap)
    effects = found.inferences[0].effects
    assert {overlap.better, overlap.worse} == {better, worse}
    assert overlap.effects == (max(effects[2:4]), min(effects[2:4]))
    pair = [found.systems.index(name) for name in (overlap.better, overlap.worse)]
    row = next(i for i, ends in enumerate(zip(found.first, found.second, strict=True)) if set(ends) == set(pair))
    assert overlap.p == found.inferences[0].p[row]
    beyond = overlap.at >= overlap.effects[0]
    assert np.trapezoid(overlap.densities[1][beyond], overlap.at[beyond]) == pytest.approx(overlap.p, abs=0.02)
    assert overlap.mean == pytest.approx(values_of(found, 0).mean())
    with pytest.raises(DesignError, match="the system 'x' is unknown"):
        densities(found, "x", better)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"splits": 0}, "0 splits are not possible"),
        ({"parts": 1}, "1 parts are no partition; ask for at least 2"),
        ({"fill": "zero"}, "the fill 'zero' is not possible; scores are not filled in"),
        ({"aggregate": "mean"}, "the rule 'mean' is unknown"),
        ({"p": "paper", "draws": 39}, "39 draws cannot resolve alpha 0.05.* at least 40; 10000 are usual"),
        ({"p": "paper", "draws": 199, "alpha": 0.01}, "at least 200;"),
        ({"p": "differences"}, "the p 'differences' is unknown; did you mean 'difference'"),
        ({"drawn": "systems"}, "the kind of draws 'systems' is unknown"),
        ({"drawn": "topics", "interactions": False}, "topics can be drawn in the model with interactions only"),
        ({"keep_systems": "1"}, "a pair is two systems, and there is 1"),
        ({"parts": 50}, "no split into 50 parts gives every topic a relevant document in every part"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        partition(simulated(), "AP", **{"splits": 1, "draws": 100, **given})


# lengths of intervals


def test_lengths_by_parts_and_model() -> None:
    found = interval_lengths(divider(simulated(), **FEW), (2, 3))
    assert isinstance(found, IntervalLengths)
    kinds = [(one.split.parts, one.interactions) for one in found.models]
    assert kinds == [(2, False), (2, True), (3, False), (3, True)]
    for one in found.models:
        for told, interval in zip(one.lengths, (one.plain, one.adjusted), strict=True):
            lengths = [high - low for low, high in zip(interval.low, interval.high, strict=True)]
            assert told.interval == interval.name
            assert (told.mean, told.shortest, told.longest) == pytest.approx(
                (np.mean(lengths), min(lengths), max(lengths))
            )
    assert found.models[1].lengths[0].mean < found.models[0].lengths[0].mean
    same = result(splits=1).inferences[0]  # the same split, model and draws
    np.testing.assert_array_equal(found.models[1].adjusted.low, same.adjusted.low)
    topics = interval_lengths(divider(simulated(), drawn="topics", **FEW), (2,))
    assert [one.interactions for one in topics.models] == [True]
    assert topics.population == "both"


@pytest.mark.parametrize("draws", [1000, 10_000, 90_000])
def test_the_papers_lengths_leave_a_hundredth_of_the_draws_out(draws: int) -> None:
    """α k/N per cent on each side: 0, 4 and 37 draws here, counted from all draws; p has two sides if not asked for."""
    found = result(**PAPER, splits=1, draws=draws)
    inference, drawn = found.inferences[0], found.bootstrap.draws  # system, draw
    doubled = np.minimum(1, 2 * result(**ONE_SIDED, splits=1, draws=draws).inferences[0].p)
    k = np.count_nonzero(stats.false_discovery_control(doubled) <= 0.05)
    left_out = int(draws * 0.05 * k / len(doubled) / 100)
    kept = np.sort(drawn)[:, left_out : draws - left_out]
    assert inference.printed is not None
    np.testing.assert_array_equal(inference.printed.low, kept.min(axis=1))
    np.testing.assert_array_equal(inference.printed.high, kept.max(axis=1))
    lengths = [interval.length.mean() for interval in (inference.plain, inference.adjusted, inference.printed)]
    assert lengths == sorted(lengths)
    assert result(splits=1).inferences[0].printed is None


# tests side by side


@cache
def side_by_side() -> SideBySide:
    found = partition(simulated(), "AP", splits=3, tests=True, **FEW).first.tests
    assert found is not None
    return found


def test_tests_side_by_side_are_those_by_themselves() -> None:
    found, scores = side_by_side(), measured(simulated()).scores
    values, systems = scores.values[0, :, :, 0], scores.systems
    alone = {
        "unpaired t": unpaired_t(values, systems),
        "paired t": paired_t(values, systems),
        "randomization, one-sided": randomization(values, systems, draws=1000, seed=SEED, sides=1),
        "randomization, two-sided": randomization(values, systems, draws=1000, seed=SEED, sides=2),
    }
    for name, comparison in alone.items():
        test = found.test(name)
        assert comparison.systems == found.systems
        np.testing.assert_allclose(test.p_adjusted, comparison.p_adjusted, rtol=1e-9)
        assert (test.population, test.correction, set(test.direction.tolist())) == ("topics", "none", {1})
    for parts in (2, 3):
        split = result(parts=parts, splits=1).inferences[0]
        np.testing.assert_array_equal(found.test(f"{parts} parts").p_adjusted, split.p_adjusted)
        np.testing.assert_array_equal(found.test(f"{parts} parts").direction, split.direction)
    many = found.test("3 splits of 2 parts, all")
    assert (many.population, many.correction) == ("documents", "bh")
    np.testing.assert_array_equal(many.decisions(0.05), result().decided())
    with pytest.raises(DesignError, match="the test 't' is unknown"):
        found.test("t")


@pytest.mark.parametrize("parts", [2, 3])
def test_md6_stands_beside_the_splits_it_is_of(parts: int) -> None:
    found = side_by_side()
    divider = Divider(Bench(simulated()), "AP", PartitionOptions("AP", splits=3, **FEW))
    y = ranked_values(divider.divided(parts, 0), divider.pairs)  # topic, system, part
    rest = y - sum(y.mean(axis=axis, keepdims=True) for axis in range(3)) - y.mean()
    rest += sum(y.mean(axis=axes, keepdims=True) for axes in combinations(range(3), 2))
    df = math.prod(n - 1 for n in y.shape)
    se = math.sqrt((rest**2).sum() / df / (y.shape[0] * parts))
    means = y.mean(axis=(0, 2))
    d = np.array([means[a] - means[b] for a, b in zip(found.first, found.second, strict=True)])
    by_t, by_range = found.test(f"MD6 on {parts} parts, BH"), found.test(f"MD6 on {parts} parts, Tukey")
    p = 2 * stats.t.sf(np.abs(d) / (math.sqrt(2) * se), df)
    np.testing.assert_allclose(by_t.p_adjusted, multipletests(p, method="fdr_bh")[1], rtol=1e-8)
    expected = stats.studentized_range.sf(np.abs(d) / se, len(means), df)
    np.testing.assert_allclose(by_range.p_adjusted, expected, rtol=1e-5, atol=1e-9)
    assert by_t.direction.tolist() == np.where(d >= 0, 1, -1).tolist()


def test_no_model_of_shards_where_topics_lack_a_part() -> None:
    options: dict[str, Any] = FEW | {"splits": 1, "fill": "unbalanced", "tests_of": (12, 2)}
    divider = Divider(Bench(simulated()), "AP", PartitionOptions("AP", **options))
    is_whole = [not np.isnan(ranked_values(divider.divided(n, 0), divider.pairs)).any() for n in (2, 12)]
    assert is_whole == [True, False]
    tests = partition(simulated(), "AP", **options).first.tests
    assert tests is not None
    assert [test.parts for test in tests.of_kind("model")] == [2, 2]


def test_counts_of_tests_side_by_side() -> None:
    found = side_by_side()
    assert [(one.test, one.alpha) for one in found.counts()] == [
        (test.name, alpha) for test in found.tests for alpha in (0.05, 0.01)
    ]
    for one in found.counts():
        assert one.significant == (found.test(one.test).p_adjusted <= one.alpha).sum()
        assert one.share == one.significant / 28
    names = ["unpaired t", "2 parts", "3 parts"]
    expected = [
        sum(2**i for i, name in enumerate(names) if found.test(name).p_adjusted[pair] <= 0.05) for pair in range(28)
    ]
    assert found.rejected_by(names, 0.05).tolist() == expected
    assert len(set(expected)) > 2


def test_conflicts_between_tests_by_hand() -> None:
    signs = [[1, 1, 1], [1, -1, -1], [-1, -1, 1]]
    p = [[0.01, 0.01, 0.01], [0.01, 0.01, 0.2], [0.06, 0.05, 0.01]]
    tests = [
        PairTest(name, name, name, "topics", None, "none", "topics", np.array(own), np.array(sign, np.int8))
        for name, own, sign in zip("xyz", p, signs, strict=True)
    ]
    ranking = {name: getattr(HAND, name) for name in ("systems", "means", "first", "second", "baseline", "measure")}
    found = SideBySide(**ranking, tests=tuple(tests), many=HAND, levels=(0.05,), draws=10)
    assert found.conflicts(0.05) == [("a", "c", "x", "y"), ("a", "c", "x", "z")]
    assert found.conflicts(0.04) == [("a", "c", "x", "y")]
    assert found.rejected_by(["x", "z"], 0.05).tolist() == [1, 3, 3]


def test_too_few_draws_for_the_lower_level_are_refused() -> None:
    with pytest.raises(DesignError, match=r"199 draws cannot resolve alpha 0\.01"):
        partition(simulated(), "AP", splits=1, draws=199, tests=True, **PAPER)


@pytest.mark.parametrize("option", ["tests_of", "lengths_of"])
@pytest.mark.parametrize("wrong", [(), (2, 2)])
def test_numbers_of_parts_are_asked_for_once(option: str, wrong: tuple[int, ...]) -> None:
    with pytest.raises(DesignError, match="name at least one, and none twice"):
        PartitionOptions("AP", **{option: wrong})  # type: ignore[arg-type]  # one of its options


def test_the_numbers_of_parts_begin_with_that_of_the_splits() -> None:
    assert PartitionOptions(tests=True).tested_parts == (2, 3)
    assert PartitionOptions(parts=3, tests=True).tested_parts == (3, 2)
    assert PartitionOptions(parts=4, tests_of=(4,)).tested_parts == (4,)
    assert PartitionOptions().tested_parts == PartitionOptions().measured_parts == ()
    assert PartitionOptions(lengths=True).measured_parts == (2, 3, 5)
    assert PartitionOptions(lengths_of=(4,)).measured_parts == (4,)


# related runs


def groups() -> dict[str, str]:
    names = simulated().systems
    return {names[0]: "one", names[3]: "one", names[5]: "one", names[1]: "two", names[2]: "two"}


@cache
def related(**options: Any) -> RelatedRuns:  # noqa: ANN401  # of related_runs
    found = partition(simulated(), "AP", splits=1, groups=groups(), **{**FEW, **options}).first.related
    assert found is not None
    return found


def test_models_within_groups_know_their_systems_alone() -> None:
    found = related(**ONE_SIDED, draws=20_000)
    assert {name: set(own) for name, own in found.groups.items()} == {
        name: {system for system, group in groups().items() if group == name} for name in ("one", "two")
    }
    assert [(group, {a, b}) for group, a, b in found.pairs] == [
        (group, set(pair)) for group, own in found.groups.items() for pair in combinations(own, 2)
    ]
    values, systems = values_of(result(), 0), result().systems
    row = 0
    for own in found.groups.values():
        few = values[:, [systems.index(system) for system in own]]
        slow = bootstrap_effects(few, 3000, 1, interactions=True)
        p = [p_value(slow, means_of(few, interactions=True)[0], a, b) for a, b in combinations(range(len(own)), 2)]
        corrected = multipletests(p, 0.05, method="fdr_bh")[1]
        np.testing.assert_allclose(found.p_adjusted_within[row : row + len(p)], corrected, atol=0.06)
        row += len(p)
    assert row == len(found.pairs) == 4


@pytest.mark.parametrize("options", [{}, PAPER], ids=str)
def test_the_model_across_is_that_of_all_systems(options: dict[str, Any]) -> None:
    found, whole = related(**options), result(**options, splits=1)
    place = {frozenset((whole.systems[a], whole.systems[b])): i
             for i, (a, b) in enumerate(zip(whole.first, whole.second, strict=True))}  # fmt: skip
    rows = [place[frozenset(pair[1:])] for pair in found.pairs]
    np.testing.assert_array_equal(found.p_adjusted_across, whole.inferences[0].p_adjusted[rows])
    np.testing.assert_array_equal(found.across, whole.decisions()[0][rows])
    assert found.systems == 8


def test_agreement_and_lengths_of_related_runs() -> None:
    found = related()
    assert sum(found.outcomes().values()) == len(found.pairs)
    agreeing = sum(a == b for a, b in zip(found.across.tolist(), found.within.tolist(), strict=True))
    assert found.agreeing == agreeing == found.outcomes()["both"] + found.outcomes()["neither"]
    assert [(one.model, one.interactions) for one in found.lengths] == [
        ("across", False), ("within", False), ("across", True), ("within", True)
    ]  # fmt: skip
    own = divider(simulated(), **FEW)
    divided, ranking = own.divided(2, 0), own.pairs
    assert split_of(divided) == found.split
    drawing = Drawing(0.05, SEED, "residuals", interactions=True)
    drawn = infer(drawing.fit(ranked_values(divided, ranking)), (2, 0), ranking, drawing)
    members = [ranking.systems.index(system) for own in found.groups.values() for system in own]
    spans = (drawn.plain.high - drawn.plain.low)[members]
    assert found.lengths[2].plain == pytest.approx(spans.mean())
    for one in found.lengths:
        assert 0 < one.plain <= one.adjusted


def test_groups_are_read_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "groups.txt"
    path.write_text("".join(f"{system}\t{group}\n" for system, group in groups().items()))
    assert read_groups(path) == groups()
    path.write_text("a\n")
    with pytest.raises(InputError):
        read_groups(path)

    def refused(given: dict[str, str], message: str, **options: Any) -> None:  # noqa: ANN401  # passed on
        with pytest.raises(DesignError, match=message):
            partition(simulated(), "AP", groups=given, **FEW, **options)

    refused({**groups(), "zz": "one", "yy": "two"}, r"2 systems \(yy, zz\) that are not among the runs")
    alone = {**groups(), simulated().systems[4]: "three"}
    refused(alone, r"makes 1 group \(three\)")
    refused({}, "no group has two systems")
    refused({simulated().systems[4]: "three"}, "no group has two systems", skip_singles=True)
    left = related_runs(divider(simulated(), **FEW), members_of(alone, simulated().systems, skip_singles=True))
    assert left.groups == related().groups
    path.write_text("".join(f"{system} {group}\n" for system, group in groups().items()))
    assert members_of(path, simulated().systems) == members_of(groups(), simulated().systems)


# inferred measures on stratified qrels


def stratified(folder: Path, share: float) -> tuple[Collection, list[tuple[str, str, int, int]], dict[str, Any]]:
    """A collection whose pool has three strata; of each stratum but the first only a share is judged."""
    rng = np.random.default_rng(6)
    docs = [f"d{i:03}" for i in range(150)]
    topics = [f"q{i}" for i in range(8)]
    rows = []
    for topic in topics:
        for i, doc in enumerate(docs):
            grade = int(rng.random() < 0.4)
            stratum = 1 + i // 50
            rows.append((topic, doc, stratum, grade if stratum == 1 or rng.random() < share else -1))
    truth = {(topic, doc): grade for topic, doc, _, grade in rows}
    runs = {
        name: {t: {d: rng.random() + quality * truth[t, d] for d in docs} for t in topics}
        for name, quality in zip("abcd", (0.1, 0.2, 0.4, 0.6), strict=True)
    }
    path = folder / "qrels.txt"
    path.write_text("".join(f"{t} 0 {d} {s} {g}\n" for t, d, s, g in rows))
    return load(path, runs), rows, runs


@pytest.mark.parametrize("measure", ["infAP", "xinfAP"])
def test_inferred_measures_keep_strata_in_every_part(measure: str, tmp_path: Path) -> None:
    data, rows, runs = stratified(tmp_path, 0.5)
    found = partition(data, measure, splits=2, **FEW).first.splits
    assert found.measure == measure
    assert np.isfinite(found.p_adjusted).all()
    assert (found.p_adjusted <= 0.05).any()
    own = divider(data, measure, **FEW)
    divided, ranking = own.divided(2, 0), own.pairs
    values, attempt = ranked_values(divided, ranking), divided.attempts - 1
    labels = sharding(data, "die:2").split(SEED, *((0,) if attempt == 0 else (0, attempt))).labels
    part_of = dict(zip(data.docnos, labels, strict=True))
    for part in (0, 1):
        path = tmp_path / f"part{part}.txt"
        path.write_text("".join(f"{t} 0 {d} {s} {g}\n" for t, d, s, g in rows if part_of[d] == part))
        parts = {
            name: {t: {d: x for d, x in scores.items() if part_of[d] == part} for t, scores in run.items()}
            for name, run in runs.items()
        }
        alone = score(load(path, parts), [measure])
        columns = [alone.systems.index(system) for system in ranking.systems]
        np.testing.assert_allclose(values[:, :, part], alone.values[0, :, columns, 0].T, rtol=1e-12)


def test_xinfap_on_complete_judgments_is_ap_in_every_part(tmp_path: Path) -> None:
    data, *_ = stratified(tmp_path, 1.1)
    exact, inferred = (divider(data, measure, **FEW).divided(2, 0).values() for measure in ("AP", "xinfAP"))
    np.testing.assert_allclose(inferred, exact, atol=1e-4)


def test_xinfap_of_repeated_samples_is_ap_in_their_mean(tmp_path: Path) -> None:
    """Every topic is one more stratified sample of the same complete pool, in the same two parts."""
    rng, samples = np.random.default_rng(9), 400
    docs = [f"d{i:03}" for i in range(300)]
    strata = np.repeat([1, 2, 3], 100)
    grades = (rng.random(300) < np.array([0.5, 0.3, 0.2])[strata - 1]).astype(int)
    scores = dict(zip(docs, (2.0 * grades - strata + 2 * rng.random(300)).tolist(), strict=True))
    shares = np.array([1.0, 0.7, 0.5])[strata - 1]
    lines = []
    for topic in range(samples):
        kept = rng.random(300) < shares
        lines += [
            f"q{topic} 0 {doc} {stratum} {grade if judged else -1}\n"
            for doc, stratum, grade, judged in zip(docs, strata, grades, kept, strict=True)
        ]
    path = tmp_path / "qrels"
    path.write_text("".join(lines))
    data = load(path, {"run": {f"q{topic}": scores for topic in range(samples)}})
    complete = load({"q0": dict(zip(docs, grades.tolist(), strict=True))}, {"run": {"q0": scores}})
    shards = sharding(data, "die:2").split(SEED)
    inferred = score(data, ["xinfAP"], shards).values[0, :, 0]  # topic, part
    assert complete.docnos.equals(data.docnos)
    exact = score(complete, ["AP"], shards).values[0, 0, 0]  # part
    error = inferred.std(axis=0, ddof=1) / math.sqrt(samples)
    assert error.max() < 0.005
    assert (np.abs(inferred.mean(axis=0) - exact) < 4 * error + 0.002).all()  # it is a ratio of estimates


# TREC-8: Voorhees, Samarov and Soboroff (2017), Tables 3 to 6, with the draws of the paper


def test_published_counts_side_by_side(trec8_runs: Collection) -> None:
    found = partition(trec8_runs, "AP", seed=1, tests=True, **PAPER).first.tests
    assert found is not None
    counts = {(one.test, one.alpha): one.significant for one in found.counts()}
    assert (counts["unpaired t", 0.05], counts["paired t", 0.05]) == (4164, 5982)
    assert counts["unpaired t", 0.01] == pytest.approx(3437, abs=1)
    assert counts["randomization, one-sided", 0.05] == pytest.approx(6325, rel=0.01)
    assert counts["randomization, one-sided", 0.01] == pytest.approx(5571, rel=0.01)
    assert counts["11 splits of 2 parts, all", 0.05] == pytest.approx(7152, abs=60)  # as printed
    assert 0.055 <= found.many.disagreements() / 8256 <= 0.09
    assert found.many.opposed() == []
    assert [one.attempts for one in found.many.splits] == [1] * 11
    assert found.conflicts(0.05) == []


@pytest.mark.parametrize(("parts", "printed"), [(2, 7510), (3, 7413)])
def test_published_counts_over_twenty_splits(trec8_runs: Collection, parts: int, printed: int) -> None:
    found = many_splits(divider(trec8_runs, parts=parts, splits=20, seed=2, **PAPER))
    counts = found.significant_counts()
    assert abs(counts.mean() - printed) < 1.5 * counts.std(ddof=1)  # printed is that of one split
    assert found.is_resolved()


def test_lengths_of_intervals_fall_with_interactions(trec8_runs: Collection) -> None:
    found = interval_lengths(divider(trec8_runs, fill="drop", seed=1, **PAPER), (2, 3, 5))
    plain = {(one.split.parts, one.interactions): one.lengths[0].mean for one in found.models}
    printed = [one.lengths[2].mean for one in found.models if not one.interactions]  # with them splits vary more
    np.testing.assert_allclose(printed, [0.088, 0.078, 0.069], rtol=0.1)
    for parts in (2, 3, 5):
        assert plain[parts, True] < 0.75 * plain[parts, False]
    assert plain[2, False] > plain[3, False] > plain[5, False]


def test_related_runs_mostly_agree(trec8_runs: Collection, trec8: Path) -> None:
    members = members_of(trec8 / "groups.txt", trec8_runs.systems, skip_singles=True)
    found = related_runs(divider(trec8_runs, parts=3, draws=1000, seed=1, **PAPER), members)
    assert found.agreeing / len(found.pairs) == pytest.approx(0.95, abs=0.03)
    length = {(one.model, one.interactions): one.plain for one in found.lengths}
    for interactions in (False, True):
        assert length["within", interactions] < length["across", interactions]
    for model in ("across", "within"):
        assert length[model, True] < length[model, False]
