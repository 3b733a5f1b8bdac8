"""Ferro, Kim and Sanderson 2019, Tables 16 to 21: effect sizes of 16 measures on shards of WT10g and GOV2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from irgauge.models.anova import TERMS
from irgauge.names import Population
from irgauge.papers.entry import SOURCES, Dataset, Entry, Recomputed
from irgauge.papers.ferro_kim_sanderson_2019.anova import KEPT, PAPER, populations, system_terms
from irgauge.papers.published import Computed, Key
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import Measure
from irgauge.studies.anova.study import Analysed, anova
from irgauge.studies.effects.study import Effect, EffectSizes
from irgauge.studies.effects.study import effects as effect_sizes

DRAWS = 10  # random splits, each of a seed of its own
_NDCG = "nDCG(dcg='jk', base=10)"
CUTOFFS = (5, 10, 20, 50, 100)
MEASURES = {
    "AP": "AP",  # the first: it chooses the systems that are kept
    "R-prec": "Rprec",
    "RBP": "RBP(p=0.8, rel=1)",
    "nDCG": _NDCG,
    "ERR": "ERR(max_rel='qrels')",
    "Twist": "Twist",
    **{f"P@{k}": f"P@{k}" for k in CUTOFFS},
    **{f"nDCG@{k}": f"{_NDCG}@{k}" for k in CUTOFFS},
}
_PRINTED = {str(Measure.parse(text)): name for name, text in MEASURES.items()}
_MEDIUM = ("medium", "large")
WEB = ("trec9", "trec10")
TERABYTE = ("trec13", "trec14", "trec15")
TLD, CLUSTERS, TYPES, FITTED = "shards/tld", "shards/gov2_199", "shards/pdf", "fifty"
FILES = {
    TLD: "a line `docno domain` for each of the 1,692,096 documents of WT10g: the domain is the last part of the host "
    "in its URL (59 of them)",
    CLUSTERS: "a line `docno cluster` for each document of the runs and the qrels: the 199 clusters of GOV2 made by "
    "Dai, Xiong and Callan 2016, from their authors",
    TYPES: "a line `docno type` for each document of the runs and the qrels: `pdf` or `other`, by the type that GOV2 "
    "records of it",
    FITTED: "a folder of 50 runs: RM3 with 50 terms from the first 10 documents of one shard, weight 0.5, on "
    "all shards",
}


@dataclass(frozen=True)
class PaperSplit:
    """A way to split a collection, as the paper calls it."""

    name: str
    spec: Callable[[Dataset], str]
    is_random: bool = False

    @property
    def population(self) -> Population:
        """What tests against the residual, those of the paper, cover."""
        return "documents" if self.is_random else "sources"

    @property
    def draws(self) -> int:
        """How many splits are drawn."""
        return DRAWS if self.is_random else 1


def _of_domains(kind: str, parts: str, data: Dataset) -> str:
    return f"{kind}:{data.path(TLD)}{parts}"


def even(shards: int, name: str) -> PaperSplit:
    """Random shards of equal size."""
    return PaperSplit(name, lambda _: f"even:{shards}", is_random=True)


BY_DOMAIN = PaperSplit("TLD", partial(_of_domains, "map", ""))
BY_DOMAIN_EVEN = PaperSplit("TLD_EVEN", partial(_of_domains, "ordered", ":59"))
RANDOM_UNEVEN = PaperSplit("RANDOM_UNEVEN", partial(_of_domains, "sizes", ""), is_random=True)
RANDOM_EVEN = even(59, "RANDOM_EVEN")
RANDOM = tuple(even(shards, f"RANDOM_{shards}") for shards in (2, 5, 10, 25))
_CLUSTERED = PaperSplit("GOV2_199", lambda data: f"map:{data.path(CLUSTERS)}")
_TYPED = PaperSplit("GOV2_PDF_NOTPDF", lambda data: f"map:{data.path(TYPES)}")


def effects_of(data: Dataset, split: PaperSplit) -> tuple[EffectSizes, ...]:
    """The effects of all measures, for each draw of a split."""
    return data.once(f"{PAPER} effects {split.name}", lambda: _effects(data, data.bench, split))


def _effects(data: Dataset, bench: Bench, split: PaperSplit) -> tuple[EffectSizes, ...]:
    return tuple(
        _renamed(
            effect_sizes(
                bench,
                tuple(MEASURES.values()),
                shards=split.spec(data),
                keep_systems=KEPT,
                keep_by="AP",
                seed=data.seed + draw,
                population=split.population,
                sparse=True,
            ),
            split.name,
        )
        for draw in range(split.draws)
    )


def _renamed(found: EffectSizes, split: str) -> EffectSizes:
    """Measures and shards by the names of the paper."""
    effects = (replace(effect, measure=_PRINTED[effect.measure], shards=split) for effect in found.effects)
    return replace(found, effects=tuple(effects))


def joined(effects: Sequence[EffectSizes]) -> EffectSizes:
    """The effects of several splits, for one chart."""
    return replace(effects[0], effects=tuple(effect for split in effects for effect in split.effects))


def omega2(draws: Sequence[EffectSizes]) -> dict[tuple[str, str], Computed]:
    """ω² of each measure and source: fixed, or over the draws."""
    by_cell = _by_cell(draws)
    return {cell: _computed([effect.omega2 for effect in effects]) for cell, effects in by_cell.items()}


def _computed(values: Sequence[float]) -> Computed:
    return Computed(values[0]) if len(values) == 1 else Computed.over(values)


def _by_cell(draws: Sequence[EffectSizes]) -> dict[tuple[str, str], list[Effect]]:
    """The effects of each measure and source, one for each draw."""
    cells: dict[tuple[str, str], list[Effect]] = {}
    for draw in draws:
        for effect in draw.effects:
            cells.setdefault((effect.measure, effect.source), []).append(effect)
    return cells


def _cells(draws: Sequence[EffectSizes], under: Key) -> Iterator[tuple[Key, Computed | bool]]:
    """Every value that a table may print of a split; what most draws say of significance."""
    for cell, computed in omega2(draws).items():
        yield (*under, *cell), computed
    for cell, effects in _by_cell(draws).items():
        yield (*under, "significant", *cell), bool(np.mean([effect.significant for effect in effects]) > 0.5)


def _recompute(splits: Sequence[PaperSplit], data: Dataset) -> Recomputed:
    """A table of several splits, by their names."""
    from irgauge.studies.effects.section import sizes

    values = {key: value for split in splits for key, value in _cells(effects_of(data, split), (split.name,))}
    chart = sizes(joined([effects_of(data, split)[0] for split in splits]))
    beside = tuple(populations(by_ap(data, split), f"{data.source.key} {split.name}") for split in splits)
    return Recomputed(values, (chart,), beside)


def _by_ap(data: Dataset, bench: Bench, split: PaperSplit) -> Analysed:
    """AP on the first draw of a split, with the test of systems under each population."""
    spec = split.spec(data)
    asked: dict[str, Any] = {"population": split.population, "sparse": True}
    return anova(bench, "AP", shards=spec, keep_systems=KEPT, seed=data.seed, **asked)


def by_ap(data: Dataset, split: PaperSplit) -> Analysed:
    """The same for the systems of the track, once."""
    return data.once(f"{PAPER} AP {split.name}", lambda: _by_ap(data, data.bench, split))


def _recompute_one(split: PaperSplit, data: Dataset) -> Recomputed:
    return _with_statements(effects_of(data, split)[0], by_ap(data, split), f"{data.source.key} {split.name}")


def _recompute_fitted(data: Dataset) -> Recomputed:
    bench = Bench(data.read(FITTED), workers=data.workers)
    effects = _effects(data, bench, _CLUSTERED)[0]
    where = f"{data.source.key} {_CLUSTERED.name}, fitted systems"
    return _with_statements(effects, _by_ap(data, bench, _CLUSTERED), where)


def _with_statements(effects: EffectSizes, tested: Analysed, where: str) -> Recomputed:
    """A table of one split, with what the text says of it."""
    from irgauge.studies.effects.section import sizes

    statements: dict[Key, bool] = {(statement, "holds"): holds for statement, holds in _statements(effects).items()}
    values = {**dict(_cells([effects], ())), **statements}
    return Recomputed(values, (sizes(effects),), (populations(tested, where),))


def _statements(effects: EffectSizes) -> dict[str, bool]:
    """What the text says of Tables 18 and 19; an effect that is not significant is at most small."""
    is_medium = {
        source: [e.significant and e.size in _MEDIUM for e in effects.effects if e.source == source] for source in TERMS
    }
    is_large = [e.significant and e.size == "large" for e in effects.effects if e.source == "shard"]
    largest = {max(_of_measure(effects, measure), key=lambda e: e.omega2).source for measure in MEASURES}
    most_medium = {source: float(np.mean(medium)) > 0.5 for source, medium in is_medium.items()}
    return {
        "the shard effect is large for most measures": float(np.mean(is_large)) > 0.5,
        "topic by shard is the largest effect for all measures": largest == {"topic:shard"},
        "system by shard is small for all measures": not any(is_medium["system:shard"]),
        "the system effect is at least medium for most measures": most_medium["system"],
        "system by shard is at least medium for most measures": most_medium["system:shard"],
        "system by shard is at most small for most measures": not most_medium["system:shard"],
        "the shard effect is small or not significant for most measures": not most_medium["shard"],
    }


def _of_measure(effects: EffectSizes, measure: str) -> list[Effect]:
    return [effect for effect in effects.effects if effect.measure == measure]


SUMMED: Mapping[str, tuple[PaperSplit, ...]] = {
    **dict.fromkeys(WEB, (BY_DOMAIN, BY_DOMAIN_EVEN, RANDOM_UNEVEN, RANDOM_EVEN, *RANDOM)),
    **dict.fromkeys(TERABYTE, (_CLUSTERED, _TYPED)),
}


def _recompute_summary(data: Dataset) -> Recomputed:
    """Table 21: counts over all splits, for each draw of the random ones."""
    parts = [
        (data if key == data.source.key else data.beside(key), split)
        for key, splits in SUMMED.items()
        for split in splits
    ]
    by_split = [effects_of(*part) for part in parts]
    counts = [joined([draws[draw % len(draws)] for draws in by_split]).counts() for draw in range(DRAWS)]
    values = {key: Computed.over(values) for key, values in _sizes(counts)}
    return Recomputed(values, beside=(_systems_differ([by_ap(*part) for part in parts]),))


def _systems_differ(results: Sequence[Analysed]) -> str:
    """In how many splits systems differ, for each population."""
    terms = [(term.population, term.p <= one.alpha) for one in results for term in system_terms(one)]
    of, differ = Counter(population for population, _ in terms), Counter(name for name, is_found in terms if is_found)
    counts = ", ".join(f"{differ[population]} of {n} for the population {population}" for population, n in of.items())
    return f"By AP and MD6, systems differ (p at most {results[0].alpha}) in so many of the splits: {counts}"


def _sizes(counts: Sequence[Mapping[str, Mapping[str, int]]]) -> Iterator[tuple[Key, list[float]]]:
    """Counts and shares of each size, over the draws; below 0.01 an effect counts as small, as in the paper."""
    for source in TERMS:
        draws = [Counter(count[source]) for count in counts]
        total = [float(sum(draw.values())) for draw in draws]
        yield (source, "total"), total
        for size in ("not significant", "small", "medium", "large"):
            numbers = [float(draw[size] + (draw["negligible"] if size == "small" else 0)) for draw in draws]
            yield (source, size), numbers
            yield (source, f"{size}, share"), [100 * n / of for n, of in zip(numbers, total, strict=True)]


METHOD = (
    "omega2 of the terms of MD6, F tests against the residual (population: documents, of these sources on shards that "
    "differ in kind), alpha 0.05, no correction; "
    f"undefined cells zero, systems {KEPT} by AP on the whole corpus, 32-bit scores; nDCG with gains in the ratio 1 to "
    "2 and log10 discount, RBP with p = 0.8, binary measures lenient"
)
DRAWN = f"random splits: mean over {DRAWS} draws, a seed each, significant if most draws are; charts: the first draw"


def files_beside(wanted: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """What is taken from the folders of other collections."""
    return {
        f"../{key}/{name}": FILES.get(name, f"the {name} of {SOURCES[key].title}: {SOURCES[key].obtain}")
        for key, names in wanted.items()
        for name in ("qrels", "runs", *names)
    }


def _entry(
    table: str, method: str, needs: Mapping[str, tuple[str, ...]], recompute: Callable[[Dataset], Recomputed]
) -> Entry:
    names = {name for files in needs.values() for name in files}
    files = {name: FILES[name] for name in sorted(names)}
    return Entry(f"{PAPER}/{table}", f"{METHOD}; {method}", needs, recompute, files)


_BESIDE = files_beside({"trec10": (TLD,), **dict.fromkeys(TERABYTE, (CLUSTERS, TYPES))})
ENTRIES: tuple[Entry, ...] = (
    _entry(
        "table-16",
        "TLD: map of domains; TLD_EVEN: documents ordered by domain, then docno, and cut into 59 equal parts",
        dict.fromkeys(WEB, (TLD,)),
        partial(_recompute, (BY_DOMAIN, BY_DOMAIN_EVEN)),
    ),
    _entry(
        "table-17",
        f"59 random shards, RANDOM_UNEVEN with the sizes of the domains, RANDOM_EVEN with equal ones; {DRAWN}",
        dict.fromkeys(WEB, (TLD,)),
        partial(_recompute, (RANDOM_UNEVEN, RANDOM_EVEN)),
    ),
    _entry(
        "table-18",
        "map of 199 clusters, the systems of the track",
        dict.fromkeys(TERABYTE, (CLUSTERS,)),
        partial(_recompute_one, _CLUSTERED),
    ),
    _entry(
        "table-18-right",
        "map of 199 clusters, fifty systems each fitted to one shard, from the folder `fifty`",
        dict.fromkeys(TERABYTE, (CLUSTERS, FITTED)),
        _recompute_fitted,
    ),
    _entry(
        "table-19",
        "map of types, PDF or not",
        dict.fromkeys(TERABYTE, (TYPES,)),
        partial(_recompute_one, _TYPED),
    ),
    _entry(
        "table-20",
        f"2, 5, 10 and 25 random shards of equal size; {DRAWN}",
        {"trec9": ()},
        partial(_recompute, RANDOM),
    ),
    Entry(
        f"{PAPER}/table-21",
        f"{METHOD}; counts over the splits of Tables 16, 17, 18 (systems of the tracks), 19 and 20, those of Table 20 "
        f"also on TREC-10; omega2: large from 0.14, medium from 0.06, else small; {DRAWN}",
        {"trec9": (TLD, *_BESIDE)},
        _recompute_summary,
        {TLD: FILES[TLD], **_BESIDE},
    ),
)
