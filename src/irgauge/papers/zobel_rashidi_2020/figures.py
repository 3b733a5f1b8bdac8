"""Figures 1 to 5 of Zobel and Rashidi (2020): how scores, means and ranks vary over images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.papers.entry import Dataset, Entry, Reason, Recomputed
from irgauge.papers.published import Key
from irgauge.papers.zobel_rashidi_2020.tables import (
    BEST,
    BEST_OF_FIGURES,
    DOCUMENTS,
    IMAGES,
    IMAGES_OF_FIGURES,
    NEEDS,
    PAPER,
    STUDIES,
    SYSTEMS,
    best,
    by_label,
    claim,
    drawn,
    measures,
    populations,
    studies,
    told,
)
from irgauge.replicates.images import draw_images
from irgauge.scoring.scores import score
from irgauge.studies.bootstrap.study import Bootstrapped

SHOWN = 2  # system #3, of which Figure 2 is
_HIGHLY = 1.0  # a skewness above is called high
_HIGH = 0.1  # a deviation that the text calls a concern
_KNOWN = (0.05, 0.10)  # the widths of intervals that the text gives
_STEADY, _BY_RECALL = ("INSQ@5", "RBP@0.95"), ("AP", "nDCG")
_BAND, _WEAK = ("AP", "INSQ@5", "nDCG", "RBP@0.95"), ("P@10", "RR")
_BY_TOPIC = f"{DOCUMENTS}; means over {STUDIES} studies of {IMAGES} images, a seed each"
_BY_SYSTEM = f"best {BEST_OF_FIGURES} {SYSTEMS}; {DOCUMENTS}; {IMAGES_OF_FIGURES} images"


def _statements(statements: Mapping[str, bool]) -> dict[Key, bool]:
    return {(statement, "holds"): holds for statement, holds in statements.items()}


def _above(values: Mapping[str, float], upper: tuple[str, ...], lower: tuple[str, ...]) -> bool:
    """Whether each of some measures has a higher value than all of some others."""
    return min(values[label] for label in upper) > max(values[label] for label in lower)


def spread_by_topic(dataset: Dataset) -> Recomputed:
    """Figure 1."""
    from irgauge.studies.bootstrap import charts as drawn_again

    results = studies(dataset)
    spread = np.mean([study.spread_by_topic() for study in results], axis=0)  # measure, topic
    size, unevenness = by_label(spread.mean(axis=1)), by_label(spread.std(axis=1, ddof=1))
    skewness = by_label(np.mean([study.deviation_skewness() for study in results], axis=0))
    values = {
        "RR is larger than all others": _above(size, ("RR",), (*_BAND, "P@10")),
        "P@10 is larger than AP, INSQ, nDCG and RBP": _above(size, ("P@10",), _BAND),
        "INSQ and RBP differ less from topic to topic than AP and nDCG": _above(unevenness, _BY_RECALL, _STEADY),
        "RBP and INSQ are about normal": max(abs(skewness[label]) for label in _STEADY) <= _HIGHLY,
        **{f"{label} is skew to large values": skewness[label] > _HIGHLY for label in (*_BY_RECALL, *_WEAK)},
    }
    without_rr = drawn(dataset, BEST, measures(dataset)[:-1], images=IMAGES, seed=dataset.seed)
    skewed = f"Skewness of the deviations of all systems and topics: {told(skewness.values(), 2)}."
    charts = (drawn_again.spread(without_rr),)
    return Recomputed(_statements(values), charts, (skewed, _between_topics(results[0])))


def _between_topics(result: Bootstrapped) -> str:
    """How scores vary over topics, beside how they vary over images."""
    over_topics = np.median(result.root.std(axis=1, ddof=1), axis=1)
    over_images = np.median(result.topic_sd(), axis=(1, 2))
    what = "a system's scores have a standard deviation over topics on the root (median over systems) of"
    return (
        f"For other topics, {what} {told(over_topics, 2)}; over images of the corpus, which leave topics as they are, "
        f"a score on one topic has (median over systems and topics) {told(over_images, 2)}."
    )


def system_on_topics(dataset: Dataset) -> Recomputed:
    """Figure 2."""
    from irgauge.studies.bootstrap import charts as drawn_again

    results = studies(dataset)
    deviations = np.mean([study.topic_sd()[..., SHOWN] for study in results], axis=0)  # measure, topic
    largest = by_label(deviations.max(axis=1))
    high = by_label((deviations >= _HIGH).sum(axis=1))
    absolute = deviations.std(axis=1, ddof=1)
    unevenness = by_label(absolute / deviations.mean(axis=1))
    values = {
        "P@10 goes in steps of 0.1": _is_in_tenths(dataset),
        "RR has the largest deviations": _above(largest, ("RR",), (*_BAND, "P@10")),
        "RBP and INSQ are more uniform over topics than AP and nDCG": _above(unevenness, _BY_RECALL, _STEADY),
        "AP and nDCG have high deviations on more topics than RBP and INSQ": _above(high, _BY_RECALL, _STEADY),
    }
    also = "holds too" if _above(by_label(absolute), _BY_RECALL, _STEADY) else "does not hold"
    sizes = (
        f"{results[0].systems[SHOWN]}: largest standard deviation on a topic {told(largest.values(), 3)}; standard "
        f"deviation over topics of these deviations, relative to their mean, {told(unevenness.values(), 2)}, and not "
        f"relative to it, by which the statement of uniformity {also}, {told(absolute, 3)}; topics with a "
        f"deviation of {_HIGH:g} or more: {told(high.values(), 0)}."
    )
    charts = (drawn_again.topics(results[0], results[0].systems[SHOWN]),)
    return Recomputed(_statements(values), charts, (sizes, _between_topics(results[0])))


def _is_in_tenths(dataset: Dataset) -> bool:
    chosen = best(dataset, SHOWN + 1).only([SHOWN])
    images = draw_images(chosen, IMAGES, seed=dataset.seed, workers=dataset.workers)
    tenths = 10 * score(chosen, ["P@10"], images, workers=dataset.workers).filled("zero").values
    return bool(np.allclose(tenths, np.rint(tenths)))


def means(dataset: Dataset) -> Recomputed:
    """Figure 3."""
    from irgauge.studies.bootstrap import charts as drawn_again

    by_population = populations(dataset)
    documents, topics = by_population["documents"], by_population["topics"]
    width = float(np.median(documents.percentiles[1] - documents.percentiles[0]))
    score_off, sds_off = map(by_label, _off_the_root(studies(dataset)))
    values = {
        "means vary less than when topics are drawn": bool((_typical_sd(documents) < _typical_sd(topics)).all()),
        "no more than two decimals are justified": max(_decimals(documents)) <= 2,
        "most means are known to within 0.05 to 0.10": _KNOWN[0] <= width <= _KNOWN[1],
        **{
            statement: all(_above(off, (label,), others) for off in (score_off, sds_off))
            for statement, label, others in (
                ("RR is furthest from its mean on the root", "RR", (*_BAND, "P@10")),
                ("nDCG is next", "nDCG", ("AP", "INSQ@5", "P@10", "RBP@0.95")),
            )
        },
    }
    away = (
        f"Means over images are off the root by so much in score (mean over systems): {told(score_off.values(), 4)}; "
        f"by so many of their standard deviations: {told(sds_off.values(), 2)}."
    )
    beside = (away, *(_intervals(result) for result in by_population.values()))
    return Recomputed(_statements(values), (drawn_again.systems(documents),), beside)


def _off_the_root(results: Sequence[Bootstrapped]) -> tuple[Floats, Floats]:
    """How far means over all images of the studies are from the root, in score and in standard deviations: measure."""
    off = np.abs(np.mean([study.image_means - study.root_means for study in results], axis=0))  # measure, system
    sd = np.mean([study.sd for study in results], axis=0)
    in_score, in_sds = (distances[:, :BEST_OF_FIGURES].mean(axis=1) for distances in (off, off / sd))
    return in_score, in_sds


def _typical_sd(result: Bootstrapped) -> Floats:
    """The standard deviation of a mean over images, median over systems: measure."""
    return np.median(result.sd, axis=1)


def _decimals(result: Bootstrapped) -> list[int]:
    """How many decimals of a mean are justified by each measure, as `bootstrap` says."""
    return [result.digits(measure) for measure in range(len(result.measures))]


def _intervals(result: Bootstrapped) -> str:
    widths = np.median(result.percentiles[1] - result.percentiles[0], axis=1)
    digits = _decimals(result)
    what = f"{1 - result.alpha:.0%} percentile intervals of means are so wide (median over systems): {told(widths, 3)}"
    return f"{claim(result)} {what}; decimals that are justified: {told(digits, 0)}."


def deviations(dataset: Dataset) -> Recomputed:
    """Figure 4."""
    from irgauge.studies.bootstrap import charts as drawn_again

    by_population = populations(dataset)
    typical = by_label(_typical_sd(by_population["documents"]))
    values = {"AP, INSQ, nDCG and RBP are in one band, below P@10 and RR": _above(typical, _WEAK, _BAND)}
    what = "means have standard deviations (median over systems) of"
    beside = tuple(f"{claim(result)} {what} {told(_typical_sd(result), 3)}." for result in by_population.values())
    return Recomputed(_statements(values), (drawn_again.deviations(by_population["documents"]),), beside)


def ranks(dataset: Dataset) -> Recomputed:
    """Figure 5."""
    from irgauge.studies.bootstrap import charts as drawn_again

    by_population = populations(dataset)
    widths = {kind: np.diff(result.rank_percentiles, axis=0)[0].mean(axis=1) for kind, result in by_population.items()}
    width = by_label(widths["documents"])
    values = {
        "RR and P@10 vary most": _above(width, _WEAK, _BAND),
        "AP varies more than RBP, INSQ and nDCG": _above(width, ("AP",), ("RBP@0.95", "INSQ@5", "nDCG")),
    }
    what = "the 95 % percentile interval of a rank is so many places wide (mean over systems)"
    beside = tuple(f"{claim(result)} {what}: {told(widths[kind], 1)}." for kind, result in by_population.items())
    return Recomputed(_statements(values), (drawn_again.ranks(by_population["documents"]),), beside)


ENTRIES = (
    Entry(
        f"{PAPER}/figure-1",
        f"larger: mean over topics of the 95th percentile; differ: its standard deviation over topics; skew: skewness "
        f"above {_HIGHLY:g} of the deviations of all systems and topics, normal: at most {_HIGHLY:g} either way; "
        f"best {BEST} {SYSTEMS}; {_BY_TOPIC}",
        NEEDS,
        spread_by_topic,
        reasons=(
            Reason(
                ("P@10 is skew to large values",),
                "the deviations of P@10 have a tail to small values, on topics where hardly any top document is "
                "relevant, or nearly all are",
            ),
            Reason(
                ("RR is skew to large values",),
                "RR has many deviations of 0 or near it and many large ones, so that its skewness is moderate",
            ),
            Reason(
                ("RBP and INSQ are about normal",),
                "the deviations of RBP and INSQ have a tail to small values, on topics where hardly any top document "
                "is relevant, or nearly all are",
            ),
        ),
    ),
    Entry(
        f"{PAPER}/figure-2",
        "of the system that is third by mean RBP on the root: largest standard deviation on a topic; uniform: standard "
        "deviation of the deviations over topics relative to their mean (one reading of several, another stands "
        f"beside); high: {_HIGH:g} or more; {SYSTEMS}; {_BY_TOPIC}",
        NEEDS,
        system_on_topics,
        reasons=(
            Reason(
                ("AP and nDCG have high deviations on more topics than RBP and INSQ",),
                "the figure is of TREC-9; here few topics have so high a deviation in any of the four measures",
            ),
        ),
    ),
    Entry(
        f"{PAPER}/figure-3",
        "standard deviations of means, median over systems; decimals whose unit is next to the standard error; "
        f"width of 95 % percentile intervals, median over systems and measures; {_BY_SYSTEM}; distance of means from "
        f"the root, mean over systems, both in score and in their standard deviations, in {STUDIES} × {IMAGES} images",
        NEEDS,
        means,
        reasons=(
            Reason(
                ("nDCG is next",),
                "in score P@10 and INSQ are further off than nDCG; in standard deviations nDCG and INSQ are level, and "
                "their order depends on the seed",
            ),
            Reason(
                ("most means are known to within 0.05 to 0.10",),
                "the range is that of P@10 and RR; the means of AP, INSQ, nDCG and RBP are known more closely where "
                "only documents are drawn, and less closely where topics are",
            ),
        ),
    ),
    Entry(
        f"{PAPER}/figure-4",
        f"standard deviations of means, median over systems; in one band: below those of P@10 and RR; {_BY_SYSTEM}",
        NEEDS,
        deviations,
    ),
    Entry(
        f"{PAPER}/figure-5",
        f"width of 95 % percentile intervals of ranks among these systems, mean over systems; {_BY_SYSTEM}",
        NEEDS,
        ranks,
    ),
)
