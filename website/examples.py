"""A result of each study on a small collection, for the charts, tables and fields that its page shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from irgauge.archive.entry import Entry, KeptRun, on_topics
from irgauge.archive.store import HistoryFile
from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection, load
from irgauge.reading.topic_table import TopicTable
from irgauge.simulation.collections import Design, simulate
from irgauge.simulation.instances import InstanceDesign, simulate_instances
from irgauge.simulation.judges import JudgeDesign, Judgments, simulate_judge
from irgauge.studies.registry import Study, studies
from irgauge.studies.result import Result
from irgauge.studies.score.study import score

DESIGN = Design(systems=8, families=3, topics=25, depth=200, corpus_size=5000, relevant_median=20, equal=2)
ALONE = replace(DESIGN, systems=1, families=1, equal=0)


@dataclass(frozen=True)
class Examples:
    """Small collections in a folder, made when an example first needs them."""

    folder: Path

    @cached_property
    def runs(self) -> Collection:
        """Eight systems on 25 topics."""
        return simulate(DESIGN).collection()

    @cached_property
    def files(self) -> Path:
        """The same as files: qrels.txt and runs."""
        simulate(DESIGN).write(self.folder / "demo")
        return self.folder / "demo"

    @cached_property
    def instances(self) -> Path:
        """Runs of a random algorithm, with their manifest."""
        simulate_instances(InstanceDesign(instances=4, rates=(0.1, 1, 4), collection=ALONE)).write(
            self.folder / "random"
        )
        return self.folder / "random"

    def people(self) -> Judgments:
        """The judgments of the first 15 topics alone."""
        judged = simulate_judge(self.runs, JudgeDesign(0.0, 0.0))
        return {topic: judged[topic] for topic in self.runs.topics[:15]}

    def run(self, name: str) -> Path:
        """The file of a run."""
        return self.files / "runs" / f"{name}.run"

    @cached_property
    def nights(self) -> Path:
        """A history of gates, whose candidate gets worse."""
        path = self.folder / "nights.sqlite"
        for night in range(12):
            time = datetime(2026, 3, 1, 3, tzinfo=UTC) + timedelta(days=night)
            with HistoryFile(path).writing() as history:
                history.add(_night(time, np.random.default_rng(night), loss=0.03 * (night >= 8)))
        return path

    def suite(self) -> dict[str, Collection]:
        """Five collections of the same systems."""
        return {f"C{seed}": simulate(replace(DESIGN, seed=seed)).collection() for seed in range(1, 6)}


def _night(time: datetime, rng: np.random.Generator, loss: float) -> Entry:
    """A gate of a night, as a history keeps it."""
    base = np.linspace(0.2, 0.8, DESIGN.topics)
    scores = {"baseline": base, "candidate": base + rng.normal(-loss, 0.02, DESIGN.topics)}
    topics = [str(topic) for topic in range(1, DESIGN.topics + 1)]
    return Entry(
        time=time,
        command="gate",
        version="0",
        checkout=None,
        judgments="same",
        settings={},
        runs=tuple(KeptRun(role, role, role, "") for role in scores),
        scores={("nDCG@10", role): on_topics(topics, values) for role, values in scores.items()},
    )


KINDS = TopicTable({"length": {str(topic): "short" if topic % 2 else "long" for topic in range(1000)}})  # of topics
# the measures and options of a study, where its own defaults show too little or take too long
ASKED: Mapping[str, tuple[str | list[str], Mapping[str, Any]]] = {
    "agreement": (["AP", "nDCG@10", "RR"], {}),
    "anova": ("AP", {"shards": "even:3", "model": "MD6", "against": "MD4"}),
    "bootstrap": (["AP", "RR"], {"images": 50, "held_out": 5}),
    "calibrate": ("AP", {"quick": True, "trials": 20, "margin": 0.05}),
    "compare": ("AP", {"shards": "even:3", "topics_table": KINDS, "by": "length"}),
    "effects": (["P@5", "P@10", "P@20"], {"shards": ["even:3"]}),
    "partition": (["AP", "P@10"], {"splits": 5, "tests": True, "fill": "drop"}),
    "plan": ("AP", {"shards": "even:3", "difference": 0.05, "topics_table": KINDS, "by": "length"}),
    "robustness": ("AP", {"shards": (2, 3), "resamples": 3}),
    "score": (["AP", "nDCG@10"], {"topics_table": KINDS, "by": "length"}),
    "sensitivity": (["AP", "nDCG@10", "RR"], {"draws": 199}),
    "thinning": (["AP", "Bpref"], {"sizes": [50, 10], "repeats": 3, "draws": 99}),
    "topics": ("AP", {}),
}
# studies whose data are of another kind
CALLS: Mapping[str, Callable[[Examples, Study], Result]] = {
    "check": lambda made, study: study.verb(made.files / "qrels.txt", made.files / "runs"),
    "gate": lambda made, study: study.verb(
        made.files / "qrels.txt",
        made.run("F1-1"),
        made.run("F1-2"),
        ["AP", "nDCG@10"],
        margin="10%",
        topics_table=KINDS,
        by="length",
    ),
    "history": lambda made, study: study.verb(made.nights),
    "holes": lambda made, study: study.verb(
        made.runs, groups={system: system.split("-")[0] for system in made.runs.systems}, likely=True
    ),
    "instances": lambda made, study: study.verb(
        load(made.instances / "qrels.txt", made.instances / "runs", warn=False),
        "nDCG@10",
        manifest=made.instances / "manifest.txt",
        baseline="exhaustive",
        topics_table=KINDS,
        by="length",
    ),
    "judges": lambda made, study: study.verb(
        (made.people(), made.files / "runs"),
        {
            "careful": simulate_judge(made.runs, JudgeDesign(0.05, 0.0)),
            "lenient": simulate_judge(made.runs, JudgeDesign(0.1, 0.4)),
            "noisy": simulate_judge(made.runs, JudgeDesign(0.5, 0.0)),
        },
        "nDCG@10",
    ),
    "pools": lambda made, study: study.verb(
        made.runs.only([0, 5]), ["AP", "RBP(p=0.95)"], images=30, depths=[5, 10, 25]
    ),
    "suite": lambda made, study: study.verb(
        {name: score(runs, "AP", topics_table=KINDS) for name, runs in made.suite().items()},
        baseline="F1-1",
        margin=0.02,
        by="length",
    ),
    "teams": lambda made, study: study.verb(
        made.runs, "AP", groups={system: system.split("-")[0] for system in made.runs.systems}
    ),
}


@cache
def results() -> Mapping[str, Result]:
    """The example of each study; a study that needs more than data to say anything has none until it is given above."""
    with TemporaryDirectory() as folder:
        made = Examples(Path(folder))
        found = {study.name: result_of(made, study) for study in studies().values()}
    return {name: one for name, one in found.items() if one is not None}


def result_of(made: Examples, study: Study) -> Result | None:
    """The example of a study; None if its data alone are not enough."""
    if study.name in CALLS:
        return CALLS[study.name](made, study)
    if study.name in ASKED:
        measures, options = ASKED[study.name]
        return study.verb(made.runs, measures, **options)
    try:
        return study.verb(made.runs)
    except (DesignError, InputError):
        return None
