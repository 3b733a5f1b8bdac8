"""Ferro, Kim and Sanderson 2019, Figures 2 to 6, and whether they show what the text says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from irgauge.models.anova import TERMS, Fit
from irgauge.papers.entry import SOURCES, Dataset, Entry, Recomputed
from irgauge.papers.ferro_kim_sanderson_2019.anova import KEPT, PAPER, populations
from irgauge.papers.ferro_kim_sanderson_2019.effects import (
    BY_DOMAIN,
    BY_DOMAIN_EVEN,
    CUTOFFS,
    DRAWN,
    FILES,
    METHOD,
    RANDOM,
    RANDOM_EVEN,
    RANDOM_UNEVEN,
    TERABYTE,
    TLD,
    by_ap,
    effects_of,
    files_beside,
    joined,
    omega2,
)
from irgauge.papers.published import Key
from irgauge.studies.anova.study import Analysed
from irgauge.studies.compare.study import MeasureCompared, compare
from irgauge.studies.effects.study import EffectSizes

if TYPE_CHECKING:
    from irgauge.show.figure import Figure

_INTERACTIONS = ("topic:system", "topic:shard", "system:shard")
_ALMOST = 0.01  # an effect that falls by less stays almost constant
_FEW = 3  # shards that may hold most of the shard effect
_SHALLOW, _DEEP = CUTOFFS[0], CUTOFFS[-1]
_HELD_AGAINST = (  # two splits, and how the statement names them
    ("TLD_EVEN", "TLD", "on TLD_EVEN than on TLD"),
    ("RANDOM_EVEN", "RANDOM_UNEVEN", "on RANDOM_EVEN than on RANDOM_UNEVEN"),
    ("RANDOM_2", "RANDOM_EVEN", "on 2 random shards than on 59"),
)


def _by_domain(data: Dataset) -> dict[str, Analysed]:
    """AP of TREC-9 on shards of domains, of uneven and of even size."""
    return {split.name: by_ap(data, split) for split in (BY_DOMAIN, BY_DOMAIN_EVEN)}


def _note(split: str) -> str:
    return f"TREC-9, shards {split}."


def _other_populations(results: Mapping[str, Analysed]) -> tuple[str, ...]:
    return tuple(populations(result, f"trec9 {split}") for split, result in results.items())


def _main_effects(data: Dataset) -> Recomputed:
    from irgauge.studies.anova.section import main

    results = _by_domain(data)
    uneven, even = (result.fit for result in results.values())
    holds = {
        "mean AP is lower on uneven shards": uneven.mean < even.mean,
        "the topic effect is larger on even shards": _is_larger(even, uneven, "topic"),
        "the system effect is larger on even shards": _is_larger(even, uneven, "system"),
        "three shards hold more of the shard effect if sizes are uneven": _in_few(uneven) > _in_few(even),
    }
    charts = tuple(main(result).noting(_note(split)) for split, result in results.items())
    return Recomputed(
        {(statement, "holds"): bool(is_so) for statement, is_so in holds.items()}, charts, _other_populations(results)
    )


def _is_larger(fit: Fit, other_: Fit, source: str) -> bool:
    return fit.row(source).omega2 > other_.row(source).omega2


def _in_few(fit: Fit) -> float:
    """The share of the sum of squares of shards that the few shards with the largest effects hold."""
    squares = np.sort(np.square(fit.effects("shard")))[::-1]
    return float(squares[:_FEW].sum() / squares.sum())


def _interactions(data: Dataset) -> Recomputed:
    from irgauge.studies.anova.section import interaction

    results = _by_domain(data)
    uneven, even = (result.fit for result in results.values())
    values: dict[Key, bool] = {
        ("topic by system is larger on even shards", "holds"): _is_larger(even, uneven, "topic:system")
    }
    for split, result in results.items():
        order = sorted(_INTERACTIONS, key=lambda term: result.fit.row(term).omega2)
        values["topic by shard is the largest interaction", split] = order[-1] == "topic:shard"
        values["system by shard is the smallest interaction", split] = order[0] == "system:shard"
    charts = tuple(
        interaction(result, term).noting(_note(split)) for term in _INTERACTIONS for split, result in results.items()
    )
    return Recomputed(values, charts, _other_populations(results))


def _convergence(data: Dataset) -> Recomputed:
    from irgauge.studies.compare.charts import intervals_of

    results = {key: _compared(data if key == data.source.key else data.beside(key)) for key in TERABYTE}
    spread = {key: float(np.std(result.comparison.means, ddof=1)) for key, result in results.items()}
    values: dict[Key, bool] = {
        (f"mean AP spreads less in TREC-{later[4:]} than in TREC-13", "holds"): spread[later] < spread["trec13"]
        for later in TERABYTE[1:]
    }
    text = ", ".join(f"{sd:.4f} ({key})" for key, sd in spread.items())
    beside = (f"The standard deviation of mean AP over all systems of the track is {text}; population: these topics",)
    charts = tuple(intervals_of(result).noting(f"{SOURCES[key].title}.") for key, result in results.items())
    return Recomputed(values, charts, beside)


def _compared(data: Dataset) -> MeasureCompared:
    return compare(data.bench, "AP", test="tukey").first


def _cutoffs(data: Dataset) -> Recomputed:
    draws = effects_of(data, BY_DOMAIN)
    values: dict[Key, bool] = {
        (family, source): at[_DEEP] > at[_SHALLOW] - _ALMOST
        for family in ("P", "nDCG")
        for source, at in _by_cutoff(draws, family).items()
    }
    return Recomputed(values, (_curves(draws, "P@", "nDCG@"),), (_covered(data, draws[0]),))


def _by_cutoff(draws: Sequence[EffectSizes], family: str) -> dict[str, dict[int, float]]:
    """ω² of each source at each cut-off of a measure, over the draws."""
    cells = omega2(draws)
    return {source: {k: cells[f"{family}@{k}", source].value for k in CUTOFFS} for source in TERMS}


def _curves(effects: Sequence[EffectSizes], *families: str) -> Figure:
    from irgauge.studies.effects.section import curves

    every = joined(effects)
    return curves(replace(every, effects=tuple(e for e in every.effects if e.measure.startswith(families))))


def _covered(data: Dataset, effects: EffectSizes) -> str:
    """What effect sizes say of other topics: nothing, as their tests take topics as fixed."""
    tested = populations(by_ap(data, BY_DOMAIN), f"{data.source.key} {BY_DOMAIN.name}")
    return f"{tested}; the {len(effects.effects)} effect sizes are of these topics"


def _kinds_and_numbers(data: Dataset) -> Recomputed:
    kinds, numbers = (BY_DOMAIN, BY_DOMAIN_EVEN, RANDOM_UNEVEN, RANDOM_EVEN), (*RANDOM, RANDOM_EVEN)
    by_split = {split.name: _by_cutoff(effects_of(data, split), "nDCG") for split in dict.fromkeys((*kinds, *numbers))}
    values: dict[Key, bool] = {}
    for source in TERMS:
        at = {split: by_source[source] for split, by_source in by_split.items()}
        grows = sum(curve[_DEEP] - curve[_SHALLOW] for curve in at.values()) > 0
        values["grows with the cut-off", source] = grows
        for name, than, words in _HELD_AGAINST:
            more = sum(at[name].values()) - sum(at[than].values())
            values[f"is larger {words}", source], values[f"is smaller {words}", source] = more > 0, more < 0
    charts = tuple(_curves([effects_of(data, split)[0] for split in part], "nDCG@") for part in (kinds, numbers))
    return Recomputed(values, charts, (_covered(data, effects_of(data, BY_DOMAIN)[0]),))


_ON_DOMAINS = (
    f"MD6 on AP, systems {KEPT} by AP on the whole corpus, 32-bit scores, undefined cells zero; TLD: map of domains; "
    "TLD_EVEN: documents ordered by domain, then docno, and cut into 59 equal parts; population: other documents of "
    "these sources, alpha 0.05"
)
_YEARS_BESIDE = files_beside(dict.fromkeys(TERABYTE[:-1], ()))
_DOMAINS = {TLD: FILES[TLD]}
ENTRIES: tuple[Entry, ...] = (
    Entry(
        f"{PAPER}/figure-2",
        f"{_ON_DOMAINS}; effects by omega2, and the {_FEW} shards with the largest squared effects",
        {"trec9": (TLD,)},
        _main_effects,
        _DOMAINS,
    ),
    Entry(f"{PAPER}/figure-3", f"{_ON_DOMAINS}; effects by omega2", {"trec9": (TLD,)}, _interactions, _DOMAINS),
    Entry(
        f"{PAPER}/figure-4",
        "AP of all systems on the whole corpus, 32-bit scores; spread: the standard deviation over systems; charts: "
        "means with intervals (MD1, Tukey's test, population: topics, alpha 0.05) in place of the histogram",
        {"trec15": tuple(_YEARS_BESIDE)},
        _convergence,
        _YEARS_BESIDE,
    ),
    Entry(
        f"{PAPER}/figure-5",
        f"{METHOD}; TLD: map of domains; an effect does not fall if it is larger at {_DEEP} than at {_SHALLOW}, or "
        f"smaller by less than {_ALMOST}",
        {"trec10": (TLD,)},
        _cutoffs,
        _DOMAINS,
    ),
    Entry(
        f"{PAPER}/figure-6",
        f"{METHOD}; the splits of Tables 16, 17 and 20; statements are of sums over splits or cut-offs; {DRAWN}",
        {"trec9": (TLD,)},
        _kinds_and_numbers,
        _DOMAINS,
    ),
)
