"""Claims where people judged a sample of each topic's documents, and a judge all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.inference.difference_estimator import corrected_by_documents
from irgauge.reading.collection import judgments_of
from irgauge.reading.rejudging import pairs_of
from irgauge.scoring.document_samples import sampled_scores
from irgauge.scoring.measures import Measure
from irgauge.studies.judges.study import judges


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs, a judge, and people's judgments of two documents of five."""
    folder = tmp_path_factory.mktemp("sampled")
    ig.simulate(topics=25, systems=4, families=2, depth=30, corpus_size=300, judge="noise=0.1", seed=7).write(folder)
    rng, lines = np.random.default_rng(2), (folder / "qrels.txt").read_text().splitlines()
    rows = [line.split() for line in lines]
    sampled = [(t, doc, grade if rng.random() < 0.4 else "-1") for t, _, doc, grade in rows]
    (folder / "people.txt").write_text("".join(f"{t} 0 {doc} {grade}\n" for t, doc, grade in sampled))
    return folder


def test_claims_are_corrected_by_the_judges_other_documents(made: Path) -> None:
    files, judge = [made / "people.txt", made / "runs"], {"model": made / "judge.qrels"}
    result = judges(files, judge, "P@10", topics="judged", sampled=True, draws=20)
    runs = ig.load(*files, topics="judged")
    model = ig.load(made / "judge.qrels", made / "runs", topics="judged")
    own = sampled_scores(runs, pairs_of(judgments_of(made / "judge.qrels"), runs), Measure.read("P@10"))
    (claims,) = result.corrected
    assert (claims.topics, claims.sampled) == (25, (own.judged, own.pool))
    for pair in claims.pairs:
        first, second = (runs.systems.index(system) for system in (pair.system, pair.against))
        y, x, of_all = (scores[:, [first]] - scores[:, [second]] for scores in (own.people, own.sample, own.whole))
        assert pair.difference == pytest.approx(corrected_by_documents(y, x, of_all).difference[0])
    assert result.of("model").people_means == pytest.approx(np.sort(own.people.mean(axis=0))[::-1])
    assert result.of("model").means == pytest.approx(
        ig.score(model, "P@10").frame().sort("system")["mean"].to_numpy()[_order(result.systems)]
    )
    (text,) = result.findings().of("corrected").texts()
    assert (
        f"people's judgments of {own.judged:,} of {own.pool:,} documents of 25 topics and those of model on all" in text
    )
    assert "difference estimator" in result.provenance.text
    assert set(result.frame("corrected")["test"]) == {"t-test of difference estimates"}
    paper = result.to_latex("paper")
    counts = result.of("model").counts
    assert f"model & {counts['kept']} & {counts['lost']} & {counts['added']} & {counts['reversed']}" in paper
    of_sum = judges(files, judge, "Success@5", topics="judged", sampled=True, draws=20)
    assert of_sum.measure == "P@5"
    assert "Success@5 is no sum of gains" in " ".join(of_sum.findings().texts())


def _order(systems: tuple[str, ...]) -> list[int]:
    return [sorted(systems).index(system) for system in systems]


@pytest.mark.parametrize(
    ("people", "measure", "options", "message"),
    [
        ("people.txt", "P@10", {}, "give --topics judged"),
        ("people.txt", "AP", {"topics": "judged"}, "AP is no sum of gains"),
        ("qrels.txt", "P@10", {"topics": "judged"}, "people judged all documents"),
        ("people.txt", "P@10", {"topics": "judged", "pairs": "common"}, "leave pairs and strata out"),
    ],
)
def test_what_cannot_be_estimated_is_refused(
    made: Path, people: str, measure: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(DesignError, match=message):
        judges([made / people, made / "runs"], {"model": made / "judge.qrels"}, measure, sampled=True, **options)
