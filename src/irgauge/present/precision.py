"""Tables of a bootstrap: how precise each measure is, each system's mean and rank, and its topics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irgauge.present.precision_findings import METHODS, findings, percent, population
from irgauge.present.sentences import counted
from irgauge.present.tables import Cell, Table
from irgauge.reading.ordering import TIE_RULE
from irgauge.studies.boxes import topic_means
from irgauge.studies.precision import Precision, precision
from irgauge.studies.reliability import SWAPS, Reliability

SYSTEMS, TOPICS = 1, 2  # places of tables that CSV takes
_SHARE = 0.95  # of systems, whose deviations on a topic are at most what is shown


def reliability_tables(result: Reliability, system: int | None = None) -> list[Table]:
    """The measures, the systems best first, the topics of one system if asked for, the neighbours that swap."""
    topics = [] if system is None else [_topic_table(result, system)]
    return [_measure_table(result), _system_table(result), *topics, *_swap_tables(result)]


def setting(result: Reliability, *, by_topic: bool = False) -> tuple[str, ...]:
    """How the numbers came about; `by_topic` for those of single topics, which are always these."""
    kind = "documents" if by_topic else result.resample
    return (
        f"{METHODS[result.resample].capitalize()}: {_images(result)}, seed {result.seed}",
        f"population: {kind} ({population(result, by_topic=by_topic)})",
        f"α = {result.alpha:g}",
        f"n = {counted(len(result.systems), 'system')} ({_kept(result)}) × {counted(len(result.topics), 'topic')}",
        f"corpus of {result.corpus_size:,} documents, {result.documents:,} of them in runs and qrels",
        _undefined(result),
        f"order: {TIE_RULE}, scores in {result.precision} precision",
    )


def _images(result: Reliability) -> str:
    drawn = {
        "documents": f"{result.corpus_size:,} documents",
        "topics": f"{len(result.topics)} topics",
        "both": f"{result.corpus_size:,} documents and {len(result.topics)} topics",
    }[result.resample]
    return f"{counted(result.images, 'image')}, each of {drawn} drawn with replacement"


def _kept(result: Reliability) -> str:
    return "all" if result.kept_by is None else f"the best of {result.given} by {result.kept_by}"


def _undefined(result: Reliability) -> str:
    if result.moments is None:
        return "a topic without relevant documents scores 0"
    least, most = min(result.undefined_share.tolist()), max(result.undefined_share.tolist())
    share = f"{100 * least:.2g} %" if least == most else f"by measure {100 * least:.2g} to {100 * most:.2g} %"
    done = "scores 0" if result.undefined == "zero" else "is left out of it"
    return f"a topic without relevant documents in an image {done} ({share} of topics and images)"


def _caption(result: Reliability, *explained: str, by_topic: bool = False) -> str:
    return f"{'; '.join(explained)}. {'; '.join(setting(result, by_topic=by_topic))}."


def _measure_table(result: Reliability) -> Table:
    measures, inside = precision(result), percent(1 - result.alpha)
    explained = {
        "diff sd": "standard deviation over images of the difference of two systems on a topic, mean over pairs and "
        "topics, ± its standard deviation",
        "score sd": "of a score on a topic, mean over systems and topics",
        "mean sd": "of a system's mean over images, median over systems",
        "digits": "decimals of a mean whose unit is not below mean sd",
        "rank width": f"of {inside} percentile intervals of ranks, mean over systems",
        "swaps": f"neighbours that swap in more than {percent(SWAPS)} of images",
        "below": f"with in and above, shares of the differences in the last image by {inside} normal intervals from "
        "the images before it",
    }
    rows = [_measure_cells(one) for one in measures]
    told = [f"{name}: {text}" for name, text in explained.items() if name in rows[0]]
    if result.resample == "both":
        told.append("what is of single topics (diff sd, score sd, below, in, above) is under documents drawn alone")
    return Table(
        title="How precise each measure is",
        columns=tuple(rows[0]),
        rows=tuple(tuple(row.values()) for row in rows),
        caption=_caption(result, *told),
    )


def _measure_cells(one: Precision) -> dict[str, Cell]:
    """The numbers of a measure that there are."""
    cells: dict[str, Cell] = {"measure": one.measure}
    if one.difference is not None:
        cells |= {"diff sd": one.difference.mean, "±": one.difference.sd}
    if one.cell is not None:
        cells["score sd"] = one.cell.mean
    cells |= {"mean sd": one.mean_sd, "digits": one.digits, "rank width": one.rank_width, "swaps": len(one.swapped)}
    if one.held_out is not None:
        cells |= {"below": one.held_out.below, "in": one.held_out.inside, "above": one.held_out.above}
    return cells


def _system_table(result: Reliability) -> Table:
    names = {"rank_low": "rank low", "rank_high": "rank high"}
    records = list(_system_records(result))
    inside = percent(1 - result.alpha)
    return Table(
        title="Systems, best first",
        columns=tuple(names.get(name, name) for name in records[0]),
        rows=tuple(tuple(record.values()) for record in records),
        caption=_caption(
            result,
            "root: mean over topics on the documents and topics as they are",
            f"mean, sd: over images; low, high: {inside} percentile interval of the mean, and of the rank",
        ),
        group_by=0,
    )


def _system_records(result: Reliability) -> Iterator[dict[str, Cell]]:
    """Every measure and system, best first."""
    (low, high), (rank_low, rank_high) = result.interval.tolist(), result.rank_interval.tolist()
    root, mean, sd, rank = (
        values.tolist() for values in (result.root_means, result.image_means, result.sd, result.root_ranks)
    )
    for m, measure in enumerate(result.measures):
        for s in result.order(m).tolist():
            yield {
                "measure": measure,
                "system": result.systems[s],
                "root": root[m][s],
                "mean": mean[m][s],
                "sd": sd[m][s],
                "low": low[m][s],
                "high": high[m][s],
                "rank": _place(rank[m][s]),
                "rank_low": _place(rank_low[m][s]),
                "rank_high": _place(rank_high[m][s]),
            }


def _place(rank: float) -> int | float:
    """A rank, whole where it is."""
    return int(rank) if rank.is_integer() else rank


def _swap_tables(result: Reliability) -> list[Table]:
    """The neighbours that swap, where there are any."""
    rows = tuple((one.measure, swap.upper, swap.lower, swap.share) for one in precision(result) for swap in one.swapped)
    if not rows:
        return []
    table = Table(
        title=f"Neighbours in the ranking that swap in more than {percent(SWAPS)} of images",
        columns=("measure", "upper", "lower", "share"),
        rows=rows,
        caption=_caption(result, "share: of images in which the system that is lower on the root is ahead"),
        decimals=3,
        group_by=0,
    )
    return [table]


def _topic_table(result: Reliability, system: int) -> Table:
    records = list(_topic_records(result, [system]))
    spread = result.spread_by_topic(_SHARE).ravel().tolist()
    mean, sd = result.system_spread()
    overall = ", ".join(
        f"{float(mean[m, system]):.3f} ± {float(sd[m, system]):.3f} under {measure}"
        for m, measure in enumerate(result.measures)
    )
    columns = [name for name in records[0] if name != "system"]
    return Table(
        title=f"{result.systems[system]} topic by topic",
        columns=(*columns, "sd of 95 %"),
        rows=tuple(
            (*(record[name] for name in columns), of_topic) for record, of_topic in zip(records, spread, strict=True)
        ),
        caption=_caption(
            result,
            f"sd, mean ± standard deviation over topics: {overall}",
            f"root: on the documents as they are; mean, sd and quartiles over images; "
            f"sd of 95 %: the {percent(_SHARE)} percentile over systems of their sd on the topic",
            by_topic=True,
        ),
        group_by=0,
    )


def _topic_records(result: Reliability, systems: list[int]) -> Iterator[dict[str, Cell]]:
    """The scores on every topic of some systems."""
    root, mean, sd = (values.tolist() for values in (result.root, topic_means(result), result.topic_sd()))
    lower, median, upper = result.topic_quartiles().tolist()
    for m, measure in enumerate(result.measures):
        for t, topic in enumerate(result.topics):
            for s in systems:
                yield {
                    "measure": measure,
                    "topic": topic,
                    "system": result.systems[s],
                    "root": root[m][t][s],
                    "mean": mean[m][t][s],
                    "sd": sd[m][t][s],
                    "q25": lower[m][t][s],
                    "median": median[m][t][s],
                    "q75": upper[m][t][s],
                }


def reliability_json(result: Reliability) -> dict[str, Any]:
    """The result as an object: settings, measures, systems, topics, pairs, the check, swaps and findings."""
    measures = precision(result)
    return {
        "settings": _settings(result),
        "measures": [_measure_object(one) for one in measures],
        "systems": list(_system_records(result)),
        **_topic_objects(result),
        "held_out": [{"measure": one.measure, **one.held_out._asdict()} for one in measures if one.held_out],
        "swaps": [
            {"measure": measure, **swap._asdict(), "is_frequent": swap.share > SWAPS}
            for m, measure in enumerate(result.measures)
            for swap in result.swaps(m)
        ],
        "findings": findings(result),
    }


def _settings(result: Reliability) -> dict[str, Any]:
    return {
        "method": METHODS[result.resample],
        "resample": result.resample,
        "population": population(result),
        "images": result.images,
        "seed": result.seed,
        "alpha": result.alpha,
        "measures": result.measures,
        "topics": result.topics,
        "systems": result.systems,
        "systems_given": result.given,
        "kept_by": result.kept_by,
        "corpus_size": result.corpus_size,
        "documents": result.documents,
        "undefined": result.undefined,
        "undefined_share": dict(zip(result.measures, result.undefined_share.tolist(), strict=True)),
        "order": TIE_RULE,
        "precision": result.precision,
        "swaps_from": SWAPS,
    }


def _measure_object(one: Precision) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "difference": None if one.difference is None else one.difference._asdict(),
        "cell": None if one.cell is None else one.cell._asdict(),
        "mean_sd": one.mean_sd,
        "digits": one.digits,
        "rank_width": one.rank_width,
        "neighbours": one.neighbours,
        "swapped": len(one.swapped),
        "held_out": None if one.held_out is None else one.held_out._asdict(),
    }


def _topic_objects(result: Reliability) -> dict[str, Any]:
    """What varies on single topics; nothing where documents are not drawn."""
    if result.moments is None:
        return {"topics": [], "topic_spread": [], "system_spread": [], "pairs": []}
    mean, sd = (values.tolist() for values in result.system_spread())
    spread = result.spread_by_topic(_SHARE).tolist()
    return {
        "topics": list(_topic_records(result, list(range(len(result.systems))))),
        "topic_spread": [
            {"measure": measure, "topic": topic, "percentile": _SHARE, "sd": spread[m][t]}
            for m, measure in enumerate(result.measures)
            for t, topic in enumerate(result.topics)
        ],
        "system_spread": [
            {"measure": measure, "system": system, "mean": mean[m][s], "sd": sd[m][s]}
            for m, measure in enumerate(result.measures)
            for s, system in enumerate(result.systems)
        ],
        "pairs": list(_pair_objects(result)),
    }


def _pair_objects(result: Reliability) -> Iterator[dict[str, Any]]:
    """For each measure the pairs, and the standard deviation of their differences: topic, pair."""
    pairs = [[first, second] for i, first in enumerate(result.systems) for second in result.systems[i + 1 :]]
    for m, one in enumerate(precision(result)):
        if one.difference is not None and result.moments is not None:
            deviations = result.moments.difference_sd(m).tolist()
            yield {"measure": one.measure, "pairs": pairs, "difference_sd": deviations, **one.difference._asdict()}
