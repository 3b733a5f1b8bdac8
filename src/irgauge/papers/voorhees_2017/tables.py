"""The tables of Voorhees, Samarov and Soboroff (TOIS 2017)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from irgauge.inference.intervals import MeanInterval
from irgauge.papers.entry import Dataset, Recomputed
from irgauge.papers.published import Computed, Key
from irgauge.papers.voorhees_2017 import studies
from irgauge.papers.voorhees_2017.studies import LEVELS, PARTS, SPLITS, Counts
from irgauge.show.words import listed, percent
from irgauge.studies.partition.lengths import Length, RelatedRuns, length
from irgauge.studies.partition.splits import Splits

Values = dict[Key, Computed | bool]
MODELS = {"without": False, "with": True}  # interactions
ACROSS_MORE = "where they differ, the model across finds the difference, but for one pair at most"


# Tables 1 and 3


def interval_table(dataset: Dataset) -> Recomputed:
    """Lengths of intervals by number of parts."""
    values, counts = Values(), PARTS[dataset.source.key]
    for name, measure in studies.measures(dataset).items():
        for parts, model in product(counts, MODELS):
            inferred = studies.inferred(dataset, measure, parts, interactions=MODELS[model])
            lengths = [length(inference.printed) for _, inference in inferred if inference.printed]
            for column, own in _columns(lengths).items():
                values[name, f"{parts} partitions, {model}", column] = Computed.over(own)
            if parts == 5:
                values["5 partitions", "topics"] = Computed.over([len(split.topics) for split, _ in inferred])
    return Recomputed(values, beside=tuple(lengths_beside(dataset)))


def _columns(lengths: Sequence[Length]) -> Mapping[str, list[float]]:
    return {
        "mean": [length.mean for length in lengths],
        "minimum": [length.shortest for length in lengths],
        "maximum": [length.longest for length in lengths],
    }


def lengths_beside(dataset: Dataset) -> Iterator[str]:
    """The lengths by each reading of what intervals leave out, and those that cover other topics too."""
    for name, measure in studies.measures(dataset).items():
        both = {model.split.parts: model.plain for model in studies.lengths_of_both(dataset, measure).models}
        for parts in (2, 3):
            kinds = [f"{model} interactions {_kinds(dataset, measure, parts, model)}" for model in MODELS]
            yield (
                f"{dataset.source.key}, {name}, {parts} parts, mean lengths of percentile intervals (population "
                f"documents, means over splits): {', '.join(kinds)}. With interactions, first split: "
                f"{length(both[parts]).mean:.4f} at 95 % where topics are drawn too (population both)."
            )


def _kinds(dataset: Dataset, measure: str, parts: int, model: str) -> str:
    """Lengths if α k/N per cent is left out on each side, if α k/2N is, and if α/2 is."""
    inferred = [inference for _, inference in studies.inferred(dataset, measure, parts, interactions=MODELS[model])]
    kinds: dict[str, list[MeanInterval | None]] = {
        "α k/N per cent left out on each side": [inference.printed for inference in inferred],
        "the share α k/2N": [inference.adjusted for inference in inferred],
        "α/2": [inference.plain for inference in inferred],
    }
    means = {kind: np.mean([length(interval).mean for interval in own if interval]) for kind, own in kinds.items()}
    return ", ".join(f"{mean:.4f} ({kind})" for kind, mean in means.items())


# Tables 2 and 4


def count_table(dataset: Dataset) -> Recomputed:
    """How many pairs each test finds significantly different."""
    values = Values()
    for name, measure in studies.measures(dataset).items():
        for test, alpha, counts in _counts(dataset, measure):
            values |= _row((name, f"{test}, α = {alpha:g}"), counts, _pair_count(dataset))
    beside = (*topics_beside(dataset), *_unrounded_beside(dataset), *_one_sided_beside(dataset))
    return Recomputed(values, beside=beside)


def _counts(dataset: Dataset, measure: str) -> Iterator[tuple[str, float, Counts]]:
    """The counts of each test at each level, one for each draw."""
    halves, thirds = studies.halves(dataset, measure), studies.thirds(dataset, measure)
    randomized = [comparison.p for comparison in studies.randomized(dataset, measure)]
    for alpha in LEVELS:
        yield "t-test", alpha, studies.rejected([studies.unpaired(dataset, measure, rounded=True).p], alpha)
        yield "randomization", alpha, studies.rejected(randomized, alpha)
        yield from ((test, alpha, counts) for test, counts in _partition_counts(halves, thirds, alpha))


def _partition_counts(halves: Sequence[Splits], thirds: Splits, alpha: float) -> Iterator[tuple[str, Counts]]:
    """The counts of the partition method, one for each split or repetition."""
    yield "3 parts", thirds.significant_counts(alpha).tolist()
    yield "2 parts", [count for half in halves for count in half.significant_counts(alpha).tolist()]
    yield "multiple 2 parts", [int(np.count_nonzero(half.decided(alpha))) for half in halves]


def _row(key: Key, counts: Counts, pairs: int) -> Values:
    """A count and its share of all pairs."""
    shares = [100 * count / pairs for count in counts]
    return {(*key, "pairs"): _computed(counts), (*key, "share"): _computed(shares)}


def _computed(draws: Sequence[float]) -> Computed:
    return Computed.over(draws) if len(draws) > 1 else Computed(draws[0])


def _pair_count(dataset: Dataset) -> int:
    systems = len(dataset.collection.systems)
    return systems * (systems - 1) // 2


def topics_beside(dataset: Dataset) -> Iterator[str]:
    """What a paired test over topics finds, beside the splits."""
    pairs, alpha = _pair_count(dataset), LEVELS[0]
    for name, measure in studies.measures(dataset).items():
        single, corrected = studies.paired_counts(dataset, measure, alpha)
        splits = np.mean([np.count_nonzero(half.decided(alpha)) for half in studies.halves(dataset, measure)])
        yield (
            f"{dataset.source.key}, {name}: {SPLITS} splits into two parts, all agreeing, find {splits:,.0f} of "
            f"{pairs:,} pairs significantly different (population documents: other documents for these topics); for "
            f"other topics (population topics) the paired t-test finds {single:,}, each pair for itself, and "
            f"{corrected:,} corrected by Benjamini and Hochberg over all pairs, at α = {alpha:g}."
        )


def _unrounded_beside(dataset: Dataset) -> Iterator[str]:
    """The unpaired t-test on scores in full precision."""
    for name, measure in studies.measures(dataset).items():
        p = studies.unpaired(dataset, measure).p
        counts = [f"{studies.rejected([p], alpha)[0]:,} at α = {alpha:g}" for alpha in LEVELS]
        yield (
            f"{dataset.source.key}, {name}: on scores in full precision the unpaired t-test finds "
            f"{' and '.join(counts)} significantly different (population topics, no correction)."
        )


def _one_sided_beside(dataset: Dataset) -> Iterator[str]:
    """The partition method with p-values of one direction."""
    for name, measure in studies.measures(dataset).items():
        halves = [studies.one_sided(half) for half in studies.halves(dataset, measure)]
        thirds = studies.one_sided(studies.thirds(dataset, measure))
        for alpha in LEVELS:
            counts = [
                f"{np.mean(pair_counts):,.0f} ± {np.std(pair_counts, ddof=1):.0f} ({test})"
                for test, pair_counts in _partition_counts(halves, thirds, alpha)
            ]
            yield (
                f"{dataset.source.key}, {name}, α = {alpha:g}: with one-sided p-values (not doubled, corrected by "
                f"Benjamini and Hochberg) the partition method finds {listed(counts)} pairs, mean ± standard "
                "deviation over the same splits or repetitions (population documents)."
            )


# Table 5


def disagreement_table(dataset: Dataset) -> Recomputed:
    """On how many pairs the splits disagree, by how many splits say otherwise."""
    values = Values()
    for name, measure in studies.measures(dataset).items():
        halves = studies.halves(dataset, measure)
        for alpha in LEVELS:
            counts = [_at_levels(splits, alpha) for splits in halves]
            for level in counts[0]:
                row = (name, f"{level}, α = {alpha:g}")
                values |= _row(row, [count[level] for count in counts], _pair_count(dataset))
    return Recomputed(values, beside=tuple(disagreements_beside(dataset)))


def _at_levels(splits: Splits, alpha: float) -> dict[str, int]:
    """The pairs at each level from 1:10 to 5:6; pairs with three decisions, if any, are in the total alone."""
    levels = {str(level): level.pairs for level in splits.levels(alpha)[1 : SPLITS // 2 + 1]}
    return levels | {"total": splits.disagreements(alpha)}


def disagreements_beside(dataset: Dataset) -> Iterator[str]:
    """What a paired test over topics says of the pairs that splits disagree on."""
    alpha = LEVELS[0]
    for name, measure in studies.measures(dataset).items():
        half = studies.halves(dataset, measure)[0]
        open_ = half.minority(alpha) > 0
        count = int(np.count_nonzero(open_ & (studies.paired(dataset, measure).p <= alpha)))
        yield (
            f"{dataset.source.key}, {name}: of the {half.disagreements(alpha):,} pairs on which {SPLITS} splits "
            f"disagree (seed {half.drawing.seed}; population documents), the paired t-test over topics finds {count:,} "
            f"significantly different at α = {alpha:g} without correction (population topics)."
        )


# Table 6


def related_table(dataset: Dataset) -> Recomputed:
    """Models of related runs alone against models of all runs."""
    related_runs = studies.related(dataset)
    values = Values()
    for same in zip(*(split.lengths for split in related_runs), strict=True):
        column = "with" if same[0].interactions else "without"
        values[same[0].model, column] = Computed.over([length.printed for length in same if length.printed])
    pairs = len(related_runs[0].pairs)
    values["related", "pairs"] = Computed(pairs)
    values |= _row(("decided alike",), [split.agreeing for split in related_runs], pairs)
    values[ACROSS_MORE, "holds"] = mostly([_within_more(split) <= 1 for split in related_runs])
    return Recomputed(
        values, beside=(_related_beside(dataset.source.key, related_runs), *_topics_beside_related(dataset))
    )


def _within_more(related_runs: RelatedRuns) -> int:
    """How many pairs the models decide differently in another way than that only the one across finds a difference."""
    outcomes = related_runs.outcomes()
    return outcomes["within only"] + outcomes["opposite"]


def mostly(holds: Sequence[bool]) -> bool:
    """Whether a statement holds in most of the draws."""
    return sum(holds) > len(holds) / 2


def _related_beside(key: str, related_runs: Sequence[RelatedRuns]) -> str:
    cells = [
        f"{same[0].model} {'with' if same[0].interactions else 'without'} interactions "
        f"{np.mean([model.plain for model in same]):.4f}, adjusted {np.mean([model.adjusted for model in same]):.4f}"
        for same in zip(*(one.lengths for one in related_runs), strict=True)
    ]
    names = ("across only", "within only", "opposite")
    outcomes = [f"{name} {np.mean([one.outcomes()[name] for one in related_runs]):.1f}" for name in names]
    return (
        f"{key}, AP: mean lengths of plain and adjusted intervals: {'; '.join(cells)}; pairs decided differently: "
        f"{', '.join(outcomes)} (population documents, means over {len(related_runs)} splits)."
    )


def _topics_beside_related(dataset: Dataset) -> Iterator[str]:
    """What a paired test over topics finds among related pairs."""
    split, alpha = studies.related(dataset)[0], LEVELS[0]
    over_topics = studies.paired(dataset, "AP")
    names = [
        frozenset((over_topics.systems[first], over_topics.systems[second]))
        for first, second in zip(over_topics.first, over_topics.second, strict=True)
    ]
    different = {pair for pair, p in zip(names, over_topics.p, strict=True) if p <= alpha}
    alike = [frozenset(pair[1:]) in different for pair in split.pairs]
    yield (
        f"{dataset.source.key}, AP: of {len(split.pairs)} related pairs the model across finds "
        f"{np.count_nonzero(split.across)} significantly different and the models within "
        f"{np.count_nonzero(split.within)} (population documents, seed {split.seed}); the paired t-test over topics "
        f"finds {sum(alike)} ({percent(sum(alike) / len(alike))}) at α = {alpha:g} without correction "
        "(population topics)."
    )
