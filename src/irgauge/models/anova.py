"""Balanced crossed ANOVA of topics, systems and shards in closed form: sums of squares from marginal means.

`Sums` takes values apart into orthogonal effects; a model is a choice among these, its error the sum of the others.
Ferro and Sanderson (SIGIR 2019), sections 3 to 7; Ferro, Kim and Sanderson (TOIS 2019), sections 3 and 6.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from irgauge.choices import known, nearest
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.models.checks import Check, check_range, f_tail, jarque_bera, levene

Population = Literal["topics", "documents", "both", "shards", "topics+shards", "sources"]
Size = Literal["large", "medium", "small", "negligible"]
FACTORS = ("topic", "system", "shard")  # the axes of the values
TERMS = ("topic", "system", "shard", "topic:system", "system:shard", "topic:shard")
CELL = "topic:system:shard"  # what all terms leave: the residual of MD6
_NAMED = {
    "MD1": ("topic", "system"),
    "MD2": ("topic", "system"),
    "MD3": ("topic", "system", "topic:system"),
    "MD4": ("topic", "system", "shard", "topic:system"),
    "MD5": ("topic", "system", "shard", "topic:system", "system:shard"),
    "MD6": TERMS,
}
_SAMPLED: Mapping[Population, frozenset[str]] = {  # factors whose levels stand for others like them
    "topics": frozenset({"topic"}),
    "both": frozenset({"topic", "shard"}),
    "shards": frozenset({"shard"}),
    "topics+shards": frozenset({"topic", "shard"}),
}


def populations_of(shards: int, *, is_random: bool) -> tuple[Population, ...]:
    """What claims may cover: other documents where shards are random, else other shards like these or of these sources.

    >>> populations_of(1, is_random=False), populations_of(5, is_random=True)
    (('topics',), ('topics', 'documents', 'both'))
    """
    if shards == 1:
        return ("topics",)
    return ("topics", "documents", "both") if is_random else ("topics", "shards", "topics+shards", "sources")


@dataclass(frozen=True)
class Model:
    """A sum of terms: MD1 to MD6, or a formula.

    MD1 and MD2 have the same terms; MD1 is for the whole corpus (one shard), MD2 to MD6 are for shards.

    >>> print(Model.parse("system + topic + shard:system + shard"))
    topic + system + shard + system:shard
    >>> Model.parse("MD3").formula
    'topic + system + topic:system'
    """

    terms: tuple[str, ...]  # in the order of TERMS
    name: str | None = None

    @classmethod
    def parse(cls, text: str) -> Model:
        """Read a name or a formula."""
        name = text.strip().upper()
        if name in _NAMED:
            return cls(_NAMED[name], name)
        terms = [_term(part, text) for part in text.split("+")]
        _check_terms(terms, text)
        ordered = tuple(sorted(terms, key=TERMS.index))
        names = {named: name for name, named in _NAMED.items() if len(named) > 2}  # topic + system is MD1 or MD2
        return cls(ordered, names.get(ordered))

    def __str__(self) -> str:
        return self.name or self.formula

    @property
    def formula(self) -> str:
        """The sum of terms, in one order whatever was given."""
        return " + ".join(self.terms)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The terms that go into the error."""
        return tuple(term for term in (*TERMS, CELL) if term not in self.terms)


def _term(text: str, model: str) -> str:
    """A term as TERMS spells it, with its factors in any order."""
    name = text.strip().lower()
    factors = sorted((part.strip() for part in name.split(":")), key=lambda part: (*FACTORS, part).index(part))
    term = ":".join(factors)
    if term == CELL:
        raise DesignError(f"model '{model}' is saturated: {CELL} leaves no residual degrees of freedom; leave it out")
    if term not in TERMS:
        message = f"model '{model}': the term '{name}' is unknown; did you mean '{nearest(name, (*TERMS, *_NAMED))}'?"
        raise DesignError(f"{message} A model is MD1 to MD6 or a sum of {', '.join(TERMS)}")
    return term


def _check_terms(terms: Sequence[str], model: str) -> None:
    for term in terms:
        if terms.count(term) > 1:
            raise DesignError(f"model '{model}' has the term {term} twice; write it once")
        missing = [factor for factor in term.split(":") if factor not in terms]
        if missing:
            raise DesignError(f"model '{model}' has {term} without its main effect; add '{missing[0]}'")


@dataclass(frozen=True, eq=False)
class Sums:
    """Values taken apart into orthogonal effects, with the sum of squares and degrees of freedom of each.

    y_ijk = μ + τ_i + α_j + β_k + (τα)_ij + (αβ)_jk + (τβ)_ik + ε_ijk, where ε is the residual of MD6.
    """

    shape: tuple[int, int, int]  # topics, systems, shards
    mean: float
    parts: Mapping[str, Floats]  # of TERMS and CELL: each topic, system, shard, or 1 where it is constant
    ss: Mapping[str, float]
    df: Mapping[str, int]
    noise: float  # a sum of squares up to this is rounding

    def ms(self, term: str) -> float:
        """The mean square of a term."""
        return self.ss[term] / self.df[term]

    def variation(self, terms: Sequence[str]) -> Variation:
        """Several terms taken together."""
        ss, df = (sum(of[term] for term in terms if self.df[term]) for of in (self.ss, self.df))
        return Variation(float(ss), int(df), ss / df)

    def fit(self, model: Model | str) -> Fit:
        """The table of a model; see `fit`."""
        model = Model.parse(model) if isinstance(model, str) else model
        _check_shards(model, self.shape[2])
        error = self.variation(model.left_out)
        if error.ss <= self.noise:
            raise DesignError(f"{model} explains the values completely: no residual is left to test against")
        rows = tuple(_row(self, term, error) for term in model.terms)
        return Fit(model, self.shape, self.mean, rows, error, self.variation((*TERMS, CELL)), self)


@dataclass(frozen=True)
class Variation:
    """A sum of squares, its degrees of freedom and their ratio, the mean square."""

    ss: float
    df: int
    ms: float


@dataclass(frozen=True)
class Row:
    """A line of the table: F = MS / MS_error, ω² = df(F − 1) / (df(F − 1) + N).

    The size of an effect goes by ω²: large from 0.14, medium from 0.06, small from 0.01.
    """

    source: str
    ss: float
    df: int
    ms: float
    f: float
    p: float
    omega2: float  # below 0 where F < 1: to be read as 0
    size: Size


@dataclass(frozen=True)
class ErrorTerm:
    """What system means are tested against when the claim is to cover a population.

    A system mean has the standard error √(ms / n); f and p test the system factor on (R − 1, df) degrees of freedom.
    """

    population: Population
    source: str  # the mean squares it is made of
    ms: float
    df: float
    n: int  # values behind each system mean
    f: float
    p: float


class Error(NamedTuple):
    """What a term is tested against: a mean square, or the sum of two less that of the cells."""

    terms: tuple[str, ...]  # none: the residual of the model
    ms: float
    df: float

    @property
    def source(self) -> str:
        """The mean squares in words."""
        return " + ".join(self.terms[:2]) + "".join(f" - {term}" for term in self.terms[2:]) or "residual"


@dataclass(frozen=True, eq=False)
class Fit:
    """A model fitted to values[topic, system, shard]: its table, means, effects and residuals."""

    model: Model
    shape: tuple[int, int, int]  # topics, systems, shards
    mean: float
    rows: tuple[Row, ...]
    error: Variation
    total: Variation
    sums: Sums

    @property
    def noise(self) -> float:
        """A sum of squares up to this is rounding."""
        return self.sums.noise

    def row(self, source: str) -> Row:
        """The line of a term."""
        if source not in self.model.terms:
            raise DesignError(f"{self.model} has no term '{source}'; its terms are {', '.join(self.model.terms)}")
        return self.rows[self.model.terms.index(source)]

    def effects(self, term: str) -> Floats:
        """The effects of a term, on the axes of its factors: τ_i = μ_i − μ, (τα)_ij = μ_ij − μ_i − μ_j + μ."""
        return self.sums.parts[self.row(term).source].reshape([self.shape[axis] for axis in _axes(term)])

    def means(self, term: str) -> Floats:
        """The marginal means of a term, on the axes of its factors: μ_i, μ_ij."""
        within = [self.sums.parts[part] for part in TERMS if set(part.split(":")) <= set(term.split(":"))]
        return self.mean + sum(within, np.zeros(())).reshape(self.effects(term).shape)

    def residuals(self) -> Floats:
        """ε[topic, system, shard]: the effects that the model leaves out."""
        left = [self.sums.parts[term] for term in self.model.left_out if self.sums.df[term]]
        return sum(left, np.zeros(self.shape))

    def error_term(self, population: Population) -> ErrorTerm:
        """The error term for claims about a population, and the test of the system factor against it.

        topics: MS(topic:system), whether or not the model has the term.
        documents, sources: the residual; topics and shards are fixed (Ferro and Sanderson 2019, eq. 1).
        shards: MS(system:shard), whether or not the model has the term; topics are fixed.
        both, topics+shards: MS(topic:system) + MS(system:shard) − MS(residual of MD6), with Satterthwaite's degrees of
        freedom; a variance component estimated below 0 counts as 0, so that it is never less than the larger of the
        first two, which is then used alone, and `source` names it.

        >>> fit(np.array([[[0.2], [0.5]], [[0.3], [0.4]], [[0.1], [0.6]]]), "MD1").error_term("topics").source
        'topic:system'
        """
        system, error = self.row("system"), self.error_of("system", population)
        f, n = system.ms / error.ms, self.shape[0] * self.shape[2]
        return ErrorTerm(population, error.source, error.ms, error.df, n, f, f_tail(system.df, error.df, f))

    def error_of(self, term: str, population: Population) -> Error:
        """The mean square that is expected to equal that of a term without effect, for claims about a population.

        Beside its own effect, E[MS] of a term holds the interactions of its factors with those that are sampled from
        the population: topics in `topics`, shards in `shards`, both in `both` and `topics+shards`. What has none is
        tested against the residual of MD6. In `documents` and `sources` nothing is sampled, and the error is the
        residual of the model. Scheffé, "The analysis of variance" (1959), section 8.2.
        """
        population = known(population, get_args(Population), "population")
        if population != "topics" and self.shape[2] == 1:
            raise DesignError(
                "one shard says nothing about other documents; use more shards, or the population 'topics'"
            )
        interactions = _interactions(term, _SAMPLED.get(population, frozenset()))
        if len(interactions) == 2:
            return _sum(self.sums, interactions)
        if not interactions and (population not in _SAMPLED or self.shape[2] == 1 or self.model.left_out == (CELL,)):
            return Error((), self.error.ms, self.error.df)
        return _alone(self.sums, interactions[0] if interactions else CELL)

    def jarque_bera(self) -> Check:
        """Are the residuals normal?"""
        return jarque_bera(self.residuals())

    def levene(self) -> dict[str, Check]:
        """Do the residuals vary equally at all levels of each factor?"""
        residuals = self.residuals()
        return {factor: levene(residuals, axis) for axis, factor in enumerate(FACTORS) if self.shape[axis] > 1}


def decompose(values: Floats) -> Sums:
    """Take values[topic, system, shard] apart, once for all models.

    >>> sums = decompose(np.random.default_rng(1).random((5, 4, 3)))
    >>> [sums.fit(model).error.df for model in ("MD2", "MD3", "MD4", "MD5", "MD6")]
    [52, 40, 38, 32, 24]
    """
    y = np.asarray(values, np.float64)  # topic, system, shard
    _check_values(y)
    mean = float(y.mean())
    parts = _parts(y - mean)
    ss = {term: float(np.square(part).sum()) * (y.size / part.size) for term, part in parts.items()}
    df = {term: math.prod(y.shape[axis] - 1 for axis in _axes(term)) for term in parts}
    noise = y.size * float(32 * np.finfo(np.float64).eps * np.abs(y).max()) ** 2
    if sum(ss.values()) <= noise:
        raise DesignError("all values are the same: there is no variation to explain")
    check_range(y)
    return Sums((y.shape[0], y.shape[1], y.shape[2]), mean, parts, ss, df, noise)


def fit(values: Floats, model: Model | str) -> Fit:
    """Fit a model to values[topic, system, shard]; the whole corpus is one shard.

    SS_system = TS Σ α_j², F_system = MS_system / MS_error, ω² = df(F − 1) / (df(F − 1) + N), and likewise for all
    terms (Ferro, Kim and Sanderson 2019, sections 3.2 and 3.3). To fit several models, `decompose` once.

    >>> system = fit(np.array([[[0.2], [0.5]], [[0.3], [0.4]], [[0.1], [0.6]]]), "MD1").row("system")
    >>> round(system.f, 4), round(system.p, 4), round(system.omega2, 4), system.size
    (6.75, 0.1217, 0.4894, 'large')
    """
    return decompose(values).fit(model)


def _size(omega2: float) -> Size:
    return "large" if omega2 >= 0.14 else "medium" if omega2 >= 0.06 else "small" if omega2 >= 0.01 else "negligible"


def _axes(term: str) -> list[int]:
    return [FACTORS.index(factor) for factor in term.split(":")]


def _check_values(y: Floats) -> None:
    if y.ndim != 3:
        raise DesignError(f"values have {y.ndim} axes; they must have three: topic, system, shard")
    for factor, levels, least in zip(FACTORS, y.shape, (2, 2, 1), strict=True):
        if levels < least:
            raise DesignError(f"an analysis of variance needs at least {least} {factor}s; the values have {levels}")
    if not np.isfinite(y).all():
        raise DesignError("some values are undefined: fill them, or drop the topics that have them")


def _check_shards(model: Model, shards: int) -> None:
    if shards > 1 and model.name == "MD1":
        raise DesignError(f"{model} is for the whole corpus, and the values have {shards} shards; use MD2")
    if shards == 1 and ("shard" in model.terms or model.name == "MD2"):
        raise DesignError(f"{model} needs more than one shard, and the values have one; use MD1, or several shards")
    if shards == 1 and "topic:system" in model.terms:
        raise DesignError(f"{model} is saturated on one shard: no residual degree of freedom is left; use MD1")


def _parts(y: Floats) -> dict[str, Floats]:
    """The effects of all terms, of values whose mean is 0."""
    ij, jk, ik = (y.mean(axis=axis, keepdims=True) for axis in (2, 0, 1))
    i, j, k = ij.mean(axis=1, keepdims=True), ij.mean(axis=0, keepdims=True), ik.mean(axis=0, keepdims=True)
    cell = y - ij - (jk - j) - (ik - i - k)
    return dict(zip((*TERMS, CELL), (i, j, k, ij - i - j, jk - j - k, ik - i - k, cell), strict=True))


def _row(sums: Sums, term: str, error: Variation) -> Row:
    ss, df, ms = sums.ss[term], sums.df[term], sums.ms(term)
    f = ms / error.ms
    omega2 = df * (f - 1) / (df * (f - 1) + math.prod(sums.shape))
    return Row(term, ss, df, ms, f, f_tail(df, error.df, f), omega2, _size(omega2))


def _interactions(term: str, sampled: frozenset[str]) -> list[str]:
    """Those of a term with factors that are sampled, but for the cells, which are in all of these."""
    own = set(term.split(":"))
    return [other for other in TERMS if own < set(other.split(":")) and set(other.split(":")) - own <= sampled]


def _sum(sums: Sums, interactions: Sequence[str]) -> Error:
    """The sum of two mean squares less that of the cells; the larger of the two if it is not more than that."""
    larger, terms = max(interactions, key=sums.ms), (*interactions, CELL)
    ms = sum(map(sums.ms, interactions)) - sums.ms(CELL)
    if ms <= sums.ms(larger):
        return _alone(sums, larger)
    return Error(terms, ms, ms**2 / sum(sums.ms(term) ** 2 / sums.df[term] for term in terms))  # Satterthwaite


def _alone(sums: Sums, term: str) -> Error:
    if sums.ss[term] > sums.noise:
        return Error((term,), sums.ms(term), sums.df[term])
    if term == "topic:system":
        raise DesignError(f"systems differ by the same amount on every topic: no {term} variation to test against")
    raise DesignError(f"the values do not vary with {term}: there is nothing to test against")
