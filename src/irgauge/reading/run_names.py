"""The name of a run after its file; apart from what reads runs, as completion asks for it too."""

from __future__ import annotations

from irgauge.files.compression import COMPRESSED
from irgauge.files.opening import base_name

_RUN_SUFFIXES = (".run", ".txt", ".trec", ".res", ".json", ".jsonl", ".csv", ".tsv", ".parquet", ".parq")
_ARCHIVE_PREFIX = "input."  # how NIST's archive names the runs of a track


def file_name(path: str) -> str:
    """A system's name after its file.

    >>> file_name("runs/input.ok8alx.gz")
    'ok8alx'
    """
    name = base_name(path)
    for suffixes in (COMPRESSED, _RUN_SUFFIXES):
        for suffix in suffixes:
            name = name.removesuffix(suffix) or name
    return name.removeprefix(_ARCHIVE_PREFIX) or name
