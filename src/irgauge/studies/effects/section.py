"""The part of a report that says how much each factor and interaction matters, by measure."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.show.page import Panel, Variant, panel
from irgauge.show.words import SIZES
from irgauge.studies.effects import charts, tables
from irgauge.studies.effects.findings import findings
from irgauge.studies.effects.study import EffectSizes, effects
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown, ran, tried


def run(reporting: Reporting) -> Ran:
    """The effects on all measures, on the shards of the report."""
    unless = None if reporting.has_replicates else reporting.unsharded or "no shards were asked for"
    with reporting.telling("effect sizes") as progress:
        result = tried(
            lambda: effects(
                reporting.data,
                reporting.measures,
                shards=() if reporting.shards is None else reporting.shards,
                progress=progress,
                **reporting.replicated,
            ),
            unless,
        )
    return ran({"effect sizes": result})


def shown(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as all sections
    """Sentences, charts and a table."""
    (result,) = ran.results
    return findings(result), _panels(result)


def _panels(result: EffectSizes) -> Iterator[Panel]:
    yield from panel(
        "effect-sizes",
        "Sizes of effects",
        "ω² of each factor and interaction, by measure.",
        [Variant(figure=charts.sizes(result))],
    )
    yield from panel(
        "effect-table",
        "Sizes of effects in numbers",
        "ω² of each factor and interaction.",
        [Variant(table=tables.omega2_table(result), provenance=result.provenance)],
    )
    if charts.cutoff_curves(result):
        yield from panel(
            "effect-curves",
            "Effects by cut-off",
            "ω² of each factor and interaction against the cut-off of measures.",
            [Variant(figure=charts.curves(result))],
        )


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:  # noqa: ARG001  # as all sections
    """How it was done, fit for an appendix."""
    if ran.results:
        yield (
            "Effect sizes",
            "The size of an effect is ω² = df(F − 1)/(df(F − 1) + N), with F against the residual of MD6 and N scores; "
            f"it is {SIZES} (Ferro, Kim and Sanderson 2019). Values below 0 are to be read as 0. Whether it is "
            "significant was tested with topics as a sample: systems against topic:system, shards against topic:shard "
            "(degrees of freedom times ε of Huynh and Feldt), all else against the residual.",
        )


PART = ReportPart(  # without a headline: the analyses of variance say at the top of the page how large effects are
    key="effects",
    title="How much do topic, system, shard and their interactions matter?",
    run=run,
    shown=shown,
    methods=methods,
    references=("ferro-kim-sanderson-2019",),
)
