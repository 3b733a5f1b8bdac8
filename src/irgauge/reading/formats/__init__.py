"""Formats of runs and judgments, told by the first bytes of a file; what looks like no other is TREC's.

A new format is a file here with a `Format`, which goes into FORMATS.
"""

from __future__ import annotations

import os

import numpy as np

from irgauge.compute.arrays import Bytes
from irgauge.errors import InputError
from irgauge.files.opening import first_bytes, read_bytes
from irgauge.reading.formats import columns, named_columns, nested
from irgauge.reading.formats.record import SIZE, Format, Head, no, refuse
from irgauge.reading.trec import Qrels, Run, qrels_of_text, run_of_text

TREC = Format("TREC's columns", no, lambda path, text: [run_of_text(path, text)], qrels_of_text)
FORMATS = (named_columns.PARQUET, nested.CBOR, named_columns.RECORDS, nested.JSON, columns.FORMAT, named_columns.TEXT)


def _format_of(head: Head) -> Format:
    return next((candidate for candidate in FORMATS if candidate.looks(head)), TREC)


def _told(path: str, text: Bytes) -> Format:
    head = Head.of(text)
    refuse(head, path)
    return _format_of(head)


def read_runs(path: str | os.PathLike[str]) -> list[Run]:
    """Read the runs of a file, plain or compressed: most formats hold one."""
    text = read_bytes(path)
    return list(_told(str(path), text).runs(str(path), text))


def read_run(path: str | os.PathLike[str]) -> Run:
    """Read a file that holds one run, plain or compressed."""
    runs = read_runs(path)
    if len(runs) > 1:
        some = ", ".join(str(run.tag) for run in runs[:3])
        raise InputError(f"the file holds {len(runs)} runs ({some}, ...) where one is needed", path=str(path))
    return runs[0]


def read_qrels(path: str | os.PathLike[str]) -> Qrels:
    """Read a file of judgments, plain or compressed."""
    if os.path.isdir(path):  # noqa: PTH112  # no error where it cannot be looked at: reading has it
        fault = "this is a folder, and judgments are one file; name the qrels first, then the runs"
        raise InputError(fault, path=str(path))
    text = read_bytes(path)
    return _told(str(path), text).qrels(str(path), text)


def may_hold_several(path: str | os.PathLike[str]) -> bool:
    """Whether a file may hold several runs, by how it begins."""
    head = Head.of(np.frombuffer(first_bytes(path, SIZE), np.uint8))
    return _format_of(head).may_hold_several(head)
