from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irgauge.reading.collection import Collection
from irgauge.reporting.report import Report, report
from irgauge.scoring.scores import Scores, score
from irgauge.show.page import Section
from irgauge.show.table import Table
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.pair_section import WORST

FEW: dict[str, Any] = {"shards": "even:3", "resamples": 1, "images": 4}


def design(**changed: Any) -> Design:  # noqa: ANN401  # of a design
    usual: dict[str, Any] = {"systems": 2, "families": 2, "topics": 25, "depth": 60, "corpus_size": 500}
    return Design(**(usual | {"relevant_median": 20, "seed": 4} | changed))


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(design()).collection()


@pytest.fixture(scope="module")
def result(collection: Collection) -> Report:
    return report(collection, ["AP", "P@10"], **FEW)


@pytest.fixture(scope="module")
def section(result: Report) -> Section:
    (found,) = [one for one in result.page.sections if one.key == "pair"]
    return found


def differences(collection: Collection, measure: str) -> tuple[list[str], dict[str, float]]:
    """The systems, that with the higher mean first, and the difference on each topic; by hand."""
    values = np.nan_to_num(score(collection, [measure]).values[0, :, :, 0])
    order = np.argsort(-values.mean(axis=0), kind="stable")
    gains = values[:, order[0]] - values[:, order[1]]
    return [collection.systems[i] for i in order], dict(zip(collection.topics, gains.tolist(), strict=True))


def table(section: Section, key: str, place: int = 0) -> Table:
    (found,) = [one for one in section.panels if one.key == key]
    shown = found.variants[place].table
    assert shown is not None
    return shown


@pytest.mark.parametrize(("place", "measure"), [(0, "AP"), (1, "P@10")])
def test_the_answer_counts_wins_ties_and_losses(
    place: int, measure: str, collection: Collection, section: Section
) -> None:
    (first, second), gains = differences(collection, measure)
    told = next(one for one in section.told if one.measure == measure)
    assert told.kind == "gains-and-losses"
    assert (told.fields["system"], told.fields["against"]) == (first, second)
    won = [one for one in gains.values() if one > 1e-12]
    lost = [one for one in gains.values() if one < -1e-12]
    assert (told.fields["gains"].topics, told.fields["losses"].topics) == (len(won), len(lost))
    assert told.fields["ties"] == len(gains) - len(won) - len(lost)
    assert told.fields["gains"].mean == pytest.approx(np.mean(won))
    assert told.fields["losses"].mean == pytest.approx(np.mean(lost))
    assert f"{first} scores higher than {second} on {len(won)} of 25 topics" in told.text
    outcomes = table(section, "pair-outcomes", place)
    assert outcomes.column("topics") == [len(won), 25 - len(won) - len(lost), len(lost), 25]
    assert outcomes.column("total") == pytest.approx([sum(won), 0.0, sum(lost), sum(gains.values())])
    assert outcomes.column("of_mean")[-1] == pytest.approx(np.mean(list(gains.values())))


def test_the_chart_and_the_tables_are_sorted(collection: Collection, section: Section) -> None:
    _, gains = differences(collection, "AP")
    order = sorted(gains, key=lambda topic: -gains[topic])
    assert section.panels[0].key == "pair-topics"
    figure = section.panels[0].variants[0].figure
    assert figure is not None
    rows = [row for rows in figure.to_dict()["datasets"].values() for row in rows if "place" in row]
    assert [row["topic"] for row in sorted(rows, key=lambda row: row["place"])] == order
    assert table(section, "pair-all").column("topic") == order
    assert table(section, "pair-all").column("difference") == pytest.approx([gains[topic] for topic in order])
    losses = [topic for topic in order[::-1] if gains[topic] < 0][:WORST]
    assert table(section, "pair-losses").column("topic") == losses
    assert table(section, "pair-gains").column("topic") == [topic for topic in order if gains[topic] > 0][:WORST]


def test_the_results_hold_every_topic(result: Report, collection: Collection) -> None:
    (first, second), gains = differences(collection, "AP")
    found = result.to_dict()["studies"]["pair"]["results"][0]
    assert (found["system"], found["against"]) == (first, second)
    assert {row["topic"]: pytest.approx(row["difference"]) for row in found["topics"]} == gains


def test_with_a_baseline_differences_are_from_it(collection: Collection) -> None:
    (best, other), gains = differences(collection, "AP")
    made = report(collection, "AP", baseline=best, **FEW)
    found = made.to_dict()["studies"]["pair"]["results"][0]
    assert (found["system"], found["against"]) == (other, best)
    assert {row["topic"]: -pytest.approx(row["difference"]).expected for row in found["topics"]} == pytest.approx(gains)


def test_the_same_run_twice_ties_everywhere(collection: Collection) -> None:
    values = score(collection, ["AP"]).values[:, :, [0, 0]]
    scores = Scores(values, score(collection, ["AP"]).measures, collection.topics, ("a", "b"), ("all",))
    made = report(scores)
    (section,) = [one for one in made.page.sections if one.key == "pair"]
    assert section.told[0].text == "a and b have the same AP on all 25 topics."


@pytest.mark.parametrize("changed", [{"systems": 1, "families": 1}, {"systems": 3, "families": 3}, {"topics": 1}])
def test_it_is_of_two_systems_and_several_topics_only(changed: dict[str, Any]) -> None:
    made = report(simulate(design(**changed)).collection(), "AP", **FEW)
    assert made.ran["pair"].results == ()
    assert "pair" not in [one.key for one in made.page.sections]
