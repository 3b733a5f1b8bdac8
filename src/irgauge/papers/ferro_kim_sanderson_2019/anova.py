"""Ferro, Kim and Sanderson 2019, Tables 1 to 15: ANOVA tables of AP on the four sources of TREC-8."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from irgauge.models.anova import ErrorTerm, populations_of
from irgauge.models.f_tests import compare
from irgauge.papers.entry import Dataset, Entry, Recomputed
from irgauge.papers.published import Computed, Key
from irgauge.replicates.shards import sharding
from irgauge.scoring.scores import Fill, score
from irgauge.studies.anova.study import Analysed, anova

PAPER = "ferro-kim-sanderson-2019"
KEPT = "top75%"  # systems, by AP on the whole corpus
_SOURCES = "match:^(FBIS|FR|FT|LA)"
_FLOOR = 0.001  # the least p-value of the lookup table that the Jarque-Bera test of the paper uses
_MAIN = "topic + system + shard"
_BY_SHARD = f"{_MAIN} + system:shard"


@dataclass(frozen=True)
class _Anova:
    """The settings of a table."""

    model: str = "MD6"
    fill: Fill | str = "zero"
    keep: str = KEPT
    against: tuple[str, ...] = ()  # smaller models that the text compares with it

    @property
    def method(self) -> str:
        """How the table is computed."""
        undefined = "topics with an undefined cell dropped" if self.fill == "drop" else f"undefined cells {self.fill}"
        compared = (
            "; F_model, F_crit and p of nested models cut after two decimals, as in the text (946.99 for 946.9991)"
        )
        return (
            f"{self.model} on AP, shards {_SOURCES}, systems {self.keep} by AP on the whole corpus, 32-bit scores, "
            f"{undefined}; F tests against the residual (population: other documents of these sources), alpha 0.05, no "
            "correction; Levene's test on the residuals, deviations from group means; Jarque-Bera p-values below 0.001 "
            f"as 0.001, the floor of a lookup table{compared if self.against else ''}"
        )


_TABLES = {
    1: _Anova("topic + system"),
    2: _Anova(_MAIN, against=("topic + system",)),
    3: _Anova(_BY_SHARD, against=(_MAIN,)),
    4: _Anova("MD5", against=(_BY_SHARD,)),
    5: _Anova(against=("MD5", _MAIN)),
    6: _Anova(_BY_SHARD, fill="drop"),
    7: _Anova(fill="drop", against=(_BY_SHARD,)),
    8: _Anova(fill="lq"),
    9: _Anova(fill="med"),
    10: _Anova(fill="mean"),
    11: _Anova(fill="uq"),
    12: _Anova(fill="one"),
    13: _Anova(keep="all"),
    14: _Anova(keep="top50%"),
    15: _Anova(keep="top25%"),
}


def _recompute(table: _Anova, data: Dataset) -> Recomputed:
    result = anova(
        data.bench,
        "AP",
        shards=_SOURCES,
        model=table.model,
        fill=table.fill,
        keep_systems=table.keep,
        seed=data.seed,
        population="sources",
        sparse=True,
    )
    values = {**dict(_rows(result)), **dict(_checks(result)), **dict(_comparisons(result, table.against))}
    if table.fill in ("lq", "med", "mean", "uq"):
        values["fill", "value"] = Computed(_fill_value(data, table.fill))
    return Recomputed(values, beside=(populations(result, data.source.key),))


def _rows(result: Analysed) -> Iterator[tuple[Key, Computed]]:
    for row in result.rows:
        for column, value in zip(
            ("SS", "DF", "MS", "F", "p", "omega2"), (row.ss, row.df, row.ms, row.f, row.p, row.omega2), strict=True
        ):
            yield (row.source, column), Computed(value)
    for name, line in (("error", result.error), ("total", result.total)):
        for column, value in zip(("SS", "DF", "MS"), (line.ss, line.df, line.ms), strict=True):
            yield (name, column), Computed(value)


def _checks(result: Analysed) -> Iterator[tuple[Key, Computed]]:
    yield ("Jarque-Bera", "p"), Computed(max(result.checks.jarque_bera.p, _FLOOR))
    for factor, check in result.checks.levene.items():
        yield (f"Levene, {factor}", "p"), Computed(check.p)


def _comparisons(result: Analysed, against: tuple[str, ...]) -> Iterator[tuple[Key, Computed]]:
    for small in against:
        test = compare(result.fit.sums.fit(small), result.fit)
        for column, value in (("F_model", test.f), ("F_crit", test.critical), ("p", test.p)):
            yield (f"against {small}", column), Computed(math.floor(100 * value) / 100)


def _fill_value(data: Dataset, fill: Fill | str) -> float:
    """What undefined cells were given."""
    scores = data.once(
        f"{PAPER} scores of sources",
        lambda: score(
            data.collection, ["AP"], sharding(data.collection, _SOURCES).split(data.seed), workers=data.workers
        ),
    )
    return float(scores.filled(fill).values[np.isnan(scores.values)][0])  # type: ignore[arg-type]  # one of _TABLES


def populations(result: Analysed, where: str) -> str:
    """Whether systems differ on these shards for each population, in a sentence: the paper's first."""
    tests = (f"{term.population} (error {term.source}) F = {term.f:.2f}, {_p(term.p)}" for term in system_terms(result))
    return (
        f"{where}, {result.measure}, {result.model}, {result.shape.systems} systems, {result.shape.topics} topics, "
        f"{result.shape.shards} shards: the test of the system factor for the population {'; '.join(tests)}"
    )


def system_terms(result: Analysed) -> list[ErrorTerm]:
    """The plain test of systems on these shards for each population: the paper's first."""
    possible = populations_of(result.shape.shards, is_random=result.measured.is_random)
    first = result.population
    return [result.fit.error_term(name) for name in (first, *(name for name in possible if name != first))]


def _p(p: float) -> str:
    return "p < 1e-300" if p < 1e-300 else f"p = {p:.2g}"


ENTRIES: tuple[Entry, ...] = tuple(
    Entry(f"{PAPER}/table-{number}", table.method, {"trec8": ()}, partial(_recompute, table))
    for number, table in _TABLES.items()
)
