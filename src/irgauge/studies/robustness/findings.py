"""What robustness says, in sentences that can be quoted and in tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from irgauge.inference.assertions import somewhere
from irgauge.inference.corrections import any_correction
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.tests.tukey import TUKEY
from irgauge.replicates.undefined import MANY_UNDEFINED
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import counted, differing, listed, percent
from irgauge.studies.robustness.outcomes import CORRECTION, MethodOutcome, Stability
from irgauge.studies.robustness.study import Robustness, change_records, outcome_records

_MANY = 1000  # of more pairs, means are told without decimals


def the(method: str) -> str:
    """A method in a sentence: a model by its name, a test with its article."""
    return TESTS[method].the if method in TESTS else method


def findings(result: Robustness) -> Iterator[Finding]:
    """What the whole corpus says; whether it depends on the split, and on the number of shards."""
    whole = _whole(result).about(population="topics", measure=result.measure)
    yield whole.claiming(somewhere(result.whole.significant, measure=result.measure, population="topics"), "primary")
    sentences = [over_splits(result)]
    if len(result.counts) > 1:
        sentences.append(_over_shards(result))
    if result.too_many:
        sentences.append(left_out(measure=result.measure, shards=result.too_many))
    for finding in sentences:
        yield finding.about(population=result.population, measure=result.measure)


@sentence("left-out", "note")
def left_out(*, measure: str, shards: Sequence[int]) -> str:
    """Numbers of shards that are too many."""
    return (
        f"Splits into {listed([str(count) for count in shards], 'or')} shards are left out: more than half of the "
        f"scores of {measure} would be undefined."
    )


def _whole(result: Robustness) -> Finding:
    return on_whole(
        measure=result.measure,
        method=result.whole.method,
        correction=CORRECTION.name if result.whole.method in TESTS else None,
        significant=round(result.whole.significant),
        pairs=result.pairs,
        top_group=round(result.whole.top_group),
    )


@sentence("whole-corpus", claims=("difference",))
def on_whole(*, measure: str, method: str, correction: str | None, significant: int, pairs: int, top_group: int) -> str:
    """How many pairs differ on the whole corpus, for other topics."""
    test = TESTS.get(method, TUKEY).title
    by = test if correction is None else f"{test}, {any_correction(correction).title}"
    top = f"; the top group has {counted(top_group, 'system')}" if pairs > 1 else ""
    return (
        f"On the whole corpus, {differing(significant, pairs, 'pair', ' of systems')} in {measure} {FOR['topics']} "
        f"({by}){top}."
    )


def over_splits(result: Robustness) -> Finding:
    """What the last method says over the splits into the middle one of the numbers of shards."""
    shards = sorted(result.counts)[(len(result.counts) - 1) // 2]
    over = result.stability_of(shards, result.methods[-1])
    finding = stable(
        measure=result.measure,
        over=over,
        splits=result.resamples,
        pairs=result.pairs,
    )
    return finding.about(population=result.population, measure=result.measure).claiming((), "exploratory")


@sentence("stability", claims=())
def stable(*, measure: str, over: Stability, splits: int, pairs: int) -> str:
    """How many pairs have p ≤ α on average and in every split, and how well the order of systems agrees."""
    digits, significant = 0 if pairs > _MANY else 1, over.significant.within(0, pairs)
    ends = [f"{end:,.{digits}f}" for end in (significant.low, significant.high)]
    between = "" if isnan(significant.low) else f" (95 % interval of that mean {ends[0]} to {ends[1]})"
    every = f", and to {percent(over.common)} of all pairs in every split" if splits > 1 else ""
    return (
        f"Over {counted(splits, 'random split')} into {over.shards} shards, {the(over.method)} gives p ≤ α in "
        f"{measure} to {significant.mean:,.{digits}f} of {counted(pairs, 'pair')} of systems on average{between}{every}"
        f"; the order of systems agrees with that on the whole corpus by Kendall's τ = {over.tau.mean:.3f}."
    )


def described(result: Robustness) -> Finding:
    """How well the order of systems on splits agrees with that on the whole corpus, as a description."""
    shards = sorted(result.counts)[(len(result.counts) - 1) // 2]
    tau = result.stability_of(shards, result.methods[-1]).tau.mean
    return order_kept(measure=result.measure, splits=result.resamples, shards=shards, tau=tau).about(
        measure=result.measure
    )


@sentence("order-kept", claims=())
def order_kept(*, measure: str, splits: int, shards: int, tau: float) -> str:
    """How well the order of systems agrees over splits."""
    return (
        f"Over {counted(splits, 'random split')} into {shards} shards, the order of systems by {measure} agrees with "
        f"that on the whole corpus by Kendall's τ = {tau:.3f} (1: the same order)."
    )


def _over_shards(result: Robustness) -> Finding:
    counts = sorted(result.counts)
    few, many = (result.outcome(count, result.methods[-1]) for count in (counts[0], counts[-1]))
    return by_shards(measure=result.measure, few=few, many=many).claiming((), "exploratory")


@sentence("shards", claims=())
def by_shards(*, measure: str, few: MethodOutcome, many: MethodOutcome) -> str:
    """How the number of pairs with p ≤ α goes with the number of shards."""
    pairs = few.significant + few.not_significant
    digits = 0 if pairs > _MANY else 1
    return (
        f"From {few.shards} to {many.shards} shards, the pairs to which {the(few.method)} gives p ≤ α in "
        f"{measure} go from {few.significant:,.{digits}f} to {many.significant:,.{digits}f} of "
        f"{pairs:,.0f}."
    )


_OMEGA2 = "the size of the effect of systems, with t-tests by MD6, on the whole corpus by MD1"


def tables(result: Robustness) -> list[Table]:
    """Outcomes, their intervals over splits, and changes against simpler methods."""
    several = [split_table(result)] if result.resamples > 1 else []
    changes = [change_table(result)] if len(result.methods) > 1 else []
    return [outcome_table(result), *several, *changes]


def outcome_table(result: Robustness) -> Table:
    """What each method says at each number of shards."""
    is_sparse = max(stability.undefined for stability in result.stability) > MANY_UNDEFINED
    return Table.of(
        "outcomes",
        f"{result.measure} by number of shards and method, means over splits",
        outcome_records(result.whole, result.outcomes, result.stability),
        [
            Column("shards"),
            Column("method", explained=_methods(result)),
            Column("omega2", "ω² of system", _OMEGA2),
            Column("significant", explained="pairs that differ significantly", decimals=1),
            Column("not_significant", decimals=1),
            Column("top_group", "top group", "the best system and those that do not differ from it", decimals=1),
            Column("width", explained="how far apart means must be to differ: of Tukey's interval, or the median pair"),
            Column("tau", "τ", "Kendall's, of the order of systems against that on the whole corpus"),
            Column("common", "in every split", "share of all pairs that differ significantly in every split"),
            Column("undefined", explained="share of scores that are undefined", is_minor=not is_sparse),
        ],
        [
            f"With 1 shard: {the(result.whole.method)} on the whole corpus, {FOR['topics']}. With more: "
            f"{FOR[result.population]}."
        ],
        group_by="shards",
        is_main=True,
    )


def _methods(result: Robustness) -> str:
    tests = [name for name in dict.fromkeys((result.whole.method, *result.methods)) if name in TESTS]
    titles = [f"{test}: {TESTS[test].title}, {CORRECTION.title}" for test in tests]
    return "; ".join([*titles, *([f"models: {TUKEY.title}"] if result.test == TUKEY.name else [])])


def split_table(result: Robustness) -> Table:
    """How much depends on the split."""
    shown = (("tau", "τ", 3), ("width", "width", 4), ("significant", "pairs", 1))
    return Table.of(
        "splits",
        "Means over splits with their 95 % intervals",
        outcome_records(result.whole, result.outcomes, result.stability)[1:],
        [
            Column("shards"),
            Column("method"),
            *(
                Column(f"{name}{end}", f"{title} {end[1:]}".strip(), decimals=decimals)
                for name, title, decimals in shown
                for end in ("", "_low", "_high")
            ),
        ],
        ["Intervals of means over splits, by Student's t, cut to what is possible; pairs: those that differ."],
        group_by="shards",
    )


def change_table(result: Robustness) -> Table:
    """How much a method differs from simpler ones."""
    return Table.of(
        "changes",
        "Changes from simpler methods, in per cent",
        change_records(result.outcomes),
        [
            Column("shards"),
            Column("method"),
            Column(
                "against", explained=f"the simpler method; the first is {the(result.whole.method)} on the whole corpus"
            ),
            Column("omega2", "ω² of system"),
            Column("significant"),
            Column("not_significant"),
            Column("top_group"),
            Column("width"),
        ],
        decimals=2,
        is_long=True,
    )
