"""What a report says in sentences that can be quoted, each with what it covers and how it was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

from irgauge.inference.comparison import Comparison
from irgauge.inference.equivalence import Verdict
from irgauge.models.anova import Row
from irgauge.present import instance_findings, partition_findings, pool_findings, style
from irgauge.present.page import Finding
from irgauge.present.precision_findings import METHODS, POPULATIONS, percent, two_digits
from irgauge.present.sentences import counted, listed
from irgauge.studies.claims import Coverage, coverage, neighbours
from irgauge.studies.pools import Pools
from irgauge.studies.precision import precision
from irgauge.studies.reliability import Reliability
from irgauge.studies.report import WIDTH, Divided, Missing, OfMeasure, OverInstances, Report
from irgauge.studies.robustness import Robustness, Stability
from irgauge.studies.significance import Significance
from irgauge.studies.topics_needed import MOST, Needed, TopicsNeeded
from irgauge.studies.variance import Variance

DATA, SYSTEMS, DIFFERENCES, NEEDED, EFFECTS, ROBUSTNESS, PARTITIONS, PRECISION, POOLS, INSTANCES = (
    "data",
    "systems",
    "differences",
    "topics-needed",
    "effects",
    "robustness",
    "partitions",
    "precision",
    "pools",
    "instances",
)  # the keys of sections
FOR = {
    "documents": "for other documents on these topics",
    "topics": "for other topics",
    "both": "for other topics and other documents",
}
_NAMED = 5  # systems or pairs in a sentence
_MANY = 100  # pairs, whose mean number is told without decimals
_INTERACTION = ":"
_VERDICTS: dict[Verdict, str] = {
    "better": "better than",
    "equivalent": "equivalent to",
    "not worse": "not worse than",
    "not better": "not better than",
    "worse": "worse than",
    "inconclusive": "neither shown to differ from nor to be as good as",
}


def findings(report: Report) -> tuple[Finding, ...]:
    """All that stands at the top: what was found by each measure in turn, then the precision of all."""
    kinds = (best_systems, coverages, _neighbours_at_the_top, topics_needed, effect_sizes, stability)
    told: list[Finding] = []
    for one in report.measures:
        own = [*over_instances(report, one), *(finding for kind in kinds for finding in kind(one))]
        own += [*over_splits(report, one), *shallow_pools(report, one)]
        told += [replace(finding, measure=one.measure) for finding in own]
    return (*told, *justified_digits(report))


def population(name: str) -> str:
    """What a claim covers, by its name and in words."""
    return f"{name} ({POPULATIONS[name]})"


def method(result: Significance) -> str:
    """The test, the model and the scores that it was fitted to."""
    comparison = result.comparison
    split = f"{result.model} on {comparison.shards} shards ({result.shards}, seed {result.seed})"
    model = split if comparison.shards > 1 else f"{result.model} on the whole corpus"
    return f"Tukey's HSD test of {style.family(comparison)}, α = {comparison.alpha:g}; {model}"


def some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    if len(names) <= _NAMED:
        return listed(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"


def best_systems(one: OfMeasure) -> list[Finding]:
    """The best system and its top group, under each population."""
    if isinstance(one.significance, Missing):
        return []
    return [_best(result) for result in one.significance]


def _best(result: Significance) -> Finding:
    comparison = result.comparison
    where, best = FOR[comparison.population], comparison.systems[0]
    others = comparison.top_group[1:]
    over = " over topics and shards" if comparison.shards > 1 else ""
    first = f"By {result.measure}, {best} is the best of {counted(len(comparison.systems), 'system')}"
    first = f"{first} (mean{over} {comparison.means[0]:.3f})"
    if not others:
        rest = "every other one" if len(comparison.systems) > 2 else comparison.systems[1]
        text = f"{first}, and {where} it is told from {rest}."
    else:
        text = f"{first}; {where} {counted(len(others), 'system')} cannot be told from it: {some(others)}."
    return Finding(text, population(comparison.population), method(result), DIFFERENCES)


def coverages(one: OfMeasure) -> list[Finding]:
    """Which conclusions hold for other documents only, and which for other topics too; of two systems all is told."""
    if isinstance(one.significance, Missing) or len(one.significance[0].systems) == 2:
        return []
    result = one.significance[0]
    found = coverage(result.comparisons)
    text = _covered(found, one.measure) if found else _one_population(result.comparison, one.measure)
    covers = listed([compared.population for compared in result.comparisons])
    return [Finding(text, covers, method(result), DIFFERENCES)]


def _covered(found: Coverage, measure: str) -> str:
    first = (
        f"Of {counted(found.pairs, 'pair')} of systems, {found.documents:,} differ in {measure} {FOR['documents']}; "
        f"{found.documents_and_topics:,} of these differ {FOR['topics']} too, and {found.documents_only:,} hold for "
        "other documents only"
    )
    only = f", {found.topics_only:,} more differ {FOR['topics']} only" if found.topics_only else ""
    return f"{first}{only}; {found.both:,} differ {FOR['both']} together."


def _one_population(comparison: Comparison, measure: str) -> str:
    pairs = counted(len(comparison.significant), "pair")
    found = f"Of {pairs} of systems, {comparison.significant_count:,} differ in {measure} {FOR[comparison.population]}"
    return f"{found}; without shards nothing is known of other documents."


def unresolved_neighbours(one: OfMeasure) -> list[Finding]:
    """Which neighbours in the ranking cannot be told apart, under each population; of two systems all is told."""
    if isinstance(one.significance, Missing) or len(one.significance[0].systems) == 2:
        return []
    return [_unresolved(result) for result in one.significance]


def _neighbours_at_the_top(one: OfMeasure) -> list[Finding]:
    """Of the first population and of the widest."""
    told = unresolved_neighbours(one)
    return told if len(told) < 3 else [told[0], told[-1]]


def _unresolved(result: Significance) -> Finding:
    comparison = result.comparison
    near, name = neighbours(result.comparisons), comparison.population
    alike = [f"{pair.upper} and {pair.lower}" for pair in near if not pair.told_apart[name]]
    of = f"pairs of neighbours in the ranking by {result.measure}"
    if not alike:
        text = f"All {len(near)} {of} are told apart {FOR[name]}."
    else:
        text = f"{len(alike)} of {len(near)} {of} cannot be told apart {FOR[name]}: {_some_pairs(alike)}."
        if len(alike) == len(near):
            text = f"Not one of {len(near)} {of} is told apart {FOR[name]}."
    return Finding(text, population(name), method(result), DIFFERENCES)


def _some_pairs(pairs: Sequence[str]) -> str:
    which = "the highest are" if len(pairs) > _NAMED else "namely"
    return f"{which} {'; '.join(pairs[:_NAMED])}"


def topics_needed(one: OfMeasure) -> list[Finding]:
    """How many topics would be needed to separate the top group."""
    if isinstance(one.needed, Missing):
        return []
    needed = one.needed
    if needed.pairs:
        text = _more_topics(needed, one.measure)
    else:
        there = counted(needed.topics, "topic")
        text = f"By {one.measure}, {there} are enough to tell {needed.best} from every other system {FOR['topics']}."
    return [Finding(text, population("topics"), needed_method(needed), NEEDED)]


def _more_topics(needed: TopicsNeeded, measure: str) -> str:
    first, last = needed.pairs[0], needed.pairs[-1]
    text = (
        f"To tell {needed.best}, the best by {measure}, from the runner-up {first.worse} (difference "
        f"{first.difference:.4f}) {FOR['topics']}, {topics_text(first)} would be needed"
    )
    if first is not last:
        text += f", and {topics_text(last)} from the last of its top group, {last.worse} ({last.difference:.4f})"
    return f"{text}; there are {needed.topics:,}."


def topics_text(needed: Needed) -> str:
    """How many topics, to two digits."""
    if needed.topics is None:
        return "no number of topics" if needed.difference <= 0 else f"more than {MOST:,} topics"
    return f"about {float(f'{needed.topics:.2g}'):,.0f} topics"


def needed_method(needed: TopicsNeeded) -> str:
    """How the number of topics was found."""
    return (
        f"power {percent(needed.power)} of Tukey's HSD test of {needed.systems} systems at α = {needed.alpha:g}, with "
        "the mean square of topic:system and the observed differences taken as the true ones"
    )


def effect_sizes(one: OfMeasure) -> list[Finding]:
    """How large topic, system, shard and interaction effects are."""
    if isinstance(one.variance, Missing):
        return []
    variance = one.variance
    rows = sorted(variance.rows, key=lambda row: -row.omega2)
    mains = [row for row in rows if _INTERACTION not in row.source]
    between = [row for row in rows if _INTERACTION in row.source]
    text = f"Of the effects on {one.measure}, {listed([_effect(row, variance.alpha) for row in mains])}"
    if between:
        text += f"; of the interactions, {listed([_effect(row, variance.alpha) for row in between])}"
    covers = "documents" if variance.shape.shards > 1 else "topics"
    return [Finding(f"{text}.", population(covers), _effects_method(variance), EFFECTS)]


def _effect(row: Row, alpha: float) -> str:
    weak = "" if row.p <= alpha else ", not significant"
    return f"that of {row.source} is {row.size} (ω² = {style.omega2_text(row.omega2)}{weak})"


def _effects_method(variance: Variance) -> str:
    split = f"{variance.shape.shards} shards ({variance.shards}, seed {variance.seed})"
    where = split if variance.shape.shards > 1 else "the whole corpus"
    test = f"F tests of {variance.model} against its residual, α = {variance.alpha:g}, on {where}"
    return f"{test}; ω² is large from 0.14, medium from 0.06, small from 0.01"


def stability(one: OfMeasure) -> list[Finding]:
    """Whether the number of differences depends on the split."""
    if isinstance(one.robustness, Missing):
        return []
    found = one.robustness
    asked = _asked(one, found)
    low, high = (min(max(end, 0.0), found.pairs) for end in (asked.significant.low, asked.significant.high))
    digits = 0 if found.pairs > _MANY else 1
    between = (
        "" if isnan(asked.significant.low) else f" (95 % interval of that mean {low:,.{digits}f} to {high:,.{digits}f})"
    )
    text = (
        f"Over {counted(found.resamples, 'random split')} into {asked.shards} shards, {asked.model} tells on average "
        f"{asked.significant.mean:,.{digits}f} of {counted(found.pairs, 'pair')} apart in {one.measure}{between}, "
        f"{percent(asked.common)} of all pairs in every split; the order of systems agrees with that on the whole "
        f"corpus by Kendall's τ = {asked.tau.mean:.3f}."
    )
    how = f"Tukey's HSD test, α = {found.alpha:g}, random even splits, seed {found.seed}"
    return [Finding(text, population(found.population), how, ROBUSTNESS)]


def _asked(one: OfMeasure, found: Robustness) -> Stability:
    """The richest model at the number of shards of the comparison."""
    shards = found.stability[-1].shards if isinstance(one.variance, Missing) else one.variance.shape.shards
    return [row for row in found.stability if row.shards == shards][-1]


def over_splits(report: Report, one: OfMeasure) -> list[Finding]:
    """How many pairs the partition method tells apart."""
    if isinstance(one.partitions, Missing):
        return []
    answer = partition_answer(one.partitions, report)
    text, *_ = partition_findings.findings([answer])
    how = _without_population(partition_findings.setting(answer.found))
    return [Finding(text, population(answer.found.population), how, PARTITIONS)]


def partition_answer(result: Divided, report: Report) -> partition_findings.Answer:
    """The splits of one measure, as they are told."""
    return partition_findings.Answer(result.found, report.precision, result.tests, result.lengths)


def _without_population(facts: Sequence[str]) -> str:
    """How something was found; its population stands beside it."""
    return "; ".join(fact for fact in facts if not fact.startswith("population"))


def shallow_pools(report: Report, one: OfMeasure) -> list[Finding]:
    """Whether fewer judgments bring more confidence."""
    if isinstance(report.pools, Missing):
        return []
    result = report.pools[-1]
    text = pool_findings.findings(result)[result.measures.index(one.measure)]
    how = f"{pool_findings.METHOD}; α = {result.alpha:g}, {counted(result.images, 'image')}, seed {result.seed}"
    return [Finding(f"{pooled(report, result)}: {text}", pool_findings.POPULATION, how, POOLS)]


def pooled(report: Report, result: Pools) -> str:
    """The beginning of a sentence: which systems are compared under shallow pools."""
    if len(result.pairs) == 1:
        return f"{result.pairs[0].first} against {result.pairs[0].second}"
    return f"Of the best {pooled_systems(result)} systems by {report.measures[0].measure}"


def pooled_systems(result: Pools) -> int:
    """How many systems are compared under shallow pools."""
    return len({system for pair in result.pairs for system in (pair.first, pair.second)})


def instance_answer(result: OverInstances, report: Report) -> instance_findings.Answer:
    """The algorithms compared by one measure, as they are told."""
    return instance_findings.Answer(
        result.found, result.singles, result.plans, WIDTH, fill="zero", precision=report.precision
    )


def over_instances(report: Report, one: OfMeasure) -> list[Finding]:
    """The best algorithm over its instances, and what is shown of it against each other one."""
    if isinstance(one.instances, Missing):
        return []
    found, setting = one.instances.found, instance_findings.setting(instance_answer(one.instances, report))
    best = found.pairs[0].first  # pairs stand best first
    against: dict[str, list[str]] = {}
    for pair, verdict in zip(found.pairs, found.verdicts, strict=True):
        if pair.first == best:
            against.setdefault(_VERDICTS[verdict], []).append(pair.second)
    claims = listed([f"{claim} {some(names)}" for claim, names in against.items()])
    text = (
        f"By {one.measure}, {best} is the best of {counted(len(found.scores.algorithms), 'algorithm')} over instances "
        f"and topics (fitted mean {found.means[best][0]:.3f}); at a margin of {found.margin:g} it is {claims}."
    )
    return [Finding(text, found.population, _without_population(setting), INSTANCES)]


def justified_digits(report: Report) -> list[Finding]:
    """How precise each measure is, and how many digits are justified, for each way to draw."""
    return [
        Finding(_digits(found), population(name), _bootstrap_method(found), PRECISION)
        for name, found in report.reliability.items()
        if not isinstance(found, Missing)
    ]


def _digits(found: Reliability) -> str:
    measures = precision(found)
    each = [
        f"{one.digits or 'no'} decimal{'s' * (one.digits != 1)} in {one.measure} (standard deviation "
        f"{two_digits(one.mean_sd)})"
        for one in measures
    ]
    verb = "is" if len(measures) == 1 and measures[0].digits < 2 else "are"
    means = f"Of a system's mean over {counted(len(found.topics), 'topic')},"
    return f"{means} {listed(each)} {verb} justified {FOR[found.resample]}."


def _bootstrap_method(found: Reliability) -> str:
    of = f"median over {counted(len(found.systems), 'system')}" if len(found.systems) > 1 else "of one system"
    images = f"{METHODS[found.resample]}, {counted(found.images, 'image')}, seed {found.seed}"
    return f"{images}; standard deviation of a mean over images, {of}, and no unit of a decimal below it"


def warnings(report: Report) -> tuple[str, ...]:
    """What the preflight check warns of, and measures that are left out."""
    found = [finding.message for finding in report.preflight.findings if finding.severity != "note"]
    left_out = [f"{measure} is left out: {reason}" for measure, reason in report.left_out.items()]
    return tuple(_sentence(text) for text in (*found, *left_out))


def _sentence(text: str) -> str:
    """With a stop; the first word may be the name of a system, and stays as it is."""
    return text if text.endswith(".") else f"{text}."
