"""Good files of every kind that is read, as bytes: what mutations start from."""

from __future__ import annotations

import io
import json

import polars as pl

from oracles.every_format import QRELS, RUNS, lines, stacked, trec_qrels, trec_run, with_header

QREL = {"q1": {"d1": 1, "d2": 0, "é3": 2}, "402": {"d1": 3, "q,x": 1}}
RUN = {"q1": {"d1": 1.5, "d2": 0.25, "é3": -2.0}, "402": {"402": 3.0, "d9": 1e-5, "d1": 7.125}}


def in_parquet(frame: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


RUN_FILES = {form: write(RUN) for form, write in RUNS.items()} | {
    "several": json.dumps({"a": RUN, "b": RUN}).encode(),
    "a long header": with_header(RUN).replace(b"linux\n", b"{linux: [x, 'y']}\n# text: |\n#   more\n# &a b: !!str c\n"),
    "a system in each row": stacked({"a": RUN, "b": RUN}).write_csv().encode(),
}
_SUBTOPICS = trec_qrels(QREL) + trec_qrels(QREL).replace(b" 0 ", b" 1 ")
QREL_FILES = {form: write(QREL) for form, write in QRELS.items()} | {
    "subtopics": _SUBTOPICS,
    "strata": lines("q1 0 d1 1 1", "q1 0 d2 2 0", "402 0 d1 1 3", "402 0 d3 1 -1"),
    "subtopics in CSV": lines("query_id,iteration,doc_id,relevance", "q1,1,d1,1", "q1,2,d1,0", "402,1,d1,3"),
}

# tables of scores

_CELLS = [
    ("AP", topic, system, value / 8) for value, (topic, system) in enumerate([("q1", "a"), ("q1", "b"), ("7", "a")])
]
LONG = pl.DataFrame(_CELLS, schema=["measure", "topic", "system", "score"], orient="row")
WIDE = LONG.pivot(on="system", index="topic", values="score")
BY_SYSTEM = {system: {topic: value for _, topic, own, value in _CELLS if own == system} for system in ("a", "b")}
_REPLICATED = pl.concat([LONG.with_columns(pl.lit(name).alias("replicate")) for name in ("1", "2")])
_INSTANCES = _REPLICATED.rename({"system": "algorithm", "replicate": "instance"}).drop("measure")

SCORE_FILES = {
    "x.csv": LONG.write_csv().encode(),
    "x.tsv": LONG.write_csv(separator="\t").encode(),
    "wide.csv": WIDE.write_csv().encode(),
    "replicates.csv": _REPLICATED.write_csv().encode(),
    "instances.csv": _INSTANCES.write_csv().encode(),
    "of PyTerrier.csv": lines("name,qid,measure,value", "a,q1,AP,0.5", "a,7,AP,0.25", "b,q1,AP,0.125"),
    "x.json": json.dumps(BY_SYSTEM).encode(),
    "by measure.json": json.dumps({"AP": BY_SYSTEM}).encode(),
    "list.json": json.dumps(LONG.to_dicts()).encode(),
    "of ours.json": json.dumps({"study": "score", "scores": LONG.to_dicts()}).encode(),
    "x.jsonl": LONG.write_ndjson().encode(),
    "x.parquet": in_parquet(LONG),
    "wide": in_parquet(WIDE),
    "x.eval": lines("map\tq1\t0.5", "map\t7\t0.25", "runid\tall\tmine", "map\tall\t0.375"),
    "of ir_measures": lines("q1\tAP\t0.5", "7\tAP\t0.25", "all\tAP\t0.375"),
}

# files that say something of runs, documents or scores

MANIFEST = lines("# run algorithm instance", "a A 1", "b A 2", "c B")
GROUPS = lines("a first", "b first", "c second")
SHARDS = lines("d1 1", "d2 2", "é3 1", "q,x 2", "d9 1", "402 2")
HEADED = [trec_run(RUN), with_header(RUN), RUN_FILES["a long header"]]
