"""The sections of a report: one for each question, with its sentences, charts and tables, or why it has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from irgauge.errors import DesignError
from irgauge.present import (
    charts,
    comparisons,
    gallery,
    overview,
    precision,
    precision_charts,
    precision_findings,
    style,
)
from irgauge.present import report_findings as told
from irgauge.present import report_tables as made
from irgauge.present.page import Panel, Section, Variant
from irgauge.present.report_absent import absent, reasons, there
from irgauge.present.report_instances import instances
from irgauge.present.report_panels import (
    box_forms,
    interaction_forms,
    interval_forms,
    of_measure,
    one_form,
    pair_forms,
    pairs_shown,
    panel,
    series_forms,
    table_panel,
    tables,
    topic_forms,
)
from irgauge.present.report_partitions import partitions
from irgauge.present.report_pools import pools
from irgauge.present.sentences import counted
from irgauge.present.tables import Table
from irgauge.studies.effects import Effects
from irgauge.studies.reliability import Reliability
from irgauge.studies.report import Missing, Report
from irgauge.studies.significance import Significance
from irgauge.studies.variance import Variance


def sections(report: Report) -> tuple[Section, ...]:
    """All sections, in their order."""
    makers = (data, systems, differences, needed, effects, robustness, partitions, precise, pools, instances)
    return tuple(make(report) for make in makers)


def data(report: Report) -> Section:
    """What the data are."""
    preflight = report.preflight
    counts, runs, findings = overview.preflight_tables(preflight)
    seen = "all" if report.documents == report.corpus_size else f"{report.documents:,}"
    lead = (
        f"{counted(preflight.systems, 'system')} on {counted(preflight.topics, 'topic')} with "
        f"{counted(preflight.relevant, 'relevant document')}; the corpus has "
        f"{counted(report.corpus_size, 'document')}, {seen} of them in runs and judgments.",
    )
    panels = [
        table_panel("data", "The data", "Counts of what was read.", counts),
        table_panel("runs", "The runs", "What each run looks like.", runs),
    ]
    if findings.rows:
        panels.append(table_panel("preflight", "What to know of the data", "What the check found.", findings))
    return Section(told.DATA, "Can these data be used?", lead, tuple(panels))


def systems(report: Report) -> Section:
    """How effective each system is."""
    summary = report.summary
    forms = [
        (
            of_measure(one.measure),
            overview.summary_table(
                replace(summary, means=tuple(mean for mean in summary.means if mean.measure == one.measure)),
                report.precision,
            ),
        )
        for one in report.measures
    ]
    caption = "Means over topics on the whole corpus, with standard errors and intervals for other topics."
    means = panel("means", "Means of all systems", caption, "A table of systems, best first.", tables(forms))
    best = [next(mean for mean in summary.means if mean.measure == one.measure) for one in report.measures]
    lead = [f"On the whole corpus {one.system} has the highest mean {one.measure}, {one.mean:.4f}." for one in best]
    return Section(told.SYSTEMS, "How effective is each system?", tuple(lead), (means,))


def differences(report: Report) -> Section:
    """Which systems differ."""
    title = "Which systems differ, and for which population?"
    found = there((one, one.significance) for one in report.measures)
    if not found:
        return absent(told.DIFFERENCES, title, [one.significance for one in report.measures])
    kinds = (told.best_systems, told.coverages, told.unresolved_neighbours)
    lead = [finding.text for kind in kinds for one, _ in found for finding in kind(one)]
    if report.unsharded is not None:
        lead.insert(0, f"Comparisons are of the whole corpus, and cover other topics only: {report.unsharded.reason}.")
    lead += reasons((one.measure, one.significance) for one in report.measures)
    return Section(told.DIFFERENCES, title, tuple(lead), tuple(_difference_panels([results for _, results in found])))


def _difference_panels(found: Sequence[tuple[Significance, ...]]) -> Iterator[Panel]:
    each = [result for results in found for result in results]
    count = len(each[0].systems)
    shown = pairs_shown(count)
    some = f"Of {count} systems the best {shown} are shown; p is adjusted for all pairs. " if shown < count else ""
    yield panel(
        "intervals",
        "Systems with their intervals",
        "Bars that do not overlap belong to systems that Tukey's test tells apart.",
        "Means of systems from best to worst, each with three intervals; the top group is marked.",
        (form for results in found for form in interval_forms(results)),
    )
    yield panel(
        "populations",
        "What the claim covers",
        "The same comparison, generalised to other documents, to other topics, or to both.",
        "A table of populations.",
        tables(
            (of_measure(first.measure), made.population_table(first.comparisons, style.setting(first)))
            for first, *_ in found
        ),
    )
    yield panel(
        "systems",
        "All systems with their groups",
        "Systems that share a letter cannot be told apart.",
        "A table of systems, best first.",
        tables((_both(result), made.system_table(result)) for result in each),
    )
    yield panel(
        "neighbours",
        "Neighbours in the ranking",
        "Whether a system is told from the next one, for each population.",
        "A table of pairs of neighbours, best first.",
        tables((of_measure(first.measure), made.neighbour_table(first)) for first, *_ in found),
    )
    yield panel(
        "pairs-map",
        "Pairs of systems by their p",
        "A cell is a pair; p is adjusted for all pairs.",
        "A triangle of cells, one for each pair of systems, best first on both axes; darker cells have a smaller p.",
        (form for results in found for form in pair_forms(results)),
    )
    yield panel(
        "pairs",
        "Pairs of systems",
        f"{some}Differences, their intervals and p.",
        "A table of pairs.",
        tables((_both(result), made.pair_table(result.comparison, shown, style.setting(result))) for result in each),
    )


def _both(result: Significance) -> tuple[tuple[str, str], ...]:
    return (*of_measure(result.measure), ("population", result.comparison.population))


def needed(report: Report) -> Section:
    """How many topics would separate the top group."""
    title = "How many topics would separate the top group?"
    found = there((one, one.needed) for one in report.measures)
    if not found:
        return absent(told.NEEDED, title, [one.needed for one in report.measures])
    lead = [finding.text for one, _ in found for finding in told.topics_needed(one)]
    lead += reasons((one.measure, one.needed) for one in report.measures)
    forms = list(tables((of_measure(one.measure), made.needed_table(result, one.measure)) for one, result in found))
    caption = "For each system of the top group, the topics on which the best would be told from it."
    panels = (panel("topics-needed", "Topics needed", caption, "A table of pairs.", forms),) if forms else ()
    return Section(told.NEEDED, title, tuple(lead), panels)


def effects(report: Report) -> Section:
    """What makes scores vary."""
    title = "How much do topic, system, shard and their interactions matter?"
    found = there((one, one.variance) for one in report.measures)
    if not found:
        return absent(told.EFFECTS, title, [one.variance for one in report.measures])
    lead = [finding.text for one, _ in found for finding in told.effect_sizes(one)]
    lead += reasons((one.measure, one.variance) for one in report.measures)
    if isinstance(report.effects, Missing):
        lead.append(f"Without shards there are no interactions: {report.effects.reason}.")
    panels = [] if isinstance(report.effects, Missing) else list(_size_panels(report.effects))
    return Section(told.EFFECTS, title, tuple(lead), (*panels, *_variance_panels([result for _, result in found])))


def _size_panels(found: Effects) -> Iterator[Panel]:
    sizes, _ = comparisons.effects_tables(found)
    yield panel(
        "effect-sizes",
        "Sizes of effects",
        "ω² of each factor and interaction, by measure.",
        "A grid of measures by factors; darker cells are larger effects.",
        [one_form(charts.effect_heatmap(found))],
    )
    yield table_panel("effect-table", "Sizes of effects in numbers", "ω² of each factor and interaction.", sizes)
    try:
        curves = one_form(charts.effect_curves(found))
    except DesignError:
        return  # no measure has several cut-offs
    caption = "ω² of each factor and interaction against the cut-off of measures."
    yield panel("effect-curves", "Effects by cut-off", caption, "Lines of ω² against the cut-off.", [curves])


def _variance_panels(found: Sequence[Variance]) -> Iterator[Panel]:
    yield panel(
        "main-effects",
        "Means of topics, systems and shards",
        "A steep line is a large effect.",
        "Marginal means of each factor's levels from best to worst.",
        (Variant(of_measure(one.measure), chart=gallery.variance_chart(one, "main")) for one in found),
    )
    interactions = [form for one in found for form in interaction_forms(one)]
    if interactions:
        yield panel(
            "interactions",
            "Interactions",
            "Lines that are not parallel are an interaction.",
            "A line for each level of one factor over the levels of another.",
            interactions,
        )
    for place, (key, title) in enumerate((("anova", "Analysis of variance"), ("error-terms", "Tests of systems"))):
        forms = [(of_measure(one.measure), comparisons.variance_tables(one)[place]) for one in found]
        yield panel(key, title, "Mean squares, F and p.", "A table of sources of variation.", tables(forms))
    checks = [(of_measure(one.measure), comparisons.variance_tables(one)[-1]) for one in found]
    yield panel("checks", "Assumptions", "Tests of what F tests assume.", "A table of checks.", tables(checks))


def robustness(report: Report) -> Section:
    """Whether conclusions hold for other splits and models."""
    title = "Do conclusions hold whatever the split and the model?"
    found = there((one, one.robustness) for one in report.measures)
    if not found:
        return absent(told.ROBUSTNESS, title, [one.robustness for one in report.measures])
    lead = [finding.text for one, _ in found for finding in told.stability(one)]
    lead += reasons((one.measure, one.robustness) for one in report.measures)
    series = there((one, one.series) for one in report.measures)
    outcomes, spreads = (
        [(of_measure(one.measure), comparisons.robustness_tables(result)[place]) for one, result in found]
        for place in (0, 1)
    )
    panels = [
        panel(
            "stability",
            "Differences and order over splits",
            "By model and number of shards.",
            "Numbers of significant pairs and Kendall's τ against the number of shards.",
            (Variant(of_measure(one.measure), chart=gallery.robustness_chart(result)) for one, result in found),
        ),
        panel("outcomes", "Outcomes", "By model and number of shards.", "A table of models.", tables(outcomes)),
        panel("splits", "Over splits", "How much depends on the split.", "A table of models.", tables(spreads)),
    ]
    if series:
        forms = (form for one, result in series for form in series_forms(one, result, report.settings))
        caption = "Tukey's intervals of each model, of the same scores."
        panels.append(
            panel("models", "Intervals by model", caption, "Means of systems in a band for each model.", forms)
        )
    return Section(told.ROBUSTNESS, title, tuple(lead), tuple(panels))


def precise(report: Report) -> Section:
    """How precise each measure is."""
    title = "How precise is each measure?"
    found = [result for result in report.reliability.values() if not isinstance(result, Missing)]
    if not found:
        return absent(told.PRECISION, title, list(report.reliability.values()))
    lead = precision_findings.findings(found[0])
    lead += [finding.text for finding in told.justified_digits(report)[1:]]  # the first stands among the above
    lead += [f"Drawing {reason}" for reason in reasons(report.reliability.items())]
    return Section(told.PRECISION, title, tuple(lead), tuple(_precision_panels(found)))


def _precision_panels(found: Sequence[Reliability]) -> Iterator[Panel]:
    each = [precision.reliability_tables(one) for one in found]  # measures, systems, and swaps if there are any
    by = [(("population", one.resample),) for one in found]
    yield panel(
        "precision",
        "Precision of each measure",
        "How much differences, scores, means and ranks vary over images.",
        "A table of measures.",
        tables((choices, of[0]) for choices, of in zip(by, each, strict=True)),
    )
    yield panel(
        "mean-boxes",
        "Means of systems over images",
        "How far the mean of a system moves with other documents or topics.",
        "Box plots of systems, best first.",
        (form for one in found for form in box_forms(one, "systems")),
    )
    if len(found[0].systems) > 1:
        seen = "Box plots of the ranks of systems, best first."
        forms = (form for one in found for form in box_forms(one, "ranks"))
        caption = "How far the rank of a system moves with other documents or topics."
        yield panel("rank-boxes", "Ranks of systems over images", caption, seen, forms)
        seen = "Lines of standard deviations by rank, one for each measure."
        deviations = (one_form(precision_charts.deviations(one), population=one.resample) for one in found)
        caption = "How far the means of good and of poor systems move."
        yield panel("deviations", "Deviations of means", caption, seen, deviations)
    yield from _topic_panels(found)
    yield panel(
        "image-systems",
        "Means and ranks of all systems over images",
        "With percentile intervals.",
        "A table of systems, best first.",
        tables(form for one, of in zip(found, each, strict=True) for form in _by_measure(one, of[1])),
    )
    swaps = [(choices, of[2]) for choices, of in zip(by, each, strict=True) if len(of) > 2]
    if swaps:
        caption = "Pairs whose order is not the same in all images."
        yield panel("swaps", "Neighbours that swap", caption, "A table of pairs of neighbours.", tables(swaps))


def _topic_panels(found: Sequence[Reliability]) -> Iterator[Panel]:
    """What varies on single topics, where documents are drawn."""
    drawn = next((one for one in found if one.moments is not None), None)
    if drawn is None:
        return
    seen = "Box plots of the scores of the best system on each topic."
    caption = "How far the score of the best system on a topic moves with other documents."
    yield panel("topic-boxes", "Topics of the best system over images", caption, seen, topic_forms(drawn))
    if len(drawn.topics) > 1:
        seen = "Lines of deviations over topics, one for each measure."
        spread = [one_form(precision_charts.topic_spread(drawn))]
        caption = "How far the scores of systems on a topic move with other documents."
        yield panel("topic-spread", "How much scores vary on each topic", caption, seen, spread)


def _by_measure(found: Reliability, table: Table) -> Iterator[tuple[tuple[tuple[str, str], ...], Table]]:
    """A table whose first column is the measure, measure by measure."""
    for measure in found.measures:
        rows = tuple(row[1:] for row in table.rows if row[0] == measure)
        part = replace(table, columns=table.columns[1:], rows=rows, group_by=None, title=f"{table.title} by {measure}")
        yield (*of_measure(measure), ("population", found.resample)), part
