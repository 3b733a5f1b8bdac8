"""Figures 6 and 7 of Zobel and Rashidi (2020): two systems under shallow pools."""

from __future__ import annotations

from typing import Any

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.papers.entry import Dataset, Entry, Recomputed
from irgauge.papers.published import Computed, Key
from irgauge.papers.zobel_rashidi_2020.tables import (
    BEST_OF_PAIRS,
    DOCUMENTS,
    IMAGES,
    LABELS,
    NEEDS,
    PAPER,
    RBP,
    best,
    claim,
    populations,
)
from irgauge.show.words import counted, listed
from irgauge.studies.bootstrap.study import Bootstrapped
from irgauge.studies.pools.study import Pooled, pools

STUDIES = 10  # repeated studies of the pair, over which a printed value is one draw
_DEPTHS = (10, 25)
_POOLS = ("depth 10", "depth 25", "all")
_MEASURES = {"AP": "AP", "RBP@0.95": RBP}
_AP, _RBP = range(2)
_SAME = 1.25  # at most so many times as wide, to be called about as wide
_MANY = 2.0  # at least so many times as wide, to be called many times as wide
_HOW = (
    f"best two systems by mean RBP (persistence 0.95, cut at 1000) on the collection as it is, first minus "
    f"second; pools of the union of their top 10 or 25 in each image; two-sided paired t-test over topics, no "
    f"correction; {DOCUMENTS}; {STUDIES} studies of {IMAGES} images, a seed each"
)


def _pair(dataset: Dataset) -> list[Pooled]:
    """The best two systems, studied several times."""
    return dataset.once(f"{PAPER} pair", lambda: [_study(dataset, number) for number in range(STUDIES)])


def _study(dataset: Dataset, number: int) -> Pooled:
    pair, seed = best(dataset, 2), dataset.seed + number
    asked: dict[str, Any] = {"depths": _DEPTHS, "images": IMAGES, "sparse": True, "workers": dataset.workers}
    return pools(pair, tuple(_MEASURES.values()), seed=seed, **asked)


def p_values(dataset: Dataset) -> Recomputed:
    """Figure 6."""
    from irgauge.studies.pools import charts as drawn_again

    chosen, drawn = best(dataset, BEST_OF_PAIRS), populations(dataset).values()
    many = pools(
        chosen,
        tuple(_MEASURES.values()),
        depths=_DEPTHS,
        images=IMAGES,
        all_pairs=True,
        sparse=True,
        seed=dataset.seed,
        workers=dataset.workers,
    )
    ap, rbp = many.falls()[:, :-1]
    values: dict[Key, Computed | bool] = {
        ("AP gains confidence by shallow pools in more pairs than RBP", "holds"): bool((ap > rbp).all())
    }
    beside = (_counts(many), *(_ahead(result) for result in drawn))
    if dataset.source.key != "trec9":
        return Recomputed(values, (drawn_again.p_values(many),), beside)
    results = _pair(dataset)
    return Recomputed(
        values | _root(results[0]) | _ranges(results) | _shapes(results),
        (drawn_again.p_values(results[0]), drawn_again.p_values(many)),
        beside,
    )


def _counts(many: Pooled) -> str:
    gains = [[int(count) for count in row] for row in many.falls()[:, :-1]]
    texts = [f"{listed(list(map(str, row)))} by {label}" for label, row in zip(_MEASURES, gains, strict=True)]
    systems = f"best {BEST_OF_PAIRS} systems (median p in images at most half of that with all judgments)"
    pools = f"with pools of depth {listed(list(map(str, _DEPTHS)))}"
    return f"Of {counted(len(many.pairs), 'pair')} of the {systems}, p falls {pools} in so many: {listed(texts)}."


def _ahead(result: Bootstrapped) -> str:
    """How often the first of the best two is ahead, with all judgments."""
    shares = [(result.means[m, 0] > result.means[m, 1]).mean() for m in map(LABELS.index, _MEASURES)]
    texts = [f"{share:.0%} by {label}" for label, share in zip(_MEASURES, shares, strict=True)]
    what = f"with all judgments {result.systems[0]} is ahead of {result.systems[1]} in so many images"
    return f"{claim(result)} {what}: {listed(texts)}."


def _root(result: Pooled) -> dict[Key, Computed | bool]:
    """Differences and p-values on the whole corpus."""
    pair = result.pairs[0]
    columns = {"difference": pair.root_difference, "p": pair.root_p}  # measure, pool
    return {
        ("whole corpus, all judgments", label, column): Computed(float(values[m, -1]))
        for m, label in enumerate(_MEASURES)
        for column, values in columns.items()
    }


def _ranges(results: list[Pooled]) -> dict[Key, Computed | bool]:
    """The least and the largest p-value of a study; of RBP, whose outliers the paper leaves out, 5 % to 95 %."""
    pairs = [study.pairs[0] for study in results]
    ends = np.array([[pair.p.min(axis=2), pair.p.max(axis=2)] for pair in pairs])  # study, end, measure, pool
    inner = np.array([pair.p_range for pair in pairs])
    by_measure = (ends[:, :, _AP], inner[:, :, _RBP])  # study, end, pool
    return {
        (label, pool, column): Computed.over(values[:, end, place])
        for label, values in zip(_MEASURES, by_measure, strict=True)
        for place, pool in enumerate(_POOLS)
        for end, column in enumerate(("lowest p", "highest p"))
    }


def _shapes(results: list[Pooled]) -> dict[Key, Computed | bool]:
    """What the text says of the points."""
    pairs = [study.pairs[0] for study in results]
    size = np.abs(np.mean([pair.median_difference for pair in pairs], axis=0))  # measure, pool
    p = np.mean([pair.median_p for pair in pairs], axis=0)
    low, high = np.mean([pair.p_range for pair in pairs], axis=0)
    changes = np.mean([pair.falls | pair.rises for pair in pairs], axis=0)
    return {
        ("differences in AP grow as judgments are reduced", "holds"): _falls(size[_AP]),
        ("p by AP falls as judgments are reduced", "holds"): _falls(-p[_AP]),
        ("RBP is much the same with all pools", "holds"): bool((changes[_RBP] <= 0.5).all()),
        ("p by AP is more spread than by RBP with all judgments", "holds"): bool(
            (high - low)[_AP, -1] > (high - low)[_RBP, -1]
        ),
    }


def _falls(values: Floats) -> bool:
    """Whether values fall from pool to pool, the shallowest first."""
    return bool((np.diff(values) < 0).all())


def topic_differences(dataset: Dataset) -> Recomputed:
    """Figure 7."""
    from irgauge.studies.pools import charts as drawn_again

    results = _pair(dataset)
    widths = np.mean([study.topic_widths() for study in results], axis=0)  # measure, pool
    same = widths[_RBP].max() <= _SAME * widths[_RBP].min()
    values: dict[Key, Computed | bool] = {
        ("differences in RBP spread about as wide with all pools", "holds"): bool(same),
        ("differences in AP spread wider as judgments are reduced", "holds"): _falls(widths[_AP]),
        ("with depth 25 they spread many times wider than with all judgments", "holds"): bool(
            widths[_AP, 1] >= _MANY * widths[_AP, 2]
        ),
    }
    return Recomputed(values, (drawn_again.topics(results[0]),), (_widths(widths), _over_topics(results[0])))


def _widths(widths: Floats) -> str:
    texts = [
        f"{label} {listed([f'{width:.3f} ({pool})' for width, pool in zip(row, _POOLS, strict=True)])}"
        for label, row in zip(_MEASURES, widths.tolist(), strict=True)
    ]
    return f"Differences on a topic spread so wide over images (5 % to 95 %, mean over topics): {'; '.join(texts)}."


def _over_topics(result: Pooled) -> str:
    """How the differences vary over topics on the whole corpus, where nothing is drawn."""
    deviations = np.std(result.root_topic_differences, axis=2, ddof=1)[:, -1]  # type: ignore[arg-type]  # one pair
    texts = [f"{label} {sd:.3f}" for label, sd in zip(_MEASURES, deviations.tolist(), strict=True)]
    return f"For other topics, differences with all judgments have a standard deviation over topics of {listed(texts)}."


ENTRIES = (
    Entry(
        f"{PAPER}/figure-6",
        f"median differences and p-values over images; lowest and highest p of a study's images, of RBP without "
        f"outliers (5 % to 95 %); the same: median p changes less than by half; gains confidence: median p at most "
        f"half of that with all judgments, all pairs of the best {BEST_OF_PAIRS} systems in {IMAGES} images; {_HOW}",
        NEEDS,
        p_values,
    ),
    Entry(
        f"{PAPER}/figure-7",
        "widths over images (5 % to 95 %) of differences on a topic, mean over topics; about as wide: at most "
        f"{_SAME:g} times, many times: at least {_MANY:g} times; {_HOW}",
        {"trec9": ()},
        topic_differences,
    ),
)
