"""Results as files: what each extension writes, whole or not at all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from irgauge import Scores
from irgauge.errors import InputError
from irgauge.scoring.measures import parse_measures
from irgauge.show.saving import CHARTS, FORMS, content_of, save
from irgauge.studies.compare.study import Compared, compare


@pytest.fixture(scope="module")
def result() -> Compared:
    import numpy as np

    values = np.random.default_rng(1).random((1, 6, 3, 1))
    return compare(Scores(values, parse_measures(["AP"]), tuple("uvwxyz"), ("a", "b", "τ"), ("all",)))


WRITTEN = [ending for ending in FORMS if ending != ".trec"]


@pytest.mark.parametrize("ending", [*WRITTEN, *CHARTS])
def test_every_extension_writes_its_form(ending: str, result: Compared, tmp_path: Path) -> None:
    path = tmp_path / f"found{ending.upper()}"
    save(result, path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    content = path.read_bytes()
    if ending in CHARTS:
        starts = {".png": b"\x89PNG", ".svg": b"<svg", ".pdf": b"%PDF", ".html": b"<!DOCTYPE html>"}
        assert content.lstrip().startswith(starts[ending])
    elif ending == ".parquet":
        assert pl.read_parquet(path).equals(result.frame())
    else:
        assert content.decode("utf-8") == content_of(result, FORMS[ending])
        assert "τ" in content.decode("utf-8") or ending == ".tex"


def test_json_is_the_object_and_csv_the_frame(result: Compared) -> None:
    assert json.loads(content_of(result, "json")).items() >= json.loads(json.dumps(result.to_dict())).items()
    csv, frame = str(content_of(result, "csv")).encode(), result.frame()
    assert pl.read_csv(csv, schema=frame.schema).equals(frame)
    assert content_of(result, "text", width=60) == result.to_text(width=60)
    assert content_of(result, "latex") == result.to_text("latex")


@pytest.mark.parametrize("name", ["found.xls", "found", "found.csv.gz", "found.trec"])
def test_other_extensions_are_refused(name: str, result: Compared, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no format is known for the extension '.*'; use \.txt, \.md") as caught:
        save(result, tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)
    assert ".trec" not in str(caught.value).partition("; use")[2]
    assert not list(tmp_path.iterdir())


def test_a_failure_leaves_the_old_file_alone(result: Compared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> str:
        raise RuntimeError("no")

    target = tmp_path / "found.json"
    target.write_text("old")
    monkeypatch.setattr(Compared, "content", broken)
    with pytest.raises(RuntimeError):
        save(result, target)
    assert target.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["found.json"]


def test_a_folder_that_is_not_there_is_refused(result: Compared, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        save(result, tmp_path / "no" / "found.csv")


@dataclass
class Own:
    """A result with a form of its own."""

    def own_forms(self) -> dict[str, Any]:
        return {"trec": lambda _: "map all 0.5\n"}


def test_a_study_may_have_forms_of_its_own(tmp_path: Path) -> None:
    save(Own(), tmp_path / "scores.trec")  # type: ignore[arg-type]  # the rest of a result is not asked for
    assert (tmp_path / "scores.trec").read_text() == "map all 0.5\n"
