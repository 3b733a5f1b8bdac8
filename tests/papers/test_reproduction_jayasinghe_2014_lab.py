"""The statements of Jayasinghe et al. 2014 on runs of the lab's layout, apart from the paper's own collection."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irgauge.papers import jayasinghe_2014
from irgauge.papers.jayasinghe_2014 import LAB_DATA, LAB_ENTRIES, LAB_PAPER
from irgauge.papers.published import Verdict, papers
from irgauge.papers.reproduce import Reproduction, open_data, reproduce
from irgauge.replicates.instances import InstanceScores, score_instances
from irgauge.replicates.labels import labelling
from irgauge.simulation.collections import Design
from irgauge.simulation.instances import InstanceDesign, simulate_instances

TOPICS = 32
DESIGN = InstanceDesign(
    instances=6,
    rates=(0.02, 0.5, 1, 4),
    collection=Design(systems=1, families=1, topics=TOPICS, depth=40, corpus_size=1000, pool_depth=20, seed=6),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    simulate_instances(DESIGN).write(folder / LAB_DATA)
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> Reproduction:
    return reproduce([LAB_PAPER], folder)


@pytest.fixture(scope="module")
def scores(folder: Path) -> InstanceScores:
    dataset = open_data(folder)[LAB_DATA]
    return score_instances(dataset.collection, "nDCG@10", labelling(dataset.path("manifest")))


def test_it_says_what_the_paper_says_and_prints_no_number_of_another_corpus() -> None:
    for which, exhibit in papers()[LAB_PAPER].exhibits.items():
        of_paper = papers()[jayasinghe_2014.PAPER].exhibits[which]
        said = {value.key: value.text for value in of_paper.values if value.number is None}
        assert {value.key: value.text for value in exhibit.values} == said
        assert {value.collection for value in exhibit.values} == {LAB_DATA}
        assert "not the paper's" in exhibit.shows
    assert papers()[LAB_PAPER].reference == papers()[jayasinghe_2014.PAPER].reference


def test_every_statement_is_judged_on_the_lab_s_runs(found: Reproduction) -> None:
    assert [one.entry.name for one in found] == [f"{LAB_PAPER}/{which}" for which in papers()[LAB_PAPER].exhibits]
    for outcome in found:
        assert outcome.counts[Verdict.NEEDS] == 0
        assert len(outcome.values) == len(outcome.entry.exhibit.values)
        for value in outcome.values:
            if value.verdict == Verdict.DIFFERS:
                assert "another corpus" in value.reason


def test_figure_1_is_of_the_last_25_topics(found: Reproduction, scores: InstanceScores) -> None:
    cells = scores.only(["sampled-4"]).cells()[:, -25:]  # instance, topic
    spans = np.ptp(cells, axis=0)
    held = {value.printed.key[0]: value.ours for value in found.outcomes[1].values}
    assert held["instances agree on some topics"] == (spans.min() <= 0.05)
    assert held["instances disagree on others"] == (spans.max() >= 0.2)
    assert f"{cells.std(axis=0, ddof=1).mean():.3f}" in found.outcomes[1].beside[0]
    assert "on the last 25 topics" in found.outcomes[1].entry.method


def test_the_paper_s_own_entries_stay_without_data(folder: Path) -> None:
    assert {one.verdict for one in reproduce([jayasinghe_2014.PAPER], folder)} == {Verdict.NEEDS}


def test_without_the_lab_s_runs_it_is_told_how_to_make_them(folder: Path) -> None:
    paper_s = {"gov2-csi": open_data(folder)[LAB_DATA]}
    for outcome in reproduce(LAB_ENTRIES, paper_s):
        assert outcome.verdict == Verdict.NEEDS
        assert "irgauge lab selective" in outcome.values[0].reason
        assert "lab-csi/runs/, manifest" in outcome.values[0].reason


def test_any_number_of_topics_and_documents_is_expected(folder: Path) -> None:
    assert open_data(folder)[LAB_DATA].unexpected() is None
