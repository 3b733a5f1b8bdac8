"""Every command that writes, on a collection so small that it takes a moment; and what a process of it leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from irgauge.lab.index import build
from irgauge.lab.texts import read_documents
from irgauge.simulation.collections import Design, simulate
from irgauge.simulation.instances import InstanceDesign, simulate_instances
from irgauge.studies.gate.study import gate

PROGRAM = (sys.executable, "-c", "from irgauge.cli import entry; entry()")
_SMALL = Design(systems=4, families=2, topics=12, depth=30, corpus_size=300, relevant_median=6, seed=2)
_DOCUMENTS = "".join(f"d{i}\t{text}\n" for i, text in enumerate(["radio waves", "noise", "waves of noise", "a radio"]))
_ONE = Design(systems=1, families=1, topics=10, depth=30, corpus_size=300, relevant_median=6)


def write_collections(folder: Path) -> None:
    """Small collections: of systems, two of them in a suite, of instances, and of text."""
    simulate(_SMALL).write(folder)
    (folder / "teams.txt").write_text("F1-1 a\nF1-2 a\n")
    for candidate in ("F1-2", "F2-1"):
        baseline, changed = (folder / "runs" / f"{run}.run" for run in ("F1-1", candidate))
        gate(folder / "qrels.txt", baseline, changed, "AP", margin=0.1, history=folder / "nights.sqlite")
    for name in ("one", "two"):
        simulate(_SMALL).write(folder / "suite" / name)
    simulate_instances(InstanceDesign(instances=2, rates=(1,), collection=_ONE)).write(folder / "random")
    simulate_instances(InstanceDesign(instances=2, rates=(0.5, 4), collection=_ONE)).write(
        folder / "papers" / "lab-csi"
    )
    _write_text(folder / "text")


def _write_text(folder: Path) -> None:
    """Documents, their index, topics, judgments and shards, for the lab."""
    folder.mkdir()
    (folder / "documents.tsv").write_text(_DOCUMENTS)
    (folder / "topics.tsv").write_text("1\tradio waves\n2\tnoise\n")
    (folder / "qrels.txt").write_text("1 0 d0 1\n1 0 d2 1\n2 0 d1 1\n2 0 d2 1\n")
    (folder / "map.tsv").write_text("d0 a\nd1 a\nd2 b\nd3 b\n")
    build(read_documents([folder / "documents.tsv"])).save(folder / "index")


Arguments = Callable[[str, str], str]  # the folder of the collections and the place to write -> the command line
COMMANDS: Mapping[str, Arguments] = {
    "agreement": lambda data, out: f"agreement {data}/qrels.txt {data}/runs -m AP -m RR -o {out}.csv",
    "anova": lambda data, out: f"anova {data}/qrels.txt {data}/runs -m AP --shards even:2 -o {out}.csv",
    "bootstrap": lambda data, out: f"bootstrap {data}/qrels.txt {data}/runs -m AP --images 20 --keep {out}",
    "calibrate": lambda data, out: f"calibrate {data}/qrels.txt {data}/runs -m AP --quick --trials 2 -o {out}.csv",
    "check": lambda data, out: f"check {data}/qrels.txt {data}/runs -o {out}.txt",
    "compare": lambda data, out: f"compare {data}/qrels.txt {data}/runs -m AP --chart {out}.svg",
    "effects": lambda data, out: f"effects {data}/qrels.txt {data}/runs -m AP --shards even:2 -o {out}.json",
    "gate": lambda data, out: (
        f"gate {data}/qrels.txt {data}/runs/F1-1.run {data}/runs/F1-2.run -m AP --margin 10% --lock {out}.json"
    ),
    "history": lambda data, out: f"history {data}/nights.sqlite -o {out}.csv",
    "holes": lambda data, out: f"holes {data}/qrels.txt {data}/runs -m AP -o {out}.csv",
    "instances": lambda data, out: (
        f"instances {data}/random/qrels.txt {data}/random/runs --manifest {data}/random/manifest.txt -m AP "
        f"--no-posterior -o {out}.md"
    ),
    "judges": lambda data, out: (
        f"judges {data}/qrels.txt {data}/runs --judge {data}/qrels.txt -m AP --draws 20 -o {out}.json"
    ),
    "partition": lambda data, out: f"partition {data}/qrels.txt {data}/runs -m AP --splits 1 --fill drop -o {out}.csv",
    "plan": lambda data, out: f"plan {data}/qrels.txt {data}/runs -m AP -o {out}.json",
    "pools": lambda data, out: (
        f"pools {data}/qrels.txt {data}/runs/F1-1.run {data}/runs/F2-1.run -m AP --images 5 --depths 5 -o {out}.csv"
    ),
    "report": lambda data, out: f"report {data}/qrels.txt {data}/runs -m AP --bundle {out}",
    "robustness": lambda data, out: f"robustness {data}/qrels.txt {data}/runs -m AP --shards 2 -o {out}.csv",
    "score": lambda data, out: f"score {data}/qrels.txt {data}/runs -m AP -o {out}.parquet",
    "sensitivity": lambda data, out: f"sensitivity {data}/qrels.txt {data}/runs -m AP -m RR --draws 100 -o {out}.csv",
    "shards": lambda data, out: f"shards {data}/qrels.txt {data}/runs --shards even:2 -o {out}.tsv",
    "suite": lambda data, out: f"suite {data}/suite -m AP -o {out}.html",
    "simulate": lambda _, out: (
        f"simulate -o {out} --systems 2 --families 1 --topics 4 --depth 10 --corpus-size 200 --truth-topics 20"
    ),
    "teams": lambda data, out: f"teams {data}/qrels.txt {data}/runs -m AP --groups {data}/teams.txt --chart {out}.svg",
    "thinning": lambda data, out: (
        f"thinning {data}/qrels.txt {data}/runs -m AP --sizes 50 --repeats 1 --draws 100 -o {out}.csv"
    ),
    "topics": lambda data, out: f"topics {data}/qrels.txt {data}/runs -m AP -o {out}.md",
    "lab generate": lambda _, out: f"lab generate -o {out} --documents 60 --clusters 2 --topics 3 --themes 2",
    "lab index": lambda data, out: f"lab index {data}/text/documents.tsv -o {out}",
    "lab run": lambda data, out: f"lab run {data}/text/index {data}/text/topics.tsv -o {out} --systems bm25,jm+rm3",
    "lab shards": lambda data, out: f"lab shards {data}/text/index --topical 2 -o {out}.tsv",
    "lab selective": lambda data, out: (
        f"lab selective {data}/text/index {data}/text/topics.tsv --shards {data}/text/map.tsv --csi 50% --instances 2 "
        f"--picks 1 -o {out}"
    ),
    "lab tuned": lambda data, out: (
        f"lab tuned {data}/text/index {data}/text/topics.tsv {data}/text/qrels.txt --shards {data}/text/map.tsv "
        f"-o {out}"
    ),
    "lab rerun": lambda data, out: (
        f"lab rerun {data}/text/index {data}/text/topics.tsv {data}/text/qrels.txt --shards {data}/text/map.tsv "
        f"--systems bm25 -o {out}"
    ),
    "measures": lambda _, out: f"measures -o {out}.csv",
    "studentized": lambda _, out: f"studentized --systems 3 --df 10 --chart {out}.svg",
    "reproduce": lambda _, out: f"reproduce --list -o {out}.csv",
}
MORE: Mapping[str, Arguments] = {  # other files that commands write
    "anova in LaTeX": lambda data, out: f"anova {data}/qrels.txt {data}/runs -m AP -o {out}.tex",
    "compare for a paper": lambda data, out: f"compare {data}/qrels.txt {data}/runs -m AP --for-paper {out}",
    "compare as a script": lambda data, out: f"compare {data}/qrels.txt {data}/runs -m AP --recompute {out}.py",
    "compare as a picture": lambda data, out: f"compare {data}/qrels.txt {data}/runs -m AP --chart {out}.png",
    "gate of many looks": lambda data, out: (
        f"gate {data}/qrels.txt {data}/runs/F1-1.run {data}/runs/F1-2.run -m AP --margin 10% --sequential "
        f"--state {out}.json"
    ),
    "gate with a summary": lambda data, out: (
        f"gate {data}/qrels.txt {data}/runs/F1-1.run {data}/runs/F1-2.run -m AP --margin 10% --summary {out}.md"
    ),
    "report as a page": lambda data, out: f"report {data}/qrels.txt {data}/runs -m AP -o {out}.html",
    "reproduce a paper": lambda data, out: f"reproduce jayasinghe-2014-lab --data {data}/papers -o {out}.html",
    "score in CSV": lambda data, out: f"score {data}/qrels.txt {data}/runs -m AP --per-topic -o {out}.csv",
}


def words(command: str, data: Path, out: Path) -> list[str]:
    """The arguments of a command."""
    return {**COMMANDS, **MORE}[command](str(data), str(out)).split(" ")


def start(arguments: Sequence[str], **environment: str) -> subprocess.Popen[bytes]:
    """A process of the program."""
    return subprocess.Popen(  # noqa: S603  # our own program
        [*PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )


def left(folder: Path) -> dict[str, int]:
    """Every file below a folder, hidden ones too, and its size."""
    return {str(path.relative_to(folder)): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
