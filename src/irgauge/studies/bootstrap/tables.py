"""Tables of a bootstrap: how precise each measure is, each system's mean and rank, and its topics."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.show.table import Cell, Column, Table
from irgauge.show.words import percent
from irgauge.studies.bootstrap.precision import SWAPS, MeasurePrecision, precision
from irgauge.studies.bootstrap.records import SHARE, system_records, topic_records
from irgauge.studies.bootstrap.study import Bootstrapped


def tables(result: Bootstrapped) -> list[Table]:
    """The measures, the systems best first, the topics of one system if asked for, the neighbours that swap."""
    topics = [] if result.topics_of is None else [topic_table(result, result.topics_of)]
    return [measure_table(result), system_table(result), *topics, *swap_tables(result)]


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
        Column("error", explained="standard error of a system's mean, median over systems", is_minor=True),
        Column("digits", explained="decimals of a mean; more would be noise; – images are too biased"),
        Column("rank_width", explained=f"of {inside} percentile intervals of ranks, mean over systems", decimals=2),
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
        cells["score_sd"] = measure_precision.cell.mean
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
            Column("root", "as is", "mean over topics on the collection as it is"),
            Column("low", "", f"its {inside} interval; – images are too biased, or it does not vary", "low, high"),
            Column("high"),
            Column("error", explained="its standard error", is_minor=True),
            Column("mean", explained="mean and standard deviation over images", explained_as="mean, sd", is_minor=True),
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
        {"measure": one.measure, **swap._asdict()} for one in precision(result) for swap in one.swapped
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


def topic_table(result: Bootstrapped, system: str) -> Table:
    """One system topic by topic."""
    place = result.systems.index(system)
    spread = result.spread_by_topic(SHARE).ravel().tolist()
    records = [
        {**record, "sd_95": of_topic} for record, of_topic in zip(topic_records(result, [place]), spread, strict=True)
    ]
    mean, sd = (values[:, place].tolist() for values in result.system_spread())
    overall = ", ".join(f"{mean[m]:.3f} ± {sd[m]:.3f} in {measure}" for m, measure in enumerate(result.measures))
    return Table.of(
        "topics",
        f"{system} topic by topic",
        records,
        [
            Column("measure"),
            Column("topic"),
            Column("root", "as is", "on the documents as they are"),
            Column("mean", explained="over images", explained_as="mean to q75"),
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
