"""Where the files of a collection's folder are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgauge.errors import InputError
from irgauge.files.opening import found_in, needed_in, qrels_in


@pytest.mark.parametrize("name", ["qrels", "qrels.txt", "qrels.tsv.gz", "qrels.json", "qrels.txt.zst"])
def test_a_file_is_found_whatever_its_extension(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    assert found_in(tmp_path, "qrels") == needed_in(tmp_path, "qrels") == qrels_in(tmp_path) == tmp_path / name


def test_judgments_may_be_in_a_folder_as_in_beir(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_bytes(b"")
    with pytest.raises(InputError, match="qrels/test: this file is needed, plain or compressed"):
        qrels_in(tmp_path)
    (tmp_path / "qrels" / "test.tsv").write_bytes(b"")
    assert qrels_in(tmp_path) == tmp_path / "qrels" / "test.tsv"


def test_what_is_not_there_is_none_or_an_error(tmp_path: Path) -> None:
    (tmp_path / "runs.md").write_bytes(b"")
    assert found_in(tmp_path, "runs") is None
    with pytest.raises(InputError, match="runs: this file is needed"):
        needed_in(tmp_path, "runs")
