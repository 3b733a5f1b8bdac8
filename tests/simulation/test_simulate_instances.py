"""Simulated instances: scores by eq. 3, runs with their manifest, and their truth."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import load
from irgauge.replicates.instances import score_instances
from irgauge.replicates.labels import labelling
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.simulation.instances import (
    BASELINE,
    InstanceDesign,
    InstanceTruth,
    simulate_instances,
    true_instances,
)
from irgauge.simulation.truth import true_means
from oracles.sameness import assert_same
from oracles.simulated_scores import Effects, simulate_scores

EFFECTS = Effects(("a", "b"), (0.5, 0.4), topic_sd=0.2, topic_algorithm_sd=0.1, instance_sd=0.05, residual_sd=0.07)
BASE = Design(systems=1, families=1, topics=8, depth=30, corpus_size=300, relevant_median=6, pool_depth=10, seed=3)
SMALL = InstanceDesign(instances=3, rates=(0.5, 4), collection=BASE)

STUDY = replace(BASE, topics=40)
SPREAD = replace(SMALL, instance_sd=0.15)  # instances that differ so much that few studies tell

Floats = NDArray[np.float64]


def components(x: Floats) -> dict[str, float]:
    """ANOVA estimators of eq. 3 from balanced x[algorithm, instance, topic], by sums of squares."""
    a, m, n = x.shape
    grand, by_a, by_t = x.mean(), x.mean(axis=(1, 2)), x.mean(axis=(0, 1))
    by_at, by_am = x.mean(axis=1), x.mean(axis=2)
    ms_t = a * m * ((by_t - grand) ** 2).sum() / (n - 1)
    ms_at = m * ((by_at - by_a[:, None] - by_t + grand) ** 2).sum() / ((a - 1) * (n - 1))
    ms_m = n * ((by_am - by_a[:, None]) ** 2).sum() / (a * (m - 1))
    ms_e = ((x - by_at[:, None] - by_am[:, :, None] + by_a[:, None, None]) ** 2).sum() / (a * (m - 1) * (n - 1))
    return {
        "topic": (ms_t - ms_at) / (a * m),
        "topic_algorithm": (ms_at - ms_e) / m,
        "instance": (ms_m - ms_e) / n,
        "residual": ms_e,
    }


# scores


def test_scores_have_the_components_they_were_drawn_with() -> None:
    draws = [simulate_scores(EFFECTS, topics=40, instances=20, seed=seed).cells() for seed in range(300)]
    found = [components(cells.reshape(2, 20, 40)) for cells in draws]
    for name, sd in (("topic", 0.2), ("topic_algorithm", 0.1), ("instance", 0.05), ("residual", 0.07)):
        values = np.array([one[name] for one in found])
        assert abs(values.mean() - sd**2) < 4 * stats.sem(values)
        assert stats.sem(values) < 0.05 * sd**2
    means = np.array([cells.reshape(2, -1).mean(axis=1) for cells in draws])
    assert (np.abs(means.mean(axis=0) - EFFECTS.means) < 4 * stats.sem(means)).all()


def test_a_deterministic_algorithm_has_one_instance_without_noise() -> None:
    silent = replace(EFFECTS, deterministic=("a",), topic_sd=0.0, topic_algorithm_sd=0.0)
    scores = simulate_scores(silent, topics=6, instances=4)
    assert scores.instances == ("1", "1", "2", "3", "4")
    assert scores.deterministic == ("a",)
    np.testing.assert_array_equal(scores.cells()[0], 0.5)
    assert len(np.unique(scores.cells()[1:])) == 24


def test_each_effect_varies_over_what_it_belongs_to() -> None:
    none: dict[str, Any] = dict.fromkeys(("topic_sd", "topic_algorithm_sd", "instance_sd", "residual_sd"), 0.0)

    def centred(name: str) -> Floats:
        cells = simulate_scores(replace(EFFECTS, **{**none, name: 1.0}), topics=5, instances=3).cells()
        return np.asarray(cells.reshape(2, 3, 5) - np.array(EFFECTS.means)[:, None, None])

    x = centred("topic_sd")
    np.testing.assert_allclose(x, np.broadcast_to(x[0, 0], x.shape))
    x = centred("topic_algorithm_sd")
    np.testing.assert_allclose(x, np.broadcast_to(x[:, :1], x.shape))
    assert not np.allclose(x[0], x[1])
    x = centred("instance_sd")
    np.testing.assert_allclose(x, np.broadcast_to(x[:, :, :1], x.shape))
    assert len(np.unique(x[:, :, 0].round(12))) == 6
    assert len(np.unique(centred("residual_sd"))) == 30


def test_scores_depend_on_the_seed_alone() -> None:
    one, other = (simulate_scores(EFFECTS, seed=seed) for seed in (7, np.random.default_rng(7)))
    np.testing.assert_array_equal(one.scores, other.scores)
    assert (simulate_scores(EFFECTS, seed=8).scores != one.scores).all()


def test_algorithms_may_differ_in_their_number_of_instances() -> None:
    scores = simulate_scores(EFFECTS, instances=[2, 5], topics=3)
    assert scores.instance_counts.tolist() == [2, 5]
    assert scores.missing == 0


@pytest.mark.parametrize("missing", [0.01, 0.3, 0.7])
def test_a_share_of_the_cells_is_missing(missing: float) -> None:
    for seed in range(20):
        whole, part = (simulate_scores(EFFECTS, topics=20, instances=5, missing=m, seed=seed) for m in (0.0, missing))
        assert part.missing == round(missing * 200)
        present = ~np.isnan(part.cells())
        assert present.any(axis=0).all()
        assert present.any(axis=1).all()
        np.testing.assert_array_equal(part.cells()[present], whole.cells()[present])


def test_every_cell_is_missing_about_as_often() -> None:
    draws = (simulate_scores(EFFECTS, topics=8, instances=4, missing=0.2, seed=seed).cells() for seed in range(2000))
    share = np.mean([np.isnan(cells) for cells in draws], axis=0)
    assert share.mean() == 13 / 64
    assert (np.abs(share - 13 / 64) < 5 * np.sqrt(0.2 * 0.8 / 2000)).all()


# runs


def written(folder: Path, design: InstanceDesign) -> dict[str, bytes]:
    simulate_instances(design).write(folder)
    true_instances(design, ["AP"], topics=4).save(folder / "truth.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first = written(tmp_path / "a", SMALL)
    assert first == written(tmp_path / "b", SMALL)
    assert set(first) == {"qrels.txt", "manifest.txt", "truth.json", *(f"runs/{name}.run" for name in SMALL.runs)}
    other = written(tmp_path / "c", replace(SMALL, collection=replace(BASE, seed=4)))
    assert [name for name in first if first[name] == other[name]] == ["manifest.txt"]


def test_the_collection_is_what_load_reads(tmp_path: Path) -> None:
    simulation = simulate_instances(SMALL)
    simulation.write(tmp_path)
    loaded = load(tmp_path / "qrels.txt", tmp_path / "runs", corpus_size=BASE.corpus_size)
    assert_same(simulation.collection(), loaded, but=["origins"])


def test_manifest_and_patterns_say_the_same(tmp_path: Path) -> None:
    simulation = simulate_instances(SMALL)
    simulation.write(tmp_path)
    runs = load(tmp_path / "qrels.txt", tmp_path / "runs")
    scores = score_instances(runs, "AP", labelling(tmp_path / "manifest.txt"))
    assert scores.algorithms == (BASELINE, "sampled-0.5", "sampled-4") == SMALL.algorithms
    assert scores.instances == (BASELINE, "1", "2", "3", "1", "2", "3")
    assert scores.deterministic == (BASELINE,)
    by_pattern = score_instances(runs, "AP", labelling(pattern=["{algorithm}.{seed}.run", "{algorithm}.run"]))
    assert (by_pattern.algorithms, by_pattern.instances) == (scores.algorithms, scores.instances)
    np.testing.assert_array_equal(by_pattern.cells(), scores.cells())
    np.testing.assert_array_equal(scores.cells(), score(simulation.collection(), ["AP"]).values[0, :, :, 0].T)


def test_the_baseline_is_the_exhaustive_search() -> None:
    base, runs = simulate(BASE), simulate_instances(SMALL).simulation
    for name, topic in base.topics.items():
        for part in ("docs", "units", "grades"):
            np.testing.assert_array_equal(getattr(runs.topics[name], part)[:1], getattr(topic, part))
        np.testing.assert_array_equal(runs.topics[name].judged_docs, topic.judged_docs)


def test_lists_hold_the_documents_of_the_exhaustive_search_in_the_order_of_the_tie_rule() -> None:
    for topic in simulate_instances(SMALL).simulation.topics.values():
        grade_of = dict(zip(topic.docs[0].tolist(), topic.grades[0].tolist(), strict=True))
        for docs, units, grades in zip(topic.docs.tolist(), topic.units.tolist(), topic.grades.tolist(), strict=True):
            pairs = list(zip(units, docs, strict=True))
            assert pairs == sorted(pairs, reverse=True)
            assert dict(zip(docs, grades, strict=True)) == grade_of


def test_an_instance_does_not_depend_on_how_many_there_are() -> None:
    few, many = simulate_instances(SMALL), simulate_instances(replace(SMALL, instances=5))
    same = [many.design.runs.index(run) for run in few.design.runs]
    for name, topic in few.simulation.topics.items():
        np.testing.assert_array_equal(topic.units, many.simulation.topics[name].units[same])


def test_nothing_depends_on_threads_or_topics() -> None:
    one = simulate_instances(SMALL, workers=1).simulation
    other = simulate_instances(replace(SMALL, collection=replace(BASE, topics=12)), workers=3).simulation
    for name, topic in one.topics.items():
        for a, b in zip(topic, other.topics[name], strict=True):
            np.testing.assert_array_equal(a, b)


def test_draws_have_topics_and_instances_of_their_own() -> None:
    one, other = (simulate_instances(SMALL, draw=draw).simulation for draw in (0, 1))
    for name, topic in one.topics.items():
        assert not np.array_equal(topic.docs[0], other.topics[name].docs[0])
        assert not np.array_equal(topic.units[1], other.topics[name].units[1])


def test_without_errors_every_instance_is_the_exhaustive_search() -> None:
    silent = replace(SMALL, topic_algorithm_sd=0, instance_sd=0, noise_sd=0)
    for topic in simulate_instances(silent).simulation.topics.values():
        assert (topic.docs == topic.docs[0]).all()
    truth = true_instances(silent, ["AP"], topics=20)
    for name in ("difference", "instance_variance", "residual_variance"):
        np.testing.assert_array_equal(getattr(truth, name), 0)


def test_names_are_padded() -> None:
    runs = InstanceDesign(instances=10, rates=(0.5,)).runs
    assert runs[:3] == ("exhaustive", "sampled-0.5.01", "sampled-0.5.02")
    assert list(runs) == sorted(runs)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"instances": 0}, "instances=0 is not possible; it is from 1 to"),
        ({"rates": ()}, "rates"),
        ({"rates": (0.5, 0)}, "percentages from 0.001 to 100"),
        ({"rates": (float("nan"),)}, "percentages from 0.001 to 100"),
        ({"rates": (1, 1.0)}, "have the same name"),
        ({"noise_sd": -1}, "noise_sd=-1 is not possible; it is from 0 to 10"),
        ({"collection": Design()}, "one system, the exhaustive search, not 20"),
    ],
)
def test_impossible_designs(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        InstanceDesign(**settings)


def test_other_runs_are_not_mixed_with_ours(tmp_path: Path) -> None:
    simulate_instances(SMALL).write(tmp_path)
    before = (tmp_path / "manifest.txt").read_bytes()
    with pytest.raises(InputError, match=r"the folder holds other files, such as sampled-0\.5\.3\.run"):
        simulate_instances(replace(SMALL, instances=2)).write(tmp_path)
    assert (tmp_path / "manifest.txt").read_bytes() == before


# their truth


@pytest.fixture(scope="module")
def truth() -> InstanceTruth:
    return true_instances(SPREAD, ["AP", "nDCG@10"], topics=3000)


@pytest.fixture(scope="module")
def drawn() -> Floats:
    """AP[draw, algorithm, instance, topic] of the sampled searches in many independent studies."""
    design = replace(SPREAD, instances=6, collection=STUDY)
    values = [
        score(simulate_instances(design, draw=d).collection(), ["AP"], workers=1).values[0, :, 1:, 0]
        for d in range(150)
    ]
    return np.array(values).transpose(0, 2, 1).reshape(150, 2, 6, 40)


def assert_close(values: Floats, expected: Floats, slack: Floats) -> None:
    """Whether the mean of independent estimates is what is expected, within its error and that of the latter."""
    assert (np.abs(values.mean(axis=0) - expected) < 4 * np.hypot(stats.sem(values), slack)).all()


def test_the_true_means_are_those_of_many_studies(truth: InstanceTruth, drawn: Floats) -> None:
    assert_close(drawn.mean(axis=(2, 3)), truth.mean[0, 1:], truth.se[0, 1:])
    gaps = drawn.mean(axis=(2, 3))[:, 1] - drawn.mean(axis=(2, 3))[:, 0]
    assert_close(gaps, truth.difference[0, 2] - truth.difference[0, 1], np.hypot(*truth.difference_se[0, 1:]))


def test_the_true_components_are_those_of_many_studies(truth: InstanceTruth, drawn: Floats) -> None:
    for number in range(2):
        # two copies of one algorithm have its mean squares of instances and of the residual
        found = [components(np.stack([study[number]] * 2)) for study in drawn]
        instance, residual = (np.array([one[name] for one in found]) for name in ("instance", "residual"))
        expected = truth.instance_variance[0, number + 1]
        assert_close(instance, expected, 0.05 * expected)
        assert stats.sem(instance) < 0.2 * expected
        assert_close(residual, truth.residual_variance[0, number + 1], truth.residual_variance_se[0, number + 1])
        assert truth.residual_variance_se[0, number + 1] < 0.1 * truth.residual_variance[0, number + 1]


def test_the_true_topic_components_are_those_of_many_studies(truth: InstanceTruth, drawn: Floats) -> None:
    base = [score(simulate(STUDY, draw=d).collection(), ["AP"], workers=1).values[0, :, 0, 0] for d in range(150)]
    by_topic = np.concatenate([np.array(base)[:, None], drawn.mean(axis=2)], axis=1)  # draw, algorithm, topic
    covariances = np.array([np.cov(study) for study in by_topic])  # draw, algorithm, algorithm
    own = np.eye(3, dtype=bool)
    topic = covariances[:, ~own].mean(axis=1)
    noise = np.concatenate([[0], (drawn.var(axis=2, ddof=1).mean(axis=(0, 2)) - truth.instance_variance[0, 1:]) / 6])
    interaction = (covariances[:, own] - noise).mean(axis=1) - topic
    assert_close(topic, truth.topic_variance[0], 0.03 * truth.topic_variance[0])
    assert_close(interaction, truth.topic_algorithm_variance[0], 0.1 * truth.topic_algorithm_variance[0])


def test_the_truth_of_the_baseline_is_that_of_its_collection(truth: InstanceTruth) -> None:
    alone = true_means(BASE, ["AP", "nDCG@10"], topics=3000)
    np.testing.assert_allclose(truth.mean[:, 0], alone.means[:, 0])
    np.testing.assert_allclose(truth.se[:, 0], alone.errors[:, 0])
    for name in ("difference", "difference_se", "instance_variance", "residual_variance"):
        np.testing.assert_array_equal(getattr(truth, name)[:, 0], 0)


def test_more_sampling_is_better_and_steadier() -> None:
    truth = true_instances(InstanceDesign(collection=replace(BASE, depth=100, corpus_size=5000)), ["AP"], topics=600)
    assert (np.diff(truth.mean[0, 1:]) > 0).all()
    assert truth.difference[0, 1] < -5 * truth.difference_se[0, 1]
    np.testing.assert_allclose(truth.difference, truth.mean - truth.mean[:, :1], atol=1e-12)
    assert (np.diff(truth.instance_variance[0, 1:]) < 0).all()
    assert (np.diff(truth.residual_variance[0, 1:]) < 0).all()


def test_the_truth_does_not_depend_on_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = true_instances(SMALL, ["AP"], topics=20)
    monkeypatch.setattr("irgauge.simulation.instances._CHUNK", 7)
    told: list[tuple[int, int]] = []
    again = true_instances(SMALL, ["AP"], topics=20, progress=lambda done, total: told.append((done, total)))
    np.testing.assert_array_equal(again.mean, whole.mean)
    np.testing.assert_array_equal(again.residual_variance, whole.residual_variance)
    assert told == [(7, 20), (14, 20), (20, 20)]


def test_the_truth_reads_back(truth: InstanceTruth, tmp_path: Path) -> None:
    truth.save(tmp_path / "truth.json")
    again = InstanceTruth.load(tmp_path / "truth.json")
    assert (again.design, again.measures, again.topics) == (SPREAD, truth.measures, 3000)
    for name in ("mean", "se", "difference_se", "instance_variance", "topic_variance", "topic_algorithm_variance"):
        np.testing.assert_array_equal(getattr(again, name), getattr(truth, name))
    facts = json.loads((tmp_path / "truth.json").read_bytes())["measures"]["AP"]
    assert list(facts["algorithms"]) == list(SMALL.algorithms)
    assert facts["algorithms"]["sampled-4"]["mean"] == truth.mean[0, 2]


DEEP = pytest.param("[" * 100_000, id="nested deep")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"measures": 3}', '{"instance_design": {"rates": 1}}', DEEP])
def test_a_file_that_is_no_truth(text: str, tmp_path: Path) -> None:
    (tmp_path / "truth.json").write_text(text)
    with pytest.raises(InputError, match=r"this is not a truth\.json of simulated instances"):
        InstanceTruth.load(tmp_path / "truth.json")


def test_the_truth_needs_topics() -> None:
    with pytest.raises(DesignError, match="at least 2"):
        true_instances(SMALL, topics=1)
