"""The part of a report that says how reliable the ranking is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from irgauge.show.page import Choices, Panel, Variant, panel
from irgauge.studies.plan.reliability_chart import reliability
from irgauge.studies.plan.reliability_tables import reliability_tables
from irgauge.studies.plan.study import Planned

REFERENCES = ("brennan-2001", "urbano-2013", "arteaga-1982")
_TABLES = (
    ("sources", "Where the variance of scores comes from", "The variance of one score, by what it comes from."),
    ("reliability", "How reliable the ranking is, in numbers", "Eρ², Φ and Kendall's τ, by the number of topics."),
    ("ranking-needed", "Topics that a reliable ranking needs", "The topics with which Eρ² and Φ are as wanted."),
)


def reliability_panels(results: Sequence[Planned], choices: Callable[[Planned], Choices]) -> Iterator[Panel]:
    """A chart, then tables; none where no ranking is planned for."""
    ranked = [result for result in results if result.reliability is not None]
    yield from panel(
        "plan-reliability",
        "How reliable the ranking is",
        "Eρ² and Φ, and Kendall's τ with the true ranking, by the number of topics.",
        [Variant(choices(result), reliability(result)) for result in ranked],
    )
    for name, title, caption in _TABLES:
        forms = [
            Variant(choices(result), table=table, provenance=result.ranking_provenance)
            for result in ranked
            for table in reliability_tables(result)
            if table.name == name
        ]
        yield from panel(f"plan-{name}-table", title, caption, forms)


def reliability_methods(results: Sequence[Planned]) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    found = [result.reliability for result in results if result.reliability is not None]
    if not found:
        return
    shards = " (on shards, by draws of all mean squares)" if any(one.size.replicates > 1 for one in found) else ""
    yield (
        "Reliability of the ranking",
        "Systems, topics and shards were taken as samples, and the variance of each term of a score was estimated from "
        "the expected mean squares; estimates below 0 count as 0. Eρ² = σ_s²/(σ_s² + σ²(δ)) and "
        "Φ = σ_s²/(σ_s² + σ²(Δ)), where σ²(δ) is the error of the means of systems relative to each other, and σ²(Δ) "
        "that of the means themselves (Brennan 2001; Urbano, Marrero and Martín 2013). Intervals are by F"
        f"{shards}; those of Φ are approximate (Arteaga, Jeyaratnam and Franklin 1982). Kendall's τ with the true "
        "ranking is the mean, over pairs, of how much more often a pair is in the right order than in the wrong one, "
        "with the differences seen shrunk by √Eρ².",
    )
