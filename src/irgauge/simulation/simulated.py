"""Simulated: a synthetic collection of either kind, systems or instances of random systems, and its truth."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from irgauge.brief import Brief, some
from irgauge.errors import DesignError
from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.options.progress import Progress
from irgauge.options.verbs import verb_without_data
from irgauge.reading.collection import Collection
from irgauge.reading.trec import write_qrels
from irgauge.simulation import collections
from irgauge.simulation.collections import Design, Simulation
from irgauge.simulation.instances import (
    InstanceDesign,
    InstanceSimulation,
    InstanceTruth,
    simulate_instances,
    true_instances,
)
from irgauge.simulation.judges import JudgeDesign, Judgments, simulate_judge
from irgauge.simulation.truth import Truth, true_means

TRUTH, JUDGE = "truth.json", "judge.qrels"
_OF_SYSTEMS = ("systems", "families", "equal")  # what says nothing of instances


@dataclass(frozen=True, kw_only=True)
class SimulateOptions:
    """What is asked of a simulation."""

    systems: Annotated[int | None, Help("Systems; 20 if not given.", most=100_000)] = None
    families: Annotated[int | None, Help("Families of related systems; 5 if not given.")] = None
    topics: Annotated[int, Help("Topics.", most=1_000_000)] = 50
    depth: Annotated[int, Help("Documents that a system retrieves at most.")] = 1000
    corpus_size: Annotated[int, Help("Documents in the corpus.")] = 50_000
    equal: Annotated[int | None, Help("Number of systems with exactly the same true effectiveness.")] = None
    instances: Annotated[
        int | None,
        Help("Random systems instead: one exhaustive search, and this many instances of each search that samples."),
    ] = None
    judge: Annotated[
        JudgeDesign | str | None,
        Help(
            "Also judgments by a model, judge.qrels: chances of a random grade, of one that is too high, and of favour "
            "for the first system, such as noise=0.2,leniency=0.1,favour=0.3.",
            read=JudgeDesign.parse,
            metavar="CHANCES",
        ),
    ] = None
    seed: Annotated[int, Help("The same seed gives the same files.", least=0, most=LARGEST_SEED)] = 0
    workers: Annotated[int | None, Help("Threads; all cores if not given.", least=1, most=4096)] = None

    def __post_init__(self) -> None:
        beside = [name for name in _OF_SYSTEMS if getattr(self, name) is not None]
        if self.instances is not None and beside:
            raise DesignError(
                f"'{beside[0]}' cannot be given beside 'instances', which makes systems of its own; leave one of the "
                "two out"
            )

    @property
    def design(self) -> Design | InstanceDesign:
        """The design of the collection, or of the instances."""
        of_systems = {name: value for name in _OF_SYSTEMS if (value := getattr(self, name)) is not None}
        if self.instances is not None:
            of_systems = {"systems": 1, "families": 1}
        shape = {"topics": self.topics, "depth": self.depth, "corpus_size": self.corpus_size, "seed": self.seed}
        design = Design(**of_systems, **shape)
        return design if self.instances is None else InstanceDesign(instances=self.instances, collection=design)


@dataclass(frozen=True, eq=False, repr=False)
class Simulated(Brief):
    """A synthetic collection whose truth is known."""

    simulation: Simulation | InstanceSimulation
    judge: JudgeDesign | None = None

    def _facts(self) -> dict[str, str]:
        drawn = self.simulation.simulation if isinstance(self.simulation, InstanceSimulation) else self.simulation
        return {
            "runs": some(drawn.systems.names),
            "topics": f"{len(drawn.topics):,}",
            "corpus size": f"{drawn.design.corpus_size:,}",
            "seed": str(drawn.design.seed),
        }

    def collection(self) -> Collection:
        """The collection that `load` would read from the files that `write` writes."""
        return self.simulation.collection()

    @cached_property
    def _collection(self) -> Collection:
        """Kept, as several studies may be asked of it."""
        return self.collection()

    def as_data(self) -> Collection:
        """The collection, for studies."""
        return self._collection

    def judgments(self) -> Judgments | None:
        """The judgments of the model, as a judge of `judges`; None where none was asked for."""
        if self.judge is None:
            return None
        drawn = self.simulation.simulation if isinstance(self.simulation, InstanceSimulation) else self.simulation
        return simulate_judge(self._collection, self.judge, seed=drawn.design.seed)

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write `qrels.txt` and `runs/`, of instances `manifest.txt`, and `judge.qrels` if there is a judge.

        The same bytes for the same options.
        """
        with self.simulation.writing(Path(folder)) as temporary:
            self.write_judge(temporary)

    def write_judge(self, folder: Path) -> None:
        """Write the judgments of the model, where there are some."""
        rows = (self.judgments() or {}).items()
        pairs = [(topic, docno, grade) for topic, own in rows for docno, grade in own.items()]
        if pairs:
            write_qrels(folder / JUDGE, pairs)

    def truth(
        self, topics: int = 2000, *, workers: int | None = None, progress: Progress | None = None
    ) -> Truth | InstanceTruth:
        """The true mean of each measure, over so many fresh topics; of instances their variance components too."""
        if isinstance(self.simulation, InstanceSimulation):
            return true_instances(self.simulation.design, topics=topics, workers=workers, progress=progress)
        return true_means(self.simulation.design, topics=topics, workers=workers, progress=progress)


@verb_without_data(SimulateOptions)
def simulate(options: SimulateOptions) -> Simulated:
    """Make a synthetic collection whose truth is known.

    Systems come in related families, topics differ in difficulty and in their number of relevant documents, judgments
    are graded, scores have ties. With `instances` the runs are an exhaustive search, which is deterministic, and
    searches that sample 0.1, 0.5, 1 and 4 % of the corpus, each with so many instances.

    >>> simulate(systems=4, families=2, topics=3, depth=10, corpus_size=100).collection().systems
    ('F1-1', 'F1-2', 'F2-1', 'F2-2')
    >>> len(simulate(instances=2, topics=3, depth=10, corpus_size=100).collection().systems)
    9
    """
    design = options.design
    judge = JudgeDesign.parse(options.judge) if isinstance(options.judge, str) else options.judge
    if isinstance(design, InstanceDesign):
        return Simulated(simulate_instances(design, workers=options.workers), judge)
    return Simulated(collections.simulate(design, workers=options.workers), judge)


def write_all(simulated: Simulated, truth: Truth | InstanceTruth, folder: Path) -> None:
    """Write the collection, and its truth beside it: all or none."""
    with simulated.simulation.writing(folder) as temporary:
        truth.save(temporary / TRUTH)
        simulated.write_judge(temporary)
