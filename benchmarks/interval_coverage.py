"""What intervals of system effects by the paper's bootstrap cover: `python -m benchmarks.interval_coverage`.

The truth is drawn: normal effects of systems, topics and their interaction, and normal errors, with the standard
deviations that AP has on TREC-8 split at random. An interval covers documents where it holds the mean of the system on
these topics, topics where it holds that of all topics; both less those of all systems.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irgauge.inference.comparison import Pairs
from irgauge.inference.intervals import MeanInterval
from irgauge.studies.partition.inferring import Drawing, Inference, infer

Floats = NDArray[np.float64]
ERRORS = {2: 0.084, 3: 0.101, 5: 0.124}  # number of parts -> standard deviation of a score in a part
SYSTEM, TOPIC, INTERACTION = 0.097, 0.2, 0.1  # standard deviations of effects
TOPICS, SYSTEMS, DRAWS, TRIALS = 50, 30, 10_000, 300
KINDS = ("plain", "adjusted", "printed")


def coverage(parts: int, *, interactions: bool, trials: int = TRIALS) -> dict[tuple[str, str], float]:
    """The share of intervals of each kind that cover documents, and topics."""
    hits: dict[tuple[str, str], list[float]] = {}
    for trial in range(trials):
        values, truths = world(parts, np.random.default_rng((trial, parts)))
        inference = inferred(values, interactions=interactions)
        for kind in KINDS:
            for population, truth in truths.items():
                hits.setdefault((kind, population), []).append(_hits(getattr(inference, kind), truth))
    return {key: float(np.mean(shares)) for key, shares in hits.items()}


def world(parts: int, rng: np.random.Generator) -> tuple[Floats, dict[str, Floats]]:
    """values[topic, system, part], and the true effects of the systems on these topics, and on all."""
    systems = rng.normal(0, SYSTEM, SYSTEMS)
    both = rng.normal(0, INTERACTION, (TOPICS, SYSTEMS))
    cells = rng.normal(0, TOPIC, (TOPICS, 1)) + systems + both
    on_these = systems + both.mean(axis=0)
    values = cells[:, :, None] + rng.normal(0, ERRORS[parts], (TOPICS, SYSTEMS, parts))
    return values, {"documents": on_these - on_these.mean(), "topics": systems - systems.mean()}


def inferred(values: Floats, *, interactions: bool) -> Inference:
    """What the paper's bootstrap says of one split."""
    drawing = Drawing(0.05, seed=0, drawn="residuals", interactions=interactions, p="paper", draws=DRAWS)
    pairs = Pairs.all_of(tuple(f"s{system}" for system in range(SYSTEMS)), values.mean(axis=(0, 2)))
    return infer(drawing.fit(values), (0,), pairs, drawing)


def _hits(interval: MeanInterval, truth: Floats) -> float:
    return float(((interval.low <= truth) & (truth <= interval.high)).mean())


def main() -> None:
    """Print the rows of a table."""
    for parts in ERRORS:
        for interactions in (False, True):
            shares = coverage(parts, interactions=interactions)
            cells = [f"{shares[kind, population]:.1%}" for population in ("documents", "topics") for kind in KINDS]
            print(f"| {parts} | {'with' if interactions else 'without'} | {' | '.join(cells)} |".replace("%", " %"))


if __name__ == "__main__":
    main()
