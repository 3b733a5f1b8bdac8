"""The part of a report on algorithms and their instances."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from conftest import Golden
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection, join, run_readers
from irgauge.reading.formats import read_qrels
from irgauge.replicates.bench import Bench
from irgauge.replicates.labels import Label
from irgauge.scoring.measures import parse_measures
from irgauge.show.references import REFERENCES
from irgauge.simulation.collections import Design
from irgauge.simulation.instances import InstanceDesign, simulate_instances
from irgauge.studies.instances import posterior, section, study
from irgauge.studies.instances.section import PART
from irgauge.studies.report_part import Reporting

DESIGN = InstanceDesign(
    instances=3,
    rates=(1, 4),
    collection=Design(systems=1, families=1, topics=8, depth=30, corpus_size=300, seed=2),
)
PANELS = [
    *("instance-margins", "instance-topics", "instance-variance"),
    *("instance-differences", "instance-margin-table", "instance-algorithms", "instance-components"),
    *("instance-singles", "instance-diagnostics"),
]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("instances")
    simulate_instances(DESIGN).write(folder)
    return join(read_qrels(folder / "qrels.txt"), run_readers(folder / "runs"))


@pytest.fixture(scope="module")
def reporting(collection: Collection) -> Reporting:
    by_run = dict(zip(DESIGN.runs, DESIGN.labels, strict=True))
    return Reporting(Bench(collection), parse_measures(["AP", "nDCG@10"]), labels=by_run, seed=3)


def test_each_measure_is_reported(reporting: Reporting) -> None:
    ran = PART.run(reporting)
    assert [result.measure for result in ran.results] == ["AP", "nDCG@10"]
    assert {result.seed for result in ran.results} == {3}
    shown = PART.section(ran, reporting)
    assert shown.reason is None
    assert [panel.key for panel in shown.panels] == PANELS
    for panel in shown.panels:
        assert [one.choices for one in panel.variants] == [(("measure", "AP"),), (("measure", "nDCG@10"),)]
        for one, result in zip(panel.variants, ran.results, strict=True):
            facts = one.figure.provenance if one.figure is not None else one.provenance
            assert facts == result.provenance
            assert one.figure is not None or (one.table is not None and one.table.rows)


def test_pairs_stand_in_charts_and_tables_only(reporting: Reporting) -> None:
    ran = PART.run(reporting)
    lead = PART.section(ran, reporting).texts
    assert lead[-1].startswith("Here runs are instances of algorithms")
    first, second = ran.results
    (best,) = PART.headline(first)
    assert best.kind == "best-algorithm"
    assert lead[0] == best.text
    told = [one for one in first.findings() if one.kind not in ("verdict", "verdicts", "series")]
    assert (told[0].kind, told[0].fields | {"covers": best.fields["covers"]}) == (best.kind, best.fields)
    assert best.fields["covers"] is not None, "verdicts, which name what is covered, stand in charts and tables only"
    assert list(lead[1 : len(told)]) == [one.text for one in told[1:]]
    assert {"verdict"} == {one.kind for one in first.findings()} - {one.kind for one in told}
    assert next(PART.headline(second)).text in lead


def test_whatever_is_reported_was_measured_on_the_bench(reporting: Reporting) -> None:
    result = PART.run(reporting).results[0]
    alone = study.instances(reporting.bench.collection, "AP", labels=reporting.labels, seed=3)
    assert result.tests.difference.tolist() == alone.tests.difference.tolist()
    assert alone.hpd is not None
    assert np.array_equal(result.hpd, alone.hpd)
    assert result.provenance["measures"] == ("AP",)


def test_without_labels_it_is_said_why(reporting: Reporting) -> None:
    bare = replace(reporting, labels=None)
    ran = PART.run(bare)
    shown = PART.section(ran, bare)
    assert ran.results == ()
    assert str(shown.reason).startswith("each run is taken as a system that always answers alike;")
    assert "--" not in str(shown.reason)
    assert list(PART.methods(ran, bare)) == []


def test_one_instance_each_says_nothing_of_others(reporting: Reporting) -> None:
    single = replace(reporting, labels={name: Label(name, None) for name in reporting.bench.collection.systems})
    shown = PART.section(PART.run(single), single)
    assert str(shown.reason).startswith("each of the 7 algorithms named has one instance")


def test_of_many_algorithms_the_best_are_compared(
    reporting: Reporting, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr(section, "ALGORITHMS", 2)
    ran = PART.run(reporting)
    result = ran.results[0]
    everything = study.instances(reporting.bench, "AP", labels=reporting.labels, posterior=False).scores
    means = {
        name: everything.scores[everything.algorithm == number].mean()
        for number, name in enumerate(everything.algorithms)
    }
    assert list(result.scores.algorithms) == sorted(means, key=lambda name: -means[name])[:2]
    lead = PART.section(ran, reporting).texts
    golden(lead[-1])


def test_without_convergence_the_tests_are_left(reporting: Reporting, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:  # noqa: ANN401  # whatever is asked
        raise DesignError("the chains disagree")

    monkeypatch.setattr(posterior, "sample_cross", fail)
    ran = PART.run(reporting)
    assert [result.posterior for result in ran.results] == [None, None]
    keys = [panel.key for panel in PART.section(ran, reporting).panels]
    assert keys == PANELS[:-1]
    ((_, text),) = PART.methods(ran, reporting)
    assert "Gibbs" not in text


def test_the_methods_are_told(reporting: Reporting, golden: Golden) -> None:
    ((heading, text),) = PART.methods(PART.run(reporting), reporting)
    assert heading == "Instances of random algorithms"
    golden(text)
    assert set(PART.references) <= set(REFERENCES)
