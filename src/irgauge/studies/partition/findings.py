"""What random splits say, in sentences that can be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from irgauge.inference.aggregation import aggregation
from irgauge.inference.assertions import Assertion, of_verdicts
from irgauge.show.finding import Finding, sentence
from irgauge.show.verdicts import COVERS, FOR, SHORT
from irgauge.show.words import counted, differing, percent, some
from irgauge.studies.cautions import ENOUGH
from irgauge.studies.partition.further_told import further_findings, parts_told
from irgauge.studies.partition.lengths import IntervalLengths, RelatedRuns
from irgauge.studies.partition.options import CAUTION
from irgauge.studies.partition.side_by_side import PairTest, SideBySide
from irgauge.studies.partition.splits import Splits
from irgauge.studies.partition.study import OfMeasure, Partitioned
from irgauge.studies.partition.tables import where

_NAMED = 5  # pairs in a sentence


def findings(result: Partitioned) -> Iterator[Finding]:
    """What differs and how sure that is, by each measure; then what the claim covers, and notes."""
    for measure in result.measures:
        for finding in _of_measure(measure):
            yield finding.about(population=finding.population or measure.splits.population, measure=measure.measure)
    splits = result.first.splits
    yield covers(population=splits.population, paper=splits.drawing.is_paper).about(population=splits.population)
    if splits.population == "documents":
        yield drawing_topics()
    if splits.drawing.is_given:
        yield from parts_told(result.nouns.said("shards"))
    yield from _notes(result)


def _of_measure(measure_claims: OfMeasure) -> Iterator[Finding]:
    splits = measure_claims.splits
    yield pairs_finding(splits)
    yield _agreement(splits).claiming((), "exploratory")
    if len(splits.splits) > 1:
        yield opposed(measure=splits.measure, pairs=splits.opposed()).claiming((), "exploratory")
    finding = top(
        measure=splits.measure,
        system=splits.systems[0],
        where=where(splits.drawing),
        others=splits.top_group[1:],
        population=splits.population,
    )
    yield finding.claiming(_decided(splits, of=splits.systems[0]), "primary")
    if measure_claims.tests is not None:
        yield _tests(measure_claims.tests).claiming((), "exploratory")
    if measure_claims.lengths is not None:
        yield _lengths(measure_claims.lengths)
    if measure_claims.related is not None:
        yield _related(measure_claims.related)
    yield from further_findings(measure_claims)


def _decided(splits: Splits, of: str | None = None) -> Iterator[Assertion]:
    """Which pairs differ by all splits together, or over which others one system is decided to be better."""
    chosen = (
        (pair, "better" if sign > 0 else "worse")
        for pair, sign in zip(splits.names, splits.decided().tolist(), strict=True)
        if (sign and of is None) or (sign > 0 and pair[0] == of)
    )
    yield from of_verdicts(chosen, measure=splits.measure, population=splits.population, margin=None)


def pairs_finding(splits: Splits) -> Finding:
    """How many pairs differ by all splits together."""
    decided = splits.decided()
    finding = pairs_differ(
        measure=splits.measure,
        found=splits.significant_count,
        pairs=len(splits.first),
        splits=(None if splits.drawing.is_given else len(splits.splits), splits.parts),
        rule=splits.rule.name,
        alpha=splits.alpha,
        reversed_=int(np.count_nonzero(decided < 0)),
        covers=(splits.population, splits.drawing.is_paper),
    )
    return finding.claiming(_decided(splits), "primary")


@sentence("pairs", claims=("difference",))
def pairs_differ(
    *,
    measure: str,
    found: int,
    pairs: int,
    splits: tuple[int | None, int],
    rule: str,
    alpha: float,
    reversed_: int,
    covers: tuple[str, bool],
) -> str:
    """How many pairs differ by all splits together; `splits` into so many parts, None of them where parts are given.

    `covers` is a population, and whether p is the paper's.
    """
    (count, parts), (population, is_paper) = splits, covers
    together = f" together (rule '{rule}', {aggregation(rule).explanation})" if (count or 1) > 1 else ""
    lower = "over the parts" if count is None else "on the whole corpus"
    against = f"; {reversed_:,} of them for the system that is lower {lower}" if reversed_ else ""
    caution = f" (p {CAUTION})" if is_paper else ""
    return (
        f"In {measure}, {differing(found, pairs, 'pair', ' of systems')} "
        f"({percent(found / pairs)}) {FOR[population]} by {_split(count, parts)}"
        f"{together}, at α = {alpha:g} after correction over all pairs{against}{caution}."
    )


def _split(splits: int | None, parts: int) -> str:
    if splits is None:
        return f"the {parts} replicates of the table, taken as parts of one split"
    return f"{counted(splits, 'random split')} of the documents into {parts} parts"


def _agreement(splits: Splits) -> Finding:
    if len(splits.splits) == 1:
        return one_split(measure=splits.measure, given=splits.drawing.is_given)
    counts = splits.significant_counts().tolist()
    worst = [level for level in splits.levels() if level.pairs][-1]
    return agreement(
        measure=splits.measure,
        splits=len(splits.splits),
        pairs=len(splits.first),
        disagreements=splits.disagreements(),
        worst_pairs=worst.pairs,
        worst_minority=worst.minority,
        least=min(counts),
        most=max(counts),
    )


@sentence("one-split", "note")
def one_split(*, measure: str, given: bool) -> str:
    """One split says nothing of others."""
    if given:
        return f"One split says nothing of how much {measure} depends on it: give judgments and runs to draw others."
    return f"One split says nothing of how much {measure} depends on it: ask for more splits."


@sentence("agreement", claims=())
def agreement(
    *,
    measure: str,
    splits: int,
    pairs: int,
    disagreements: int,
    worst_pairs: int,
    worst_minority: int,
    least: int,
    most: int,
) -> str:
    """On how many pairs the splits disagree."""
    span = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    single = f"in single splits {span} of {pairs:,} pairs have p ≤ α"
    if not disagreements:
        return f"In {measure}, the {splits} splits agree on every pair; {single}."
    split = counted(worst_minority, "split")
    verb = "disagrees" if worst_minority == 1 else "disagree"
    return (
        f"In {measure}, the {splits} splits disagree on {counted(disagreements, 'pair')} "
        f"({percent(disagreements / pairs)}); on {worst_pairs:,} of them {split} {verb} with the majority; {single}."
    )


@sentence("opposed", claims=())
def opposed(*, measure: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Pairs that have p ≤ α in both directions."""
    where = "p ≤ α in opposite directions in different splits"
    if not pairs:
        return f"In {measure}, no pair has {where}."
    which = "among them " if len(pairs) > _NAMED else ""
    verb = "has" if len(pairs) == 1 else "have"
    return f"In {measure}, {counted(len(pairs), 'pair')} {verb} {where}: {which}{_pairs(pairs)}."


def _pairs(pairs: Sequence[tuple[str, str]]) -> str:
    return "; ".join(f"{first} and {second}" for first, second in pairs[:_NAMED])


@sentence("top", claims=("difference",))
def top(*, measure: str, system: str, where: str, others: Sequence[str], population: str) -> str:
    """The best system, and those that it is not found to be better than."""
    best = f"{system}, the best system in {measure} {where},"
    if not others:
        return f"{best} is significantly better than all others {FOR[population]}."
    return f"{best} is not significantly better than {counted(len(others), 'other')} {FOR[population]}: {some(others)}."


# what is asked for besides


def _tests(tests: SideBySide) -> Finding:
    level, population = tests.levels[0], tests.many.population
    counts = {_test_name(test): int(np.count_nonzero(test.decisions(level))) for test in tests.tests}
    return side_by_side(
        measure=tests.measure,
        alpha=level,
        pairs=len(tests.first),
        counts=counts,
        conflicts=list(dict.fromkeys((first, second) for first, second, *_ in tests.conflicts(level))),
        population=population,
    ).about(population=f"topics and {population}")


def _test_name(test: PairTest) -> str:
    return test.name if test.kind in ("topics", "model") else f"the partition method ({test.name})"


@sentence("tests", claims=())
def side_by_side(
    *,
    measure: str,
    alpha: float,
    pairs: int,
    counts: Mapping[str, int],
    conflicts: Sequence[tuple[str, str]],
    population: str,
) -> str:
    """Which test gives p ≤ α to the fewest pairs, and which to the most."""
    ordered = sorted(counts.items(), key=lambda item: item[1])
    (fewest, least), (most_by, most) = ordered[0], ordered[-1]
    return (
        f"Of {len(counts)} tests at α = {alpha:g}, {fewest} gives p ≤ α to the fewest pairs in {measure}, {least:,} "
        f"({percent(least / pairs)}), and {most_by} to the most, {most:,} ({percent(most / pairs)}); "
        f"{_conflicts(conflicts)}. Tests over topics cover other topics, those of parts {SHORT[population]}: "
        "their counts are of different claims."
    )


def _conflicts(pairs: Sequence[tuple[str, str]]) -> str:
    if not pairs:
        return "no two tests do so for a pair in opposite directions"
    more = f" and {len(pairs) - _NAMED} more" if len(pairs) > _NAMED else ""
    return f"some tests do so for {counted(len(pairs), 'pair')} in opposite directions ({_pairs(pairs)}{more})"


def _lengths(lengths: IntervalLengths) -> Finding:
    means = [(model.split.parts, model.interactions, model.lengths[1].mean) for model in lengths.models]
    return interval_lengths(measure=lengths.measure, alpha=lengths.drawing.alpha, means=means)


@sentence("lengths", claims=())
def interval_lengths(*, measure: str, alpha: float, means: Sequence[tuple[int, bool, float]]) -> str:
    """How long adjusted intervals are, by number of parts and model."""
    parts = [_models_of(count, means) for count in dict.fromkeys(count for count, *_ in means)]
    share, lengths = percent(1 - alpha), ", of ".join(parts)
    return f"The adjusted {share} intervals of effects in {measure} have a mean length of {lengths}."


def _models_of(parts: int, means: Sequence[tuple[int, bool, float]]) -> str:
    own = [(interactions, mean) for count, interactions, mean in means if count == parts]
    lengths = [f"{mean:.3f} {'with' if interactions else 'without'}" for interactions, mean in reversed(own)]
    return f"{' and '.join(lengths)} interactions in {parts} parts"


def _related(related: RelatedRuns) -> Finding:
    plain = {length.model: length.plain for length in related.lengths if length.interactions}
    return related_pairs(
        measure=related.measure,
        alike=related.agreeing,
        pairs=len(related.pairs),
        systems=related.systems,
        groups=len(related.groups),
        parts=related.split.parts,
        within=plain["within"],
        across=plain["across"],
    )


@sentence("related", claims=())
def related_pairs(
    *, measure: str, alike: int, pairs: int, systems: int, groups: int, parts: int, within: float, across: float
) -> str:
    """Whether models of related runs alone decide as the model of all runs does."""
    return (
        f"In {measure}, models of related runs alone decide {alike:,} of {counted(pairs, 'related pair')} "
        f"({percent(alike / pairs)}) as the model across all {systems} systems does, in {counted(groups, 'group')} and "
        f"one split into {parts} parts; their plain intervals with interactions have a mean length of {within:.3f} "
        f"within and {across:.3f} across."
    )


# what is covered, and notes


@sentence("covers", claims=())
def covers(*, population: str, paper: bool) -> str:
    """What the claims cover."""
    topics = "Topics are drawn too." if population == "both" else "The topics are fixed."
    return f"{topics} {f'The evidence is {FOR[population]}.' if paper else COVERS[population]}"


@sentence("drawing-topics", "note")
def drawing_topics() -> str:
    """How claims would cover more."""
    return "To cover other topics as well, draw topics too (the option drawn, set to topics)."


def _notes(result: Partitioned) -> Iterator[Finding]:
    """What a careful reader should know of the p-values."""
    splits = result.first.splits
    if splits.drawing.is_paper:
        yield from _paper_notes(result)
        return
    yield spread(population=splits.population)
    if splits.drawing.has_fixed_parts:
        yield fixed_parts(model=splits.drawing.model_name)
    topics = min(len(split.topics) for split in splits.splits)
    if topics < ENOUGH:
        yield few_topics(topics=topics)
    if splits.rule.warning is not None:
        yield rule_warning(rule=splits.rule.name, warning=splits.rule.warning)


def _paper_notes(result: Partitioned) -> Iterator[Finding]:
    splits = result.first.splits
    drawing = splits.drawing
    yield paper_p(splits=len(splits.splits))
    yield resolution(draws=drawing.draws, sides=drawing.sides, least_p=splits.least_p)
    yield direction(sides=drawing.sides)
    for measure in result.measures:
        if not measure.splits.is_resolved():
            finding = few_draws(measure=measure.measure, draws=drawing.draws, needed=measure.splits.draws_needed)
            yield finding.about(measure=measure.measure)


@sentence("spread", "note")
def spread(*, population: str) -> str:
    """What differences are tested against."""
    over = "topics" if population == "both" else "parts of each topic"
    return (
        "p is two-sided, of the difference of two systems: a t-test against the spread of that difference over the "
        f"{over}, or against that of all pairs if it is larger."
    )


@sentence("fixed-parts", "note")
def fixed_parts(*, model: str) -> str:
    """What a model with interactions of systems and parts takes out of the error."""
    return (
        f"{model} takes how systems change from part to part out of the error, as if there were no other parts: where "
        "that is more than chance, p is too small for other documents."
    )


@sentence("few-topics", "note")
def few_topics(*, topics: int) -> str:
    """With few topics the spread may be that of very few."""
    return (
        f"There are {counted(topics, 'topic')}: where scores vary on a few of them alone, p is somewhat too small with "
        f"fewer than {ENOUGH}."
    )


@sentence("paper-p", "warning")
def paper_p(*, splits: int) -> str:
    """The paper's p is no error rate, whatever rule combines it."""
    rule = ", and no rule for all splits together makes it one" if splits > 1 else ""
    return f"p is {CAUTION}{rule}: it may call far more than α of equal pairs significantly different."


@sentence("few-draws", "warning")
def few_draws(*, measure: str, draws: int, needed: int) -> str:
    """p-values are too coarse."""
    return (
        f"So few pairs differ significantly in {measure} that {draws:,} draws are too coarse; {needed:,} draws resolve "
        "any number."
    )


@sentence("resolution", "note")
def resolution(*, draws: int, sides: int, least_p: float) -> str:
    """How fine p-values are."""
    twice = "twice the " if sides == 2 else ""
    return f"p-values are {twice}shares of {draws:,} draws; 0 means below {least_p:g}."


@sentence("direction", "note")
def direction(*, sides: int) -> str:
    """What p takes as known."""
    first = "p takes the effect of the better system as known"
    if sides == 2:
        return f"{first}."
    return f"{first}, and its direction from the data: a two-sided test finds fewer pairs."


@sentence("rule", "warning")
def rule_warning(*, rule: str, warning: str) -> str:
    """The rule is not valid under dependence."""
    return f"The rule '{rule}' is not valid for splits that depend on each other: {warning}."
