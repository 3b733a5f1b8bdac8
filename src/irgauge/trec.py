"""TREC files: runs and qrels, read into columns with every fault located, and written."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from irgauge import tokens
from irgauge.errors import InputError
from irgauge.files import COMPRESSED, read_bytes, replacing

_RUN = "a run has 6: topic Q0 docno rank score tag"
_QRELS = "qrels have 4: topic 0 docno grade (or 5, with strata: topic 0 docno stratum grade)"
_RUN_SUFFIXES = (".run", ".txt", ".trec", ".res")
_ARCHIVE_PREFIX = "input."  # how NIST's archive names the runs of a track


@dataclass(frozen=True)
class Rows:
    """Rows of topic and docno, the rows of a topic together; `text` holds the docnos' bytes."""

    path: str
    is_file: bool  # not a Python object
    topics: tuple[str, ...]
    bounds: NDArray[np.int64]  # topic + 1: its rows start and stop here
    text: NDArray[np.uint8]
    starts: NDArray[np.int64]  # row
    stops: NDArray[np.int64]  # row

    def error(self, row: int, message: str) -> InputError:
        """An error that names the place of the row."""
        line = int(tokens.line_at(self.text, self.starts[row])) if self.is_file else None
        return InputError(message, path=self.path, line=line)

    def docno(self, row: int) -> str:
        """The docno of one row."""
        return self.text[self.starts[row] : self.stops[row]].tobytes().decode()

    def topic(self, row: int) -> str:
        """The topic of one row."""
        return self.topics[int(np.searchsorted(self.bounds, row, side="right")) - 1]


@dataclass(frozen=True)
class Run(Rows):
    """A run: the documents that one system retrieved, with their scores."""

    tag: str | None  # None where the lines of one file carry several
    scores: NDArray[np.float64]  # row


@dataclass(frozen=True)
class Qrels(Rows):
    """Relevance judgments; a grade below zero marks a document of the pool that was not judged."""

    grades: NDArray[np.int64]  # row
    strata: NDArray[np.int64]  # row; 0 where the file has none


def read_run(path: str | os.PathLike[str]) -> Run:
    """Read one run file, plain or compressed."""
    text = _text(path)
    width = tokens.first_width(text)
    if width != 6:
        looks = "; this looks like a qrels file: name the qrels first, then the runs" if width in (4, 5) else ""
        raise _wrong_width(text, path, 0, width, _RUN + looks)
    starts, stops = _columns(text, path, width, (0, 2, 4, 5))
    scores = tokens.numbers(text, starts[2], stops[2])
    _refuse_nan(text, path, scores, starts[2], stops[2], "score")
    tags = tokens.changes(text, starts[3], stops[3])
    tag = _decode(text, starts[3][0], stops[3][0]) if len(tags) == 1 else None
    topics, bounds, order = _by_topic(text, starts[0], stops[0])
    return Run(
        path=str(path),
        is_file=True,
        topics=topics,
        bounds=bounds,
        text=text,
        starts=starts[1][order],
        stops=stops[1][order],
        tag=tag,
        scores=scores[order],
    )


def read_qrels(path: str | os.PathLike[str]) -> Qrels:
    """Read a qrels file, plain or compressed, with or without strata."""
    text = _text(path)
    width = tokens.first_width(text)
    if width not in (4, 5):
        looks = "; this looks like a run: name the qrels first, then the runs" if width == 6 else ""
        raise _wrong_width(text, path, 0, width, _QRELS + looks)
    starts, stops = _columns(text, path, width, (0, 2, 3, 4)[: width - 1])
    grades = _whole_numbers(text, path, starts[-1], stops[-1], "grade")
    strata = _whole_numbers(text, path, starts[2], stops[2], "stratum") if width == 5 else np.zeros_like(grades)
    topics, bounds, order = _by_topic(text, starts[0], stops[0])
    return Qrels(
        path=str(path),
        is_file=True,
        topics=topics,
        bounds=bounds,
        text=text,
        starts=starts[1][order],
        stops=stops[1][order],
        grades=grades[order],
        strata=strata[order],
    )


def system_names(runs: Sequence[tuple[str | None, str]]) -> list[str]:
    """Names of systems, from the tag and path of each run.

    A run is named by its tag. Where several files share a tag, or the lines of one file carry several,
    those files are named after the file: without a compression suffix, without `.run`, `.txt`, `.trec`
    or `.res`, and without the leading `input.` of NIST's archive.

    >>> system_names([("bm25", "a.run.gz"), ("mine", "b.run"), ("mine", "c.run")])
    ['bm25', 'b', 'c']
    """
    shared = Counter(tag for tag, _ in runs)
    names = [tag if tag is not None and shared[tag] == 1 else file_name(path) for tag, path in runs]
    for name, count in Counter(names).items():
        if count > 1:
            paths = [path for (_, path), other in zip(runs, names, strict=True) if other == name]
            message = f"two runs have the one name '{name}' (the other: {paths[0]}); change a tag or a file name"
            raise InputError(message, path=paths[1])
    return names


def file_name(path: str) -> str:
    """A system's name after its file.

    >>> file_name("runs/input.ok8alx.gz")
    'ok8alx'
    """
    name = Path(path).name
    for suffixes in (COMPRESSED, _RUN_SUFFIXES):
        for suffix in suffixes:
            name = name.removesuffix(suffix) or name
    return name.removeprefix(_ARCHIVE_PREFIX) or name


def write_run(
    path: str | os.PathLike[str], lists: Iterable[tuple[str, Sequence[str], Sequence[float]]], tag: str
) -> None:
    """Write a run: for each topic its name, docnos in rank order and scores."""
    frames = [
        pl.DataFrame(
            {"t": [topic], "q": ["Q0"], "d": [docnos], "r": [range(1, len(docnos) + 1)], "s": [scores], "n": [tag]}
        ).explode("d", "r", "s")
        for topic, docnos, scores in lists
    ]
    _write_columns(path, pl.concat(frames))


def write_qrels(path: str | os.PathLike[str], judgments: Iterable[tuple[str, str, int]]) -> None:
    """Write qrels: topic, docno and grade."""
    frame = pl.DataFrame(list(judgments), schema=["topic", "docno", "grade"], orient="row")
    _write_columns(path, frame.select("topic", pl.lit("0").alias("zero"), "docno", "grade"))


def _write_columns(path: str | os.PathLike[str], frame: pl.DataFrame) -> None:
    with replacing(path) as temporary:
        frame.write_csv(temporary, separator=" ", include_header=False, quote_style="never")


def _text(path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    text = read_bytes(path)
    if len(text) == 0 or tokens.first_width(text) == 0:
        raise InputError("the file is empty; was it written to the end?", path=str(path))
    if text.max() > 127:
        try:
            text.tobytes().decode()
        except UnicodeDecodeError as error:
            line = int(tokens.line_at(text, error.start))
            raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=str(path), line=line) from None
    return text


def _columns(
    text: NDArray[np.uint8], path: str | os.PathLike[str], width: int, wanted: tuple[int, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    try:
        return tokens.split(text, width, wanted)
    except tokens.WidthError as error:
        expected = f"the lines above have {width}; mend this line"
        raise _wrong_width(text, path, error.offset, error.width, expected) from None


def _wrong_width(
    text: NDArray[np.uint8], path: str | os.PathLike[str], offset: int, width: int, expected: str
) -> InputError:
    line = int(tokens.line_at(text, offset + _blank(text[offset:])))
    return InputError(f"{width} column{'s' * (width != 1)} where {expected}", path=str(path), line=line)


def _blank(text: NDArray[np.uint8]) -> int:
    """How many bytes of white space the text starts with."""
    return int(np.argmax(text > ord(" ")))


def _decode(text: NDArray[np.uint8], start: int, stop: int) -> str:
    return text[start:stop].tobytes().decode()


def _refuse_nan(
    text: NDArray[np.uint8],
    path: str | os.PathLike[str],
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    what: str,
) -> None:
    bad = np.flatnonzero(np.isnan(values))
    if len(bad):
        field = _decode(text, starts[bad[0]], stops[bad[0]])
        line = int(tokens.line_at(text, starts[bad[0]]))
        count = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise InputError(f"the {what} '{field}' is not a number{count}; mend the file", path=str(path), line=line)


def _whole_numbers(
    text: NDArray[np.uint8],
    path: str | os.PathLike[str],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    what: str,
) -> NDArray[np.int64]:
    values = tokens.numbers(text, starts, stops)
    _refuse_nan(text, path, values, starts, stops, what)
    bad = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > 2**31))
    if len(bad):
        field = _decode(text, starts[bad[0]], stops[bad[0]])
        line = int(tokens.line_at(text, starts[bad[0]]))
        raise InputError(f"the {what} '{field}' is not a whole number, as {what}s are", path=str(path), line=line)
    return values.astype(np.int64)


def _by_topic(
    text: NDArray[np.uint8], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> tuple[tuple[str, ...], NDArray[np.int64], slice | NDArray[np.int64]]:
    """Topics in order of appearance, their bounds, and the order that brings their rows together."""
    firsts = tokens.changes(text, starts, stops)
    blocks = [_decode(text, starts[i], stops[i]) for i in firsts]
    sizes = np.diff(firsts, append=len(starts))
    topics = tuple(dict.fromkeys(blocks))
    if len(topics) == len(blocks):
        return topics, np.append(firsts, len(starts)), slice(None)
    number = {topic: i for i, topic in enumerate(topics)}
    of_row = np.repeat([number[block] for block in blocks], sizes)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(of_row))])
    return topics, bounds, np.argsort(of_row, kind="stable")
