"""What a bootstrap says, in sentences that can be quoted and in tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Cell, Column, Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import counted, listed, percent, two_digits
from irgauge.studies.bootstrap.precision import (
    MOST_BIAS_ON_TOPICS,
    SWAPS,
    Bias,
    MeanAndSd,
    MeasurePrecision,
    Swap,
    precision,
)
from irgauge.studies.bootstrap.records import SHARE, held_out_records, system_records, topic_rows
from irgauge.studies.bootstrap.study import Bootstrapped

_NAMED = 3  # neighbours that swap


class Decimals(NamedTuple):
    """How many decimals of a mean are justified, and its standard error."""

    digits: int
    error: float


def findings(result: Bootstrapped) -> Iterator[Finding]:
    """Which measure is the most stable, how many digits are justified, how biased images are, which neighbours swap."""
    measures = precision(result)
    if len(result.systems) > 1:
        yield from _differences(result, measures)
        yield from _ranking(result, measures)
    yield from digits(result)
    if result.moments is not None:
        yield from _biases(result, measures)
    if len(result.systems) > 1:
        yield from (_swaps(result, measure) for measure in measures)
    if result.moments is None:
        yield not_of_topics().about(population=result.draw)


def _starting(population: str) -> str:
    """The beginning of a sentence: what the claim covers."""
    return f"{FOR[population].capitalize()}, "


def _differences(result: Bootstrapped, measures: Sequence[MeasurePrecision]) -> Iterator[Finding]:
    deviations = {measure.measure: measure.difference for measure in measures if measure.difference is not None}
    if deviations:
        finding = differences(deviations=deviations, pairs=_pairs(result), topics=len(result.topics))
        yield finding.about(population="documents", measure=_only(result))


def _pairs(result: Bootstrapped) -> int:
    return len(result.systems) * (len(result.systems) - 1) // 2


def _only(result: Bootstrapped) -> str | None:
    """The measure, where there is one."""
    return result.measures[0] if len(result.measures) == 1 else None


@sentence("differences", claims=())
def differences(*, deviations: Mapping[str, MeanAndSd], pairs: int, topics: int) -> str:
    """By which measure the difference of two systems on a topic varies least."""
    first, *others = sorted(deviations, key=lambda name: deviations[name].mean)
    texts = {name: spread_text(deviation) for name, deviation in deviations.items()}
    over = f"(mean ± standard deviation over {counted(pairs, 'pair')} and {counted(topics, 'topic')})"
    what = "the standard deviation of the difference between two systems on a topic is"
    if not others:
        return f"{_starting('documents')}{what} {texts[first]} in {first} {over}."
    least = f"differences between systems vary least in {first}"
    return f"{_starting('documents')}{least}: {what} {texts[first]} {over}, against {_rest(others, texts.__getitem__)}."


def _rest(others: Sequence[str], text: Callable[[str], str]) -> str:
    """The measures after the first with their numbers; of many, the next and the last."""
    measures = others if len(others) < 5 else [others[0], others[-1]]
    return listed([f"{text(name)} in {name}" for name in measures])


def spread_text(spread: MeanAndSd) -> str:
    """Mean and standard deviation."""
    return f"{spread.mean:.3f} ± {spread.sd:.3f}"


def _ranking(result: Bootstrapped, measures: Sequence[MeasurePrecision]) -> Iterator[Finding]:
    widths = {measure.measure: measure.rank_width for measure in measures if measure.rank_width is not None}
    if widths:
        finding = ranking(
            widths=widths, systems=len(result.systems), confidence=1 - result.alpha, population=result.draw
        )
        yield finding.about(population=result.draw, measure=_only(result))


@sentence("ranking", claims=("interval",))
def ranking(*, widths: Mapping[str, float], systems: int, confidence: float, population: str) -> str:
    """By which measure ranks vary least."""
    first, *others = sorted(widths, key=widths.__getitem__)
    texts = {name: f"{width:.1f}" for name, width in widths.items()}
    what = f"{percent(confidence)} intervals of a system's rank are {texts[first]} places wide on average"
    if not others:
        return f"{_starting(population)}{what} by {first}, among {systems} systems."
    most_stable = f"the ranking of {systems} systems is most stable by {first}"
    return f"{_starting(population)}{most_stable}: {what}, against {_rest(others, texts.__getitem__)}."


def digits(result: Bootstrapped) -> Iterator[Finding]:
    """How many decimals of a mean are justified, and by which measures means have no intervals."""
    decimals = {name: Decimals(result.digits(m), result.typical_error(m)) for m, name in enumerate(result.measures)}
    topics, systems = len(result.topics), len(result.systems)
    finding = justified(decimals=decimals, topics=topics, systems=systems, population=result.draw)
    yield finding.about(population=result.draw, measure=_only(result))
    if not all(map(result.has_interval, range(len(result.measures)))):
        yield from _without(result, precision(result))


@sentence("digits", claims=("interval",))
def justified(*, decimals: Mapping[str, Decimals], topics: int, systems: int, population: str) -> str:
    """How many decimals of a mean are justified by each measure."""
    names = list(decimals)
    each = [
        f"to {decimals[name].digits or 'none'} in {name} ({two_digits(decimals[name].error)})" for name in names[1:]
    ]
    first, error = decimals[names[0]].digits, two_digits(decimals[names[0]].error)
    of = f", median of {systems} systems" if systems > 1 else ""
    to = f"to {first or 'no'} decimal{'s' * (first != 1)} in {names[0]} (standard error {error}{of})"
    return (
        f"{_starting(population)}a system's mean over {counted(topics, 'topic')} can be given {listed([to, *each])}: "
        "more decimals would be noise."
    )


def _without(result: Bootstrapped, measures: Sequence[MeasurePrecision]) -> Iterator[Finding]:
    """The measures without intervals, where there are any."""
    names = [each.measure for each in measures if not result.has_interval(result.place(each.measure))]
    yield no_interval(measures=names, population=result.draw).about(population=result.draw, measure=_only(result))


@sentence("no-interval", "warning")
def no_interval(*, measures: Sequence[str], population: str) -> str:
    """By which measures means have no interval, and why."""
    where = "on every topic" if population == "topics" else "whichever documents are left out"
    return f"{_starting(population)}means in {listed(measures)} have no interval: scores are the same {where}."


def _biases(result: Bootstrapped, measures: Sequence[MeasurePrecision]) -> Iterator[Finding]:
    """The bias of the measures that have intervals, and by which of them ranks have none."""
    biases = {each.measure: each.bias for each in measures if result.has_interval(result.place(each.measure))}
    if biases:
        finding = biased(biases=biases, systems=len(result.systems), most_on_topics=MOST_BIAS_ON_TOPICS)
        yield finding.about(population=result.draw, measure=_only(result))


@sentence("bias", "note")
def biased(*, biases: Mapping[str, Bias], systems: int, most_on_topics: float) -> str:
    """How far images are off the whole corpus, and by which measures ranks have no interval for that."""
    each = [f"{_signed(bias.score)} ({bias.sds:+.2f} sd) in {name}" for name, bias in biases.items()]
    of = ", median over systems" if systems > 1 else ""
    off = f"Means over images are off those on the whole corpus by {listed(each)}{of}".replace("-", "−")
    rough = [name for name, bias in biases.items() if (bias.on_topics or 0) > most_on_topics]
    ranks = f" Ranks by {listed(rough)} have none: images put scores on topics off too far." if rough else ""
    return f"{off}: intervals are around the mean on the whole corpus, not around that over images.{ranks}"


def _signed(score: float) -> str:
    return f"{score:+.2g}"


def _swaps(result: Bootstrapped, measure_precision: MeasurePrecision) -> Finding:
    finding = swaps(
        measure=measure_precision.measure,
        swapped=measure_precision.swapped,
        neighbours=measure_precision.neighbours,
        population=result.draw,
    )
    return finding.about(population=result.draw, measure=measure_precision.measure)


@sentence("swaps", claims=())
def swaps(*, measure: str, swapped: Sequence[Swap], neighbours: int, population: str) -> str:
    """Which neighbours in the ranking swap."""
    often = f"in more than {percent(SWAPS)} of images"
    where, count = _starting(population), len(swapped)
    if not count:
        return f"{where}no neighbours in the ranking by {measure} swap {often}."
    some = [f"{swap.upper} and {swap.lower} ({percent(swap.share)})" for swap in swapped[:_NAMED]]
    which = "the highest of them are" if count > _NAMED else "namely"
    verb = "swaps" if count == 1 else "swap"
    head = f"{count} of {counted(neighbours, 'pair')} of neighbours in the ranking by {measure} {verb} {often}"
    return f"{where}{head}: {which} {listed(some)}."


@sentence("not-of-topics", "note")
def not_of_topics() -> str:
    """What drawing topics alone does not show."""
    return (
        "Where only topics are drawn, the scores on a topic stay as they are: what varies on single topics and "
        "differences on them are left out; draw documents or both to have them."
    )


def tables(result: Bootstrapped) -> list[Table]:
    """The measures, the systems best first, the topics of one system if asked for, the neighbours that swap."""
    topics = [] if result.topics_of is None else [topic_table(result, result.topics_of)]
    return [measure_table(result), system_table(result), *topics, *swap_tables(result), *held_out_tables(result)]


def measure_table(result: Bootstrapped) -> Table:
    """How much differences, scores, means and ranks vary over images, by each measure."""
    measures, inside = precision(result), percent(1 - result.alpha)
    records = [_measure_cells(measure) for measure in measures]
    columns = [
        Column("measure"),
        Column(
            "difference_sd",
            "diff sd",
            "standard deviation over images of the difference of two systems on a topic, mean over pairs and topics, "
            "± its standard deviation",
        ),
        Column("difference_sd_sd", "±"),
        Column("score_sd", explained="of a score on a topic, mean over systems and topics"),
        Column("mean_sd", explained="of a system's mean over topics, median over systems"),
        Column("bias", explained="mean over images less mean on the collection as it is, median over systems"),
        Column("bias_in_sds", "in sds", "the bias in standard deviations over images", decimals=2),
        Column(
            "skewness",
            "skew",
            "skewness of the deviations of all systems and topics: beyond 1 a few vary much more than most",
            decimals=2,
            is_minor=True,
        ),
        Column("error", explained="standard error of a system's mean, median over systems", is_minor=True),
        Column("digits", explained="decimals of a mean: the last unit is the power of ten next to the error"),
        Column(
            "rank_width",
            explained=f"of {inside} percentile intervals of ranks, mean over systems; – images are too biased",
            decimals=2,
        ),
        Column("swaps", explained=f"neighbours that swap in more than {percent(SWAPS)} of images"),
    ]
    return Table.of(
        "measures",
        "How precise each measure is",
        records,
        [column for column in columns if column.name in records[0]],
        list(_notes(result)),
    )


def _notes(result: Bootstrapped) -> Iterator[str]:
    if result.draw == "both":
        yield "diff sd, score sd and bias are of documents drawn alone, on these topics."
    if result.moments is not None and not result.moments.has_pairs:
        yield "diff sd is left out, as pairs on topics are too many; keep fewer systems to have it."


def _measure_cells(measure_precision: MeasurePrecision) -> dict[str, Cell]:
    """The numbers of a measure that there are."""
    cells: dict[str, Cell] = {"measure": measure_precision.measure}
    if measure_precision.difference is not None:
        cells |= {
            "difference_sd": measure_precision.difference.mean,
            "difference_sd_sd": measure_precision.difference.sd,
        }
    if measure_precision.cell is not None:
        cells |= {"score_sd": measure_precision.cell.mean, "skewness": measure_precision.skewness}
    cells |= {
        "mean_sd": measure_precision.mean_sd,
        "bias": measure_precision.bias.score,
        "bias_in_sds": measure_precision.bias.sds,
        "error": measure_precision.mean_error,
    }
    return cells | {
        "digits": measure_precision.digits,
        "rank_width": measure_precision.rank_width,
        "swaps": len(measure_precision.swapped),
    }


def system_table(result: Bootstrapped) -> Table:
    """Every system with the mean and the rank that it has over images."""
    inside = percent(1 - result.alpha)
    return Table.of(
        "systems",
        "Systems, best first",
        system_records(result),
        [
            Column("measure"),
            Column("system", role="system"),
            Column("mean", "as is", "mean over topics on the collection as it is"),
            Column("low", "", f"its {inside} interval; – it does not vary", "low, high"),
            Column("high"),
            Column("error", explained="its standard error", is_minor=True),
            Column("image_mean", "mean", "mean and standard deviation over images", "mean, sd", is_minor=True),
            Column("sd"),
            Column("bias", "", "mean over images less as is, and in standard deviations", "bias, in sds"),
            Column("bias_in_sds", "in sds", decimals=2),
            Column("rank", decimals=1),
            Column("rank_low", "", f"the {inside} percentile interval of the rank", "rank low, rank high", decimals=1),
            Column("rank_high", decimals=1),
        ],
        group_by="measure",
        is_long=True,
        is_main=result.topics_of is None,
    )


def swap_tables(result: Bootstrapped) -> Iterator[Table]:
    """The neighbours that swap, where there are any."""
    records: list[dict[str, Cell]] = [
        {"measure": measure.measure, **swap._asdict()} for measure in precision(result) for swap in measure.swapped
    ]
    if records:
        yield Table.of(
            "swaps",
            f"Neighbours in the ranking that swap in more than {percent(SWAPS)} of images",
            records,
            [
                Column("measure"),
                Column("upper", role="system"),
                Column("lower", role="system"),
                Column("share", explained="of images in which the lower system is ahead"),
            ],
            decimals=3,
            group_by="measure",
            is_long=True,
        )


def held_out_tables(result: Bootstrapped) -> Iterator[Table]:
    """Where differences lie in images that were held out, if some were."""
    if result.held_out:
        inside = percent(1 - result.alpha)
        yield Table.of(
            "held_out",
            f"Differences on topics in {counted(result.held_out[0].images, 'image')} held out",
            held_out_records(result),
            [
                Column("measure"),
                Column("below", explained=f"share of pairs and topics below their {inside} interval, mean ± z sd"),
                Column("inside", explained="in it"),
                Column("above", explained="above it"),
            ],
            ["It says whether images are alike, not whether intervals hold for other documents."],
            decimals=3,
        )


def topic_table(result: Bootstrapped, system: str) -> Table:
    """One system topic by topic."""
    place = result.systems.index(system)
    mean, sd = (values[:, place].tolist() for values in result.system_spread())
    overall = ", ".join(f"{mean[m]:.3f} ± {sd[m]:.3f} in {measure}" for m, measure in enumerate(result.measures))
    return Table.of(
        "topics",
        f"{system} topic by topic",
        topic_rows(result, [place]),
        [
            Column("measure"),
            Column("topic"),
            Column("root", "as is", "on the documents as they are"),
            Column("image_mean", "mean", "over images", "mean to q75"),
            Column("sd"),
            Column("q25"),
            Column("median"),
            Column("q75"),
            Column("sd_95", "sd of 95 %", f"the {percent(SHARE)} percentile over systems of their sd on the topic"),
        ],
        [f"sd, mean ± standard deviation over topics: {overall}."],
        group_by="measure",
        is_long=True,
        is_main=True,
    )
