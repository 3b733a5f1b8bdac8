"""Faggioli and Ferro (ECIR 2021): bootstrap ANOVA beside ANOVA with two corrections, on random shards.

What the paper says of them is asked of our own splits: its tables are not at hand. Its bootstrap ANOVA is that of
Voorhees, Samarov and Soboroff (2017), with p of one side, by the order of systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from irgauge.compute.arrays import Bools, Floats
from irgauge.inference.contrasts import pooled_differences
from irgauge.inference.corrections import BH
from irgauge.inference.tests.tukey import all_pairs_p
from irgauge.models.anova import Fit, decompose
from irgauge.models.residuals import Bootstrap, bootstrap
from irgauge.papers.entry import Dataset, Entry, Reason, Recomputed
from irgauge.papers.published import Key, exhibit, number
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures

PAPER, REPLICATED = "faggioli-ferro-2021", "voorhees-2017"
COLLECTIONS = ("trec3", "trec8")
MEASURE, ALPHA = "AP", 0.05
BOOTSTRAP, FDR, FWER = "bootstrap ANOVA", "ANOVA with FDR", "ANOVA with Tukey"
FILLS = {"without empty topics": "redraw", "with empty topics": "zero"}
MODELS, PARTS = ("MD3", "MD6"), (2, 3)
SPLITS, DRAWS = 10, 10_000
_REPLICATED = ("MD3", "without empty topics", 2)
_SDS = 3.0  # of a count over splits, within which a printed one is reproduced
_SHORT = 0.8  # of the printed length: below it intervals are not reproduced
POWER = "bootstrap ANOVA finds more pairs than ANOVA with FDR"
LENIENT = "ANOVA finds more pairs with FDR than with Tukey"
STABILITY = "decisions by bootstrap ANOVA change more from split to split than those by ANOVA with FDR"
COUNTS = "the counts of the replicates paper are reproduced"
LENGTHS = "the lengths of its intervals are not reproduced"
Design = tuple[str, str, int]  # model, whether topics may be empty in a part, parts


@dataclass(frozen=True)
class Decisions:
    """What one split says: the pairs that each approach calls different, and the length of intervals of effects."""

    significant: Mapping[str, Bools]  # approach -> pair
    length: float  # mean over systems, without α k/2N of the draws on each side


def decisions(values: Floats, model: str, seed: int, split: int) -> Decisions:
    """All approaches on values[topic, system, part]."""
    fit = decompose(values).fit(model)
    drawn = bootstrap(fit, draws=DRAWS, seed=seed, key=(split,), resample="residuals")
    significant = {BOOTSTRAP: _by_draws(drawn), FDR: _by_t(fit), FWER: _by_tukey(fit)}
    low, high = drawn.interval(ALPHA * float(significant[BOOTSTRAP].mean()))
    return Decisions(significant, float((high - low).mean()))


def _by_draws(drawn: Bootstrap) -> Bools:
    """p is the share of the worse system's draws that reach the better one; Benjamini-Hochberg over all pairs."""
    first, second = np.triu_indices(len(drawn.effects), 1)
    is_ahead = drawn.effects[first] >= drawn.effects[second]
    better, worse = np.where(is_ahead, first, second), np.where(is_ahead, second, first)
    return np.asarray(BH.adjusted(drawn.reached[better, worse]) <= ALPHA)


def _by_t(fit: Fit) -> Bools:
    """t of each difference against the residual, two-sided; Benjamini-Hochberg over all pairs."""
    pairs = np.triu_indices(fit.shape[1], 1)
    return np.asarray(BH.adjusted(pooled_differences(fit, *pairs, "documents").p) <= ALPHA)


def _by_tukey(fit: Fit) -> Bools:
    return np.asarray(all_pairs_p(fit, "documents")[np.triu_indices(fit.shape[1], 1)] <= ALPHA)


def change(significant: Bools) -> float:
    """The chance that two splits decide otherwise of a pair, of significant[split, pair].

    >>> change(np.array([[True, False], [True, True]]))
    0.5
    """
    n, k = len(significant), significant.sum(axis=0)
    return float((2 * k * (n - k) / (n * (n - 1))).mean())


def compared(dataset: Dataset) -> Recomputed:
    """Every claim, for each model, number of parts and treatment of empty topics."""
    found = {design: list(_splits(dataset, *design)) for design in product(MODELS, FILLS, PARTS)}
    values: dict[Key, bool] = {}
    for design, splits in found.items():
        values |= {(claim, *_labels(design)): holds for claim, holds in _claims(splits).items()}
    replicated = found[_REPLICATED]
    values[COUNTS, "holds"] = _is_reproduced(dataset, replicated)
    values[LENGTHS, "holds"] = _mean_length(replicated) < _SHORT * _printed_length(dataset)
    shown = tuple(_shown(design, splits) for design, splits in found.items())
    lengths = f"Mean length of intervals: {_mean_length(replicated):.4f}, printed {_printed_length(dataset):g}"
    return Recomputed(values, beside=(*shown, f"{lengths}."))


def _splits(dataset: Dataset, model: str, empty: str, parts: int) -> Iterator[Decisions]:
    for split in range(SPLITS):
        asked = Measuring(
            tuple(parse_measures([MEASURE])), f"even:{parts}", FILLS[empty], seed=dataset.seed, number=split
        )
        yield decisions(dataset.bench.measured(asked).values(), model, dataset.seed, split)


def _labels(design: Design) -> Key:
    model, empty, parts = design
    return f"{model}, {empty}", f"{parts} shards"


def _claims(splits: list[Decisions]) -> dict[str, bool]:
    counts, changes = _counts(splits), _changes(splits)
    return {
        POWER: counts[BOOTSTRAP] > counts[FDR],
        LENIENT: counts[FDR] > counts[FWER],
        STABILITY: changes[BOOTSTRAP] > changes[FDR],
    }


def _of(splits: list[Decisions], approach: str) -> Bools:
    return np.array([split.significant[approach] for split in splits])  # split, pair


def _counts(splits: list[Decisions]) -> dict[str, float]:
    return {approach: float(_of(splits, approach).sum(axis=1).mean()) for approach in (BOOTSTRAP, FDR, FWER)}


def _changes(splits: list[Decisions]) -> dict[str, float]:
    return {approach: change(_of(splits, approach)) for approach in (BOOTSTRAP, FDR, FWER)}


def _mean_length(splits: list[Decisions]) -> float:
    return float(np.mean([split.length for split in splits]))


def _is_reproduced(dataset: Dataset, splits: list[Decisions]) -> bool:
    counts = _of(splits, BOOTSTRAP).sum(axis=1)
    printed = _printed(dataset, "table-4", ("AP", "2 parts, α = 0.05", "pairs"))
    return bool(abs(counts.mean() - printed) <= _SDS * counts.std(ddof=1))


def _printed_length(dataset: Dataset) -> float:
    return _printed(dataset, "table-3", ("AP", "2 partitions, with", "mean"))


def _printed(dataset: Dataset, table: str, key: Key) -> float:
    """A value of the replicates paper."""
    values = exhibit(f"{REPLICATED}/{table}").values
    return next(number(v.text).value for v in values if (v.collection, v.key) == (dataset.source.key, key))


def _shown(design: Design, splits: list[Decisions]) -> str:
    model, empty, parts = design
    counts, changes = _counts(splits), _changes(splits)
    texts = [f"{approach} {counts[approach]:,.0f} pairs, {100 * changes[approach]:.1f} % change" for approach in counts]
    return f"{model}, {parts} shards {empty} (population: other documents for these topics): {'; '.join(texts)}."


ENTRIES = (
    Entry(
        f"{PAPER}/claims",
        f"{MEASURE}, {SPLITS} random splits into even shards, mean counts at α = {ALPHA:g}, population documents; "
        f"bootstrap ANOVA: {DRAWS:,} draws of residuals, p of one side, the share of the worse system's draws that "
        "reach the better one, Benjamini-Hochberg; ANOVA with FDR: t against the residual, two-sided, "
        "Benjamini-Hochberg; with Tukey: HSD against the residual; without empty topics: splits are drawn again until "
        "every topic has relevant documents in every shard; with: undefined scores are 0; change: the chance that two "
        f"splits decide otherwise of a pair; counts of the replicates paper: within {_SDS:g} standard deviations of a "
        f"split; lengths: without α k/2N of the draws on each side, below {_SHORT:g} times the printed ones",
        dict.fromkeys(COLLECTIONS, ()),
        compared,
        reasons=(
            Reason(
                ("trec8", STABILITY),
                "the more pairs a method finds, the fewer are at the edge here; the paper's measure of stability is "
                "not at hand",
            ),
        ),
    ),
)
