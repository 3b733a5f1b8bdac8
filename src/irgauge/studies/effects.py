"""How much do topic, system, shard and their interactions matter? (Ferro, Kim and Sanderson 2019, section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irgauge.errors import DesignError
from irgauge.models.anova import Model, decompose
from irgauge.reading.collection import Collection, Progress
from irgauge.replicates.shards import sharding
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Fill
from irgauge.studies.measurement import measure_shards


@dataclass(frozen=True)
class Effect:
    """The effect of one factor or interaction, for a measure and a way to split the corpus."""

    measure: str
    cutoff: int | None
    shards: str
    topics: int
    source: str
    omega2: float
    size: str
    p: float
    significant: bool


@dataclass(frozen=True)
class Effects:
    """Effect sizes of all factors, by measure and by sharding."""

    model: str
    alpha: float
    fill: str
    seed: int
    topics: int  # the fewest of any sharding, where undefined cells were dropped
    systems: int
    population: str
    kept: str
    effects: tuple[Effect, ...]

    def counts(self) -> dict[str, dict[str, int]]:
        """How many effects of each source are large, medium, small, negligible, or not significant."""
        counts: dict[str, Counter[str]] = {}
        for effect in self.effects:
            size = effect.size if effect.significant else "not significant"
            counts.setdefault(effect.source, Counter())[size] += 1
        return {source: dict(sizes) for source, sizes in counts.items()}


def effect_sizes(
    collection: Collection,
    measures: Iterable[str | Measure],
    shards: Sequence[str],
    *,
    model: str = "MD6",
    alpha: float = 0.05,
    fill: Fill | str = "zero",
    keep: str = "all",
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Effects:
    """ω² of every term of the model, with the residual as its error (population: documents)."""
    parsed, chosen = parse_measures(measures), Model.parse(model)
    if not shards:
        raise DesignError("effect sizes need shards; name at least one way to split, such as even:5")
    effects = []
    for done, spec in enumerate(shards, 1):
        measured = measure_shards(
            collection, parsed, sharding(collection, spec), fill=fill, keep=keep, seed=seed, workers=workers
        )
        for m, measure in enumerate(parsed):
            effects += [
                Effect(
                    measure=str(measure),
                    cutoff=measure.cutoff,
                    shards=spec,
                    topics=len(measured.scores.topics),
                    source=row.source,
                    omega2=row.omega2,
                    size=row.size,
                    p=row.p,
                    significant=bool(row.p <= alpha),
                )
                for row in decompose(measured.values(m)).fit(chosen).rows
            ]
        if progress is not None:
            progress(done, len(shards))
    scores = measured.scores
    return Effects(
        model=str(chosen),
        alpha=alpha,
        fill=str(fill),
        seed=seed,
        topics=min(effect.topics for effect in effects),
        systems=len(scores.systems),
        population="documents",
        kept=keep,
        effects=tuple(effects),
    )
