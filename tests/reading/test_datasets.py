"""Judgments by a name of ir_datasets: as a file of them gives, a file first, and what to do where there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import ir_datasets
import numpy as np
import pytest

from irgauge import InputError, load
from irgauge.reading.collection import judgments_of
from irgauge.reading.formats import read_qrels
from irgauge.reading.objects import dataset_qrels
from irgauge.reading.trec import Qrels
from oracles.every_format import rows, some_data, trec_qrels
from oracles.sameness import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # a run lacks a topic on purpose

QRELS, RUN = some_data(seed=5)
NAME = "msmarco-passage/trec-dl-2020/judged"  # that the package knows


class FakeDataset:
    """A dataset of ir_datasets whose judgments need not be fetched."""

    def __init__(self, made: list[Any], *, fails: Exception | None = None) -> None:
        self.made, self.fails = made, fails

    def has_qrels(self) -> bool:
        return True

    def qrels_iter(self) -> Iterator[Any]:
        yield from self.made
        if self.fails is not None:
            raise self.fails


Give = Callable[..., None]


@pytest.fixture
def give(monkeypatch: pytest.MonkeyPatch) -> Give:
    """Makes the package give these judgments by whatever name."""

    def to_package(made: list[Any], fails: Exception | None = None) -> None:
        monkeypatch.setattr(ir_datasets, "load", lambda _: FakeDataset(made, fails=fails))

    return to_package


@cache
def kinds() -> dict[str, Any]:
    """The classes of judgments of all datasets that the package knows."""
    datasets = [ir_datasets.registry[name] for name in ir_datasets.registry]
    return {one.qrels_cls().__name__: one.qrels_cls() for one in datasets if one.has_qrels()}


def judgment(kind: Any, topic: str, docno: str, grade: int) -> Any:  # noqa: ANN401  # a named tuple
    known = {"query_id": topic, "doc_id": docno, "relevance": grade, "iteration": "0", "subtopic_id": "0"}
    return kind(**{name: known.get(name, 7) for name in kind._fields})


def names(qrels: Qrels) -> list[str]:
    return [qrels.docno(row) for row in range(len(qrels.grades))]


def test_all_kinds_of_judgments_are_read_as_a_file_is(give: Give, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_bytes(trec_qrels(QRELS))
    expected = read_qrels(tmp_path / "qrels")
    assert {"TrecQrel", "GenericQrel", "TrecSubQrel"} <= kinds().keys()
    for kind in kinds().values():
        give([judgment(kind, topic, docno, int(grade)) for topic, docno, grade in rows(QRELS)])
        made = dataset_qrels(NAME)
        assert (made.topics, made.path) == (expected.topics, f"ir_datasets {NAME}")
        np.testing.assert_array_equal(made.grades, expected.grades)
        assert names(made) == names(expected)
        assert_same(load(NAME, {"mine": RUN}), load(tmp_path / "qrels", {"mine": RUN}))


def test_subtopics_are_read_as_those_of_a_file(give: Give, tmp_path: Path) -> None:
    made = [
        ("q1", "d1", 1, "1"),
        ("q1", "d1", 1, "2"),
        ("q1", "d2", 0, "1"),
        ("q1", "d3", 1, "3"),
        ("q2", "d1", 1, "1"),
    ]
    give([kinds()["TrecSubQrel"](*row) for row in made])
    text = "".join(f"{topic} {subtopic} {docno} {grade}\n" for topic, docno, grade, subtopic in made)
    (tmp_path / "qrels").write_text(text)
    run = {"mine": {"q1": {"d1": 2.0, "d3": 1.0}, "q2": {"d1": 1.0}}}
    found = load(NAME, run)
    assert_same(found, load(tmp_path / "qrels", run))
    assert found.subtopics.shape[1] == 3


# a file goes first


def test_a_file_goes_before_a_dataset_of_its_name(give: Give, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give([judgment(kinds()["GenericQrel"], "of the dataset", "d1", 1)])
    monkeypatch.chdir(tmp_path)
    assert judgments_of(NAME).topics == ("of the dataset",)
    Path(NAME).parent.mkdir(parents=True)
    Path(NAME).write_text("of-the-file 0 d1 1\n")
    assert judgments_of(NAME).topics == ("of-the-file",)


def test_a_path_is_no_name_of_a_dataset(give: Give, tmp_path: Path) -> None:
    give([judgment(kinds()["GenericQrel"], "q1", "d1", 1)])
    with pytest.raises(InputError, match="there is no such file; check the path") as caught:
        judgments_of(tmp_path / "cranfield")
    assert caught.value.path == str(tmp_path / "cranfield")


# names and datasets that do not help


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("msmarco-passage/trec-dl-2020/judgd", NAME),
        ("beir/scifakt", "beir/scifact"),
        ("cranfeld", "cranfield"),
    ],
)
def test_an_unknown_name_brings_near_ones(name: str, near: str) -> None:
    with pytest.raises(InputError, match="knows no dataset of this name; did you mean '") as caught:
        load(name, {"mine": RUN})
    assert caught.value.path == name
    assert f"'{near}'" in caught.value.message
    assert near in ir_datasets.registry
    assert name not in ir_datasets.registry


def test_a_name_like_no_other_is_a_path_to_check() -> None:
    with pytest.raises(InputError, match=r"there is no such file, .*; check the path$") as caught:
        load("data/my own qrels.txt", {"mine": RUN})
    assert "did you mean" not in caught.value.message


def test_a_dataset_without_judgments_is_told() -> None:
    name = next(name for name in ir_datasets.registry if not ir_datasets.registry[name].has_qrels())
    with pytest.raises(InputError, match="ir_datasets has no judgments for this dataset; name one of its part") as e:
        dataset_qrels(name)
    assert e.value.path == name


def test_judgments_that_cannot_be_fetched_are_told(give: Give, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most datasets are fetched when they are read, some when they are named."""
    give([judgment(kinds()["GenericQrel"], "q1", "d1", 1)], ConnectionError("no route to host"))
    with pytest.raises(InputError, match=r"could not give the judgments \(no route to host\)") as caught:
        load(NAME, {"mine": RUN})
    assert caught.value.path == NAME

    def fail(_: str) -> None:
        raise RuntimeError("the download failed")

    monkeypatch.setattr(ir_datasets, "load", fail)
    with pytest.raises(InputError, match=r"could not give the judgments \(the download failed\)") as caught:
        load(NAME, {"mine": RUN})
    assert caught.value.path == NAME


def test_judgments_that_are_wrong_name_the_dataset(give: Give) -> None:
    made = [judgment(kinds()["GenericQrel"], "q1", docno, 1) for docno in ("d1", "d2", "d1")]
    give(made)
    with pytest.raises(InputError, match="document 'd1' appears twice in topic 'q1'") as caught:
        load(NAME, {"mine": {"q1": {"d1": 1.0}}})
    assert caught.value.path == f"ir_datasets {NAME}"
    give([])
    with pytest.raises(InputError, match="there are no rows"):
        load(NAME, {"mine": RUN})


def test_the_package_is_named_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    advice = r"there is no such file; .* install it \(pip install ir_datasets\)"
    with pytest.raises(InputError, match=advice) as caught:
        load(NAME, {"mine": RUN})
    assert caught.value.path == NAME
