"""What a check says of judged shares, of shards and of images."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import Golden
from irgauge.reading.collection import load
from irgauge.replicates.images import draw_images
from irgauge.replicates.shards import split_documents
from irgauge.scoring.scores import score
from irgauge.studies.check.facts import uneven, within_judged_depth
from irgauge.studies.check.study import Checked, check

Ranked = dict[str, dict[str, float]]


def ranked(topics: list[str], docnos: list[str]) -> Ranked:
    return {topic: {docno: -float(i) for i, docno in enumerate(docnos)} for topic in topics}


def told(report: Checked, kind: str) -> list[str]:
    return report.findings().of(kind).texts()


def sparse_data(relevant: int, topics: int = 40) -> tuple[dict[str, dict[str, int]], Ranked]:
    """Topics with so many relevant documents each, none of them shared, and a run that finds them."""
    qrels = {f"q{t}": {f"q{t}-{i}": 1 for i in range(relevant)} for t in range(topics)}
    return qrels, {topic: {docno: 1.0 + i for i, docno in enumerate(docnos)} for topic, docnos in qrels.items()}


@pytest.mark.parametrize("relevant", [1, 3])
def test_undefined_cells_are_those_that_shards_and_images_leave(relevant: int) -> None:
    qrels, found = sparse_data(relevant, topics=200)
    collection = load(qrels, {"mine": found})
    ahead = check(qrels, {"mine": found}).prospects
    for one in ahead.of:
        draws = (
            draw_images(collection, 20, seed=1)
            if one.shards is None
            else split_documents(collection, f"die:{one.shards}")
        )
        undefined = np.isnan(score(collection, "AP", draws).values[0, :, 0]).mean()
        assert one.undefined == pytest.approx(undefined, abs=0.06)


def test_sparse_judgments_are_told_with_what_is_still_fine(golden: Golden) -> None:
    qrels, found = sparse_data(8)
    golden(told(check(qrels, {"mine": found}), "sparse"))


def test_where_no_split_is_fine_the_whole_corpus_is_left(golden: Golden) -> None:
    qrels, found = sparse_data(1)
    golden(told(check(qrels, {"mine": found}), "sparse"))


def test_enough_relevant_documents_leave_nothing_to_be_said() -> None:
    qrels, found = sparse_data(30)
    report = check(qrels, {"mine": found})
    assert told(report, "sparse") == []
    assert report.table("replicates").column("undefined")[1] == pytest.approx(0.8**30)


def test_a_cut_off_below_the_judged_depth_is_told(golden: Golden) -> None:
    topics, docnos = [f"q{t}" for t in range(30)], [f"d{i:03}" for i in range(200)]
    qrels = {topic: {docno: int(i < 15) for i, docno in enumerate(docnos[:20])} for topic in topics}
    report = check(qrels, {"mine": ranked(topics, docnos)})
    ahead = report.prospects
    assert [(one.shards, one.reach, one.judged) for one in ahead.of] == [
        (2, 20, 1),
        (5, 50, pytest.approx(0.4)),
        (10, 100, pytest.approx(0.2)),
        (None, 10, 1),
    ]
    assert ahead.most_judged == 4
    golden(told(report, "below-judged"))


def test_the_judged_depth_is_that_of_the_median_run() -> None:
    assert within_judged_depth(np.array([0.4, 0.3])) == 0
    assert within_judged_depth(np.array([0.9, 0.8])) == 2


def test_runs_that_are_judged_less_than_others_are_told(golden: Golden) -> None:
    topics, docnos = [f"q{t}" for t in range(30)], [f"d{i:02}" for i in range(20)]
    qrels = {topic: {docno: int(i < 15) for i, docno in enumerate(docnos)} for topic in topics}
    other = docnos[:7] + [f"u{i}" for i in range(13)]
    report = check(qrels, {"old": ranked(topics, docnos), "new": ranked(topics, other)})
    golden(told(report, "unevenly-judged"))


def test_noise_and_small_differences_are_not_told() -> None:
    rng = np.random.default_rng(1)
    large, small = rng.uniform(0.4, 0.6, (40, 2)), rng.uniform(0.4, 0.6, (40, 2))
    large[:, 1] += 0.2
    small[:, 1] += 0.05
    assert uneven(small, ("a", "b")) is None
    found = uneven(large, ("a", "b"))
    assert found is not None
    assert (found.most, found.least) == ("b", "a")
    few = np.array([[0.0, 0.0], [0.0, 1.0], [0.3, 0.2]])  # a mean difference of 0.3 on 3 topics is noise
    assert uneven(few, ("a", "b")) is None


def test_noise_is_seldom_told_however_many_runs_there_are() -> None:
    rng = np.random.default_rng(2)
    names = tuple(f"r{i}" for i in range(30))
    drawn = [uneven(rng.integers(0, 11, (25, 30)) / 10, names) for _ in range(100)]
    assert sum(one is not None for one in drawn) <= 8


def test_a_topic_that_a_run_does_not_answer_says_nothing_of_its_judged_share() -> None:
    shares = np.array([[1.0, np.nan], [1.0, 0.5], [1.0, 0.5]])
    found = uneven(shares, ("a", "b"))
    assert found is not None
    assert found.least_judged == 0.5


def test_the_least_judged_run_of_trec8_is_told(trec8: Path) -> None:
    names = ("surffal2", "ok8amxc")
    report = check(trec8 / "qrels.txt.gz", [str(trec8 / "runs" / f"input.{name}.gz") for name in names])
    (finding,) = report.findings().of("unevenly-judged")
    assert list(finding.fields["shares"]) == ["ok8amxc", "surffal2"]
