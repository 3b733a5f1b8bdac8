"""The same judgments and runs in every format that is read: what each must give is what TREC's columns give."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable, Mapping
from typing import Any

import cbor2
import lz4.frame
import numpy as np
import polars as pl

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]
Nested = Qrels | Run
TAG = "mine"


def some_data(seed: int, *, topics: int = 5) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Graded judgments, and a run with ties that lacks a topic and has one of its own; names are of every kind."""
    rng = np.random.default_rng(seed)
    names = [*(f"FT{i}" for i in range(30)), "é7", "7", "07", "1.0", "NA", "null", "a,b", "c;d", 'e"f', "g#h", "文書"]
    named = ["401", "402", "q;3", "é", "5.0"][:topics]
    qrels = {topic: {d: int(rng.integers(-1, 4)) for d in rng.permutation(names)[:20].tolist()} for topic in named}
    run = {
        topic: {d: float(rng.integers(-9, 9)) / 8 for d in rng.permutation(names)[: rng.integers(15, 40)].tolist()}
        for topic in [*named[1:], "999"]
    }
    return qrels, run


def rows(nested: Nested) -> list[tuple[str, str, float]]:
    return [(topic, docno, value) for topic, values in nested.items() for docno, value in values.items()]


def ranked(run: Run) -> dict[str, list[str]]:
    """The docnos of each topic by falling score; of two with the same score the later name goes first."""
    return {
        topic: sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
        for topic, scores in run.items()
    }


def lines(*made: str) -> bytes:
    return "".join(f"{line}\n" for line in made).encode()


# text between white space


def trec_run(run: Run, tag: str = TAG, more: str = "") -> bytes:
    return lines(*(f"{topic} Q0 {docno} 1 {score!r} {tag}{more}" for topic, docno, score in rows(run)))


def trec_qrels(qrels: Qrels) -> bytes:
    return lines(*(f"{topic} 0 {docno} {grade}" for topic, docno, grade in rows(qrels)))


def with_header(run: Run) -> bytes:
    """An ir_metadata header above a run."""
    return lines("# ir_metadata.start", "# platform:", "#   os: linux", "# ir_metadata.end") + trec_run(run)


def ms_marco(run: Run) -> bytes:
    made = [(topic, d, rank) for topic, docnos in ranked(run).items() for rank, d in enumerate(docnos, 1)]
    return lines(*(f"{topic}\t{docno}\t{rank}" for topic, docno, rank in made))


def three(nested: Nested, header: str = "") -> bytes:
    return header.encode() + lines(*(f"{topic}\t{docno}\t{value!r}" for topic, docno, value in rows(nested)))


# tables with named columns

Names = tuple[str, str, str]
OF_RUNS: Names = ("query_id", "doc_id", "score")
OF_QRELS: Names = ("query_id", "doc_id", "relevance")


def table(nested: Nested, names: Names, separator: str = ",") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows([names, *rows(nested)])
    return text.getvalue().encode()


def records(nested: Nested, names: Names) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows(nested)]


def json_lines(nested: Nested, names: Names) -> bytes:
    return lines(*map(json.dumps, records(nested, names)))


def json_list(nested: Nested, names: Names) -> bytes:
    return json.dumps(records(nested, names), indent=1).encode()


def frame(nested: Nested, names: Names) -> pl.DataFrame:
    return pl.DataFrame(rows(nested), schema=list(names), orient="row", infer_schema_length=None)


def parquet(nested: Nested, names: Names) -> bytes:
    file = io.BytesIO()
    frame(nested, names).write_parquet(file)
    return file.getvalue()


# mappings


def as_json(nested: Nested) -> bytes:
    return json.dumps(nested, ensure_ascii=False).encode()


def mteb(run: Run) -> bytes:
    """As MTEB writes the predictions of a model: by subset and split, some topics in each."""
    first, *others = run.items()
    splits = {"default": {"test": dict([first])}} | ({"de": {"test": dict(others)}} if others else {})
    return json.dumps({"mteb_model_meta": {"model_name": TAG}, **splits}).encode()


def cbor(nested: Nested) -> bytes:
    """As ranx writes an .lz4 file: compressed twice."""
    return bytes(lz4.frame.compress(lz4.frame.compress(cbor2.dumps(nested))))


def stacked(runs: Mapping[str, Run], system: str = "system") -> pl.DataFrame:
    """Several runs in one table, the rows of all topic by topic."""
    made = [{system: name, **record} for name, run in runs.items() for record in records(run, OF_RUNS)]
    places = {topic: i for i, topic in enumerate(dict.fromkeys(topic for run in runs.values() for topic in run))}
    return pl.DataFrame(sorted(made, key=lambda record: places[record["query_id"]]))


RUNS: dict[str, Callable[[Run], bytes]] = {
    "TREC": trec_run,
    "TREC, a header": with_header,
    "TREC, more columns": lambda run: trec_run(run, more=" 0.5 x"),
    "three columns of MS MARCO": ms_marco,
    "three columns, named": lambda run: three(run, "query-id\tcorpus-id\tscore\n"),
    "JSON": as_json,
    "MTEB": mteb,
    "ranx": cbor,
    "CSV": lambda run: table(run, OF_RUNS),
    "TSV": lambda run: table(run, ("qid", "docno", "score"), "\t"),
    "semicolons": lambda run: table(run, ("Topic", "Document ID", "Score"), ";"),
    "JSON lines": lambda run: json_lines(run, OF_RUNS),
    "JSON list": lambda run: json_list(run, ("q_id", "docid", "score")),
    "Parquet": lambda run: parquet(run, ("q_id", "doc_id", "score")),
}
QRELS: dict[str, Callable[[Qrels], bytes]] = {
    "TREC": trec_qrels,
    "MS MARCO": lambda qrels: trec_qrels(qrels).replace(b" ", b"\t"),
    "BEIR": lambda qrels: three(qrels, "query-id\tcorpus-id\tscore\n"),
    "three columns": three,
    "JSON": as_json,
    "ranx": cbor,
    "CSV": lambda qrels: table(qrels, OF_QRELS),
    "TSV": lambda qrels: table(qrels, ("qid", "docno", "label"), "\t"),
    "JSON lines": lambda qrels: json_lines(qrels, OF_QRELS),
    "JSON list": lambda qrels: json_list(qrels, ("query-id", "corpus-id", "score")),
    "Parquet": lambda qrels: parquet(qrels, ("q_id", "doc_id", "score")),
}
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
    ".lz4": lz4.frame.compress,
}
