"""The truth of a simulated collection: what each system is worth over the population of topics and documents."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.files.opening import read_bytes
from irgauge.files.writing import write
from irgauge.options.progress import Progress
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import score
from irgauge.simulation.collections import UNITS, Design, draw_systems, simulate_topics

TRUTH_MEASURES = ("AP", "P@10", "nDCG@10", "RBP(p=0.95)", "RR", "R@1000")
_STREAM = 2  # of random numbers, after those of systems and topics
_CHUNK = 50  # topics that are held at a time


@dataclass(frozen=True)
class Truth:
    """The true mean of each measure for each system, over the population of topics and documents."""

    design: Design
    measures: tuple[Measure, ...]
    topics: int  # over which the means are taken
    means: Floats  # measure, system
    errors: Floats  # measure, system: standard errors of the means

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, with the design and its systems."""
        systems = _descriptions(self.design)
        cells = np.stack([self.means, self.errors], axis=2).tolist()  # measure, system, (mean, se)
        measures = {
            str(measure): {s["name"]: {"mean": mean, "se": se} for s, (mean, se) in zip(systems, row, strict=True)}
            for measure, row in zip(self.measures, cells, strict=True)
        }
        facts = {"design": asdict(self.design), "systems": systems, "truth_topics": self.topics, "measures": measures}
        write(path, json.dumps(facts, indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Truth:
        """Read what `save` wrote."""
        text = read_bytes(path).tobytes()
        try:
            facts = json.loads(text)
            rows = [by_system.values() for by_system in facts["measures"].values()]
            means, errors = (np.array([[float(cell[key]) for cell in row] for row in rows]) for key in ("mean", "se"))
            parsed, design = parse_measures(facts["measures"]), Design(**facts["design"])
            if means.shape != (len(parsed), design.systems):
                raise ValueError(f"{design.systems} systems by {len(parsed)} measures have {means.size} means")
            return cls(design, parsed, facts["truth_topics"], means, errors)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
            raise InputError(f"this is not a truth.json of `irgauge simulate` ({error})", path=str(path)) from None


def _descriptions(design: Design) -> list[dict[str, Any]]:
    """What the JSON says of each system."""
    systems = draw_systems(design)
    equal = systems.names[: design.equal]
    columns = (systems.names, systems.qualities.tolist(), systems.lengths.tolist(), (systems.steps / UNITS).tolist())
    return [
        {"name": name, "family": name.split("-")[0], "quality": quality, "length": length, "step": step}
        | {"equal_to": [other for other in equal if name in equal and name != other]}
        for name, quality, length, step in zip(*columns, strict=True)
    ]


def true_means(
    design: Design,
    measures: Iterable[str | Measure] = TRUTH_MEASURES,
    *,
    topics: int = 2000,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Truth:
    """The true means μ_s = E_t[m(s, t)] of measures m, taken over fresh topics of the same population.

    >>> truth = true_means(Design(systems=3, families=1, equal=2, depth=10, corpus_size=100), ["AP"], topics=50)
    >>> bool(truth.means[0, 0] == truth.means[0, 1])
    True
    """
    if topics < 2:
        raise DesignError(f"topics={topics} is not possible; the truth is taken over at least 2")
    parsed = parse_measures(measures)
    values = np.empty((len(parsed), topics, design.systems))
    for first in range(0, topics, _CHUNK):
        last = min(first + _CHUNK, topics)
        chunk = simulate_topics(design, [(_STREAM, topic) for topic in range(first, last)], workers)
        values[:, first:last] = score(chunk.collection(), parsed, workers=workers).values[..., 0]
        if progress is not None:
            progress(last, topics)
    if design.equal:  # these are exchangeable, so that their mean is the truth of each
        values[:, :, : design.equal] = values[:, :, : design.equal].mean(axis=2, keepdims=True)
    return Truth(design, parsed, topics, values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(topics))
