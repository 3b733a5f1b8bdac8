"""Measure: a value that parses and prints (`nDCG@10`), knows its explanation, and scales levels and ranks.

And its range: between which scores it lies, and with it their differences, and the intervals of both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.choices import known
from irgauge.compute.arrays import Bools, Floats, Indices, Ints
from irgauge.errors import DesignError, InputError
from irgauge.extensions.registry import packed, unpacked
from irgauge.scoring.catalogue import Record
from irgauge.scoring.catalogue.record import Summary, lowest_relevant
from irgauge.scoring.direction import HIGHER, LOWER, Direction, is_usually_lower, parted
from irgauge.scoring.kernels import NONRELEVANT, RELEVANT, UNSAMPLED, Scale, subtopics_of
from irgauge.scoring.parsing import MEASURES, is_known, parsed, trec_name
from irgauge.scoring.transforms import LOG

NO_CUTOFF = 2**31 - 1  # deeper than any list
Range = tuple[float, float]  # the least and the largest score that is possible
ROUNDING = 1e-9  # a perfect nDCG may come out as 1 + 2e-16


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters and cut-off, read from a text or composed in Python.

    >>> Measure.parse("ndcg_cut_10"), Measure.parse("nDCG( dcg = 'log2' )@10")
    (nDCG@10, nDCG@10)
    >>> RBP = named("RBP")
    >>> RBP(p=0.95) @ 1000 == Measure.parse("RBP(p=0.95)@1000")
    True
    """

    name: str
    given: tuple[tuple[str, Any], ...] = ()  # parameters that are not at their default, in the record's order
    cutoff: int | None = None
    is_opaque: bool = False  # only a name, of scores that others computed
    better: Direction | None = field(default=None, compare=False)  # which scores are, where that was written

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read a measure as ir_measures, trec_eval, ranx, BEIR or MTEB write it."""
        return _only(_complete(text), text)

    @classmethod
    def opaque(cls, name: str) -> Measure:
        """A name of scores that others computed."""
        return cls(name, is_opaque=True)

    def stored(self) -> dict[str, object]:
        """The text that names it, and which scores are better where that was written."""
        return {"text": str(self), "is_opaque": self.is_opaque, "better": self.better}

    @classmethod
    def restored(cls, text: str, is_opaque: bool, better: Direction | None = None) -> Measure:  # noqa: FBT001  # fields
        """The measure of that text."""
        return (cls.opaque(text) if is_opaque else cls.parse(text)).directed(better)

    @classmethod
    def asked(cls, text: str) -> Measure:
        """The measure that a text of an option names, perhaps with its direction.

        >>> Measure.asked("latency_ms:lower"), Measure.asked("latency_ms:lower").direction
        (latency_ms, 'lower')
        """
        name, direction = parted(text)
        return cls.read(name).directed(direction)

    @classmethod
    def read(cls, text: str) -> Measure:
        """The measure that a text names, or else the text as an opaque name.

        >>> Measure.read("map"), Measure.read("click rate"), Measure.read("click rate").is_opaque
        (AP, click rate, True)
        """
        try:
            return cls.parse(text) if is_known(str(text)) else cls.opaque(str(text))
        except InputError:
            return cls.opaque(str(text))

    def __call__(self, *unnamed: object, **parameters: object) -> Measure:
        """The measure with these parameters, as its text would have them: `RBP(p=0.8)`."""
        arguments = [*map(_literal, unnamed), *(f"{name}={_literal(value)}" for name, value in parameters.items())]
        return _composed(f"{self}({', '.join(arguments)})")

    def __matmul__(self, cutoff: object) -> Measure:
        """The measure with a cut-off: `nDCG @ 10`."""
        return _composed(f"{self}@{cutoff}")

    def __str__(self) -> str:
        at = "" if self.is_opaque else self.record.at or ""
        parameters = ", ".join(f"{name}={value!r}" for name, value in self._printable() if name != at)
        number = dict(self.given).get(at, self.cutoff)
        return self.name + (f"({parameters})" if parameters else "") + ("" if number is None else f"@{number}")

    __repr__ = __str__

    @property
    def record(self) -> Record:
        """The measure's entry in the catalogue."""
        if self.is_opaque:
            raise DesignError(f"'{self}' is only a name in a table of scores: irgauge cannot compute it from runs")
        return self._sent or MEASURES[self.name]

    def __getstate__(self) -> dict[str, Any]:
        """Its fields and, of a measure that this program added, the record, as far as others can load it."""
        own = packed(self._sent or MEASURES[self.name]) if self._sent or MEASURES.is_of_program(self.name) else None
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"_packed": own}

    @cached_property
    def _sent(self) -> Record | None:
        """The record that came with the measure from another process, which may have another of that name."""
        return None if "_packed" not in vars(self) else unpacked(vars(self)["_packed"])

    @property
    def trec_name(self) -> str:
        """The name that trec_eval prints, where it has the measure; otherwise ours, without its blanks."""
        return str(self) if self.is_opaque else self._of_trec_eval or str(self).replace(" ", "")

    @property
    def trec_name_at_level(self) -> str:
        """The name that `trec_eval -l` prints, where it has the measure: that of the lowest relevant grade 1."""
        if self.is_opaque or "rel" not in dict(self.given):
            return self.trec_name
        default = self.record.parameters["rel"].default
        others = ((name, value) for name, value in self.given if name != "rel" or default is None)
        plain = Measure(self.name, tuple((name, 1 if name == "rel" else value) for name, value in others), self.cutoff)
        return plain._of_trec_eval or self.trec_name

    @property
    def _of_trec_eval(self) -> str | None:
        numbers = [value for _, value in self.given if isinstance(value, int | float)]
        return trec_name(str(self), [self.cutoff, *numbers])

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """All parameters, defaults included."""
        defaults = {name: parameter.default for name, parameter in self.record.parameters.items()}
        settings = {name: dict(value) if isinstance(value, tuple) else value for name, value in self.given}
        return defaults | settings

    def kinds(self, grades: Ints) -> NDArray[np.int8]:
        """Which levels are relevant, judged not relevant, or not sampled."""
        judged = np.where(grades >= lowest_relevant(self.values), RELEVANT, NONRELEVANT)
        return np.where(grades < 0, UNSAMPLED, judged).astype(np.int8)

    def gains(self, grades: Ints) -> Floats:
        """The gain of each level."""
        highest = self.values.get("max_rel")
        if isinstance(highest, int) and grades.max() > highest:
            raise DesignError(f"{self}: the qrels have grade {grades.max()}, above max_rel={highest}; raise max_rel")
        with np.errstate(over="ignore"):
            gains = self.record.gains(grades, self.values)
        if not np.isfinite(gains).all():
            raise DesignError(f"{self}: grade {grades.max()} of the qrels has no finite gain; give it one with gains=")
        return gains

    def hit_levels(self, grades: Ints) -> Bools:
        """The levels whose documents the kernel needs to see; the last place is for the unjudged."""
        return _levels(self, tuple(grades.tolist())).hits

    @property
    def is_condensed(self) -> bool:
        """Whether documents that are not judged are left out of lists, as if they had not been retrieved."""
        return not self.is_opaque and bool(self.values.get("judged_only"))

    @property
    def range(self) -> tuple[float, float] | None:
        """The least and the largest score; None where there is none, or where it is not known."""
        return None if self.is_opaque else self.record.range

    @property
    def direction(self) -> Direction | None:
        """Which scores are better: as was written, by the catalogue, or as a mere name usually means. None: neither."""
        if self.better is not None:
            return self.better
        if self.is_opaque:
            return LOWER if self.needs_direction else HIGHER
        return self.record.direction_of(self.values)

    @property
    def claimed_direction(self) -> Direction:
        """Which scores are better; refused where neither are, as nothing can then be claimed by the measure."""
        if self.direction is None:
            raise DesignError(
                f"neither higher nor lower scores of {self} are better, so that no system can be called better by it; "
                f"write '{self}:higher' or '{self}:lower' if you mean that, or name another measure"
            )
        return self.direction

    @property
    def needs_direction(self) -> bool:
        """Whether it is a mere name that usually means that less is better, and nothing was written of it."""
        return self.is_opaque and self.better is None and is_usually_lower(self.name)

    def directed(self, better: Direction | None) -> Measure:
        """The same with a direction; one that the catalogue denies is refused."""
        own = None if self.is_opaque else self.record.direction_of(self.values)
        if better is not None and own not in (None, better):
            raise DesignError(f"'{self}:{better}' is not possible: {own} scores of {self} are better; write '{self}'")
        return self if better is None else replace(self, better=better)

    @property
    def over_topics(self) -> Summary:
        """How scores of topics are summed up."""
        if self.is_opaque:
            return "mean" if self.logged is None else "geometric mean"
        return self.record.over_topics

    @property
    def logged(self) -> str | None:
        """The measure whose logarithms these scores are, on a log scale; None: they are none.

        >>> Measure.read("ln(latency_ms)").logged, Measure.read("latency_ms").logged
        ('latency_ms', None)
        """
        is_log = self.is_opaque and self.name.startswith(f"{LOG}(") and self.name.endswith(")")
        return self.name[len(LOG) + 1 : -1] if is_log else None

    def shown(self, mean: float) -> float:
        """A mean of scores as it is shown: of scores that are logarithms the geometric mean."""
        return math.exp(mean) if self.over_topics == "geometric mean" else mean

    def scale(self, grades: Ints, strata: Ints, subtopics: Ints, depth: int) -> Scale:
        """The values of levels, and of ranks down to `depth`, for the kernel; strata are numbered from 0."""
        levels = _levels(self, tuple(grades.tolist()))
        cutoff = NO_CUTOFF if self.cutoff is None else self.cutoff
        ranks = np.arange(1.0, max(depth, self.record.depth) + 1)
        discounts = np.append(0.0, self.record.discounts(ranks, self.values))  # rank 0 is never used, counts nothing
        return Scale(
            kinds=levels.kinds,
            gains=levels.gains,
            order=levels.order,
            strata=strata,
            discounts=discounts,
            cumulated=np.cumsum(discounts),
            cutoff=cutoff,
            constants=np.array(self.record.constants(self.values), np.float64),
            needs_relevant=self.record.needs_relevant,
            subtopics=subtopics_of(self.record.diversity, self.values, subtopics, cutoff),
        )

    def rank_weights(self, depth: int) -> Floats | None:
        """The weights of gains at the ranks down to `depth`, of which a score is the sum; None where it is no sum."""
        if self.record.weights is None or self.is_condensed or self.values.get("residual"):
            return None
        ranks = np.arange(1.0, max(depth, self.record.depth, self.cutoff or 0) + 1)
        cutoff = NO_CUTOFF if self.cutoff is None else self.cutoff
        weights = self.record.weights(self.record.discounts(ranks, self.values), cutoff)
        return np.where(ranks <= cutoff, weights, 0.0)[:depth]

    def _printable(self) -> Iterable[tuple[str, Any]]:
        return ((name, dict(value) if isinstance(value, tuple) else value) for name, value in self.given)


class _ScaledLevels(NamedTuple):
    """What a measure makes of the grades of levels."""

    kinds: NDArray[np.int8]  # level
    gains: Floats  # level
    order: Indices  # levels, the highest gain first
    hits: Bools  # level, and the unjudged


@lru_cache(maxsize=2048)
def _levels(measure: Measure, grades: tuple[int, ...]) -> _ScaledLevels:
    """Kept, as the same few grades are scored time and again."""
    grade_array = np.array(grades, np.int64)
    kinds, gains = measure.kinds(grade_array), measure.gains(grade_array)
    needed = (kinds == RELEVANT) | (gains > 0) | measure.record.judged
    hits = np.append(needed, False)  # a value, not an option
    return _ScaledLevels(kinds, gains, np.argsort(-gains, kind="stable"), hits)


def named(name: str) -> Measure:
    """A measure of the catalogue to compose others from; it may still need a cut-off.

    >>> P = named("P")
    >>> P @ 10, P(rel=2) @ 10
    (P@10, P(rel=2)@10)
    """
    measure = Measure(known(name, MEASURES, "measure", error=InputError, hint="`irgauge measures` lists all"))
    object.__setattr__(measure, "__doc__", f"{measure.record.title}: {measure.record.explanation}")  # for notebooks
    return measure


def parse_measures(measures: str | Measure | Iterable[str | Measure], *, rel: int | None = None) -> tuple[Measure, ...]:
    """One or several measures, each once; a text may name several (`P.5,10`, `official`).

    `rel` is the lowest relevant grade of binary measures that do not set it (trec_eval's -l).

    >>> parse_measures(["ndcg_cut.5,10", "AP", "map"]), parse_measures(["AP", "nDCG@10"], rel=2)
    ((nDCG@5, nDCG@10, AP), (AP(rel=2), nDCG@10))
    """
    several = measures if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
    return tuple(dict.fromkeys(measure for item in several for measure in _complete(item, rel)))


def relevant_from(rel: int, measures: Iterable[str | Measure]) -> tuple[str | Measure, ...]:
    """Measures with the lowest relevant grade where they have one and do not set it; other names stay as they are.

    >>> relevant_from(2, ["P@10", "P(rel=1)@10", "nDCG", "click rate"])
    (P(rel=2)@10, P@10, nDCG, 'click rate')
    """
    completed: list[str | Measure] = []
    for measure in measures:
        try:
            completed += _complete(measure, rel)
        except InputError:
            completed.append(measure)
    return tuple(completed)


def _complete(item: str | Measure, rel: int | None = None) -> tuple[Measure, ...]:
    """The measures of a text, or of one composed in Python, each with the cut-off that it needs."""
    if isinstance(item, Measure) and item.is_opaque:
        return (item,)
    text, better = (str(item), item.better) if isinstance(item, Measure) else parted(str(item))
    measures = tuple(Measure(entry.record.name, entry.given, entry.cutoff) for entry in parsed(text, rel))
    for measure in measures:
        _check_complete(measure, text)
    return tuple(measure.directed(better) for measure in measures)


def _check_complete(measure: Measure, text: str) -> None:
    record = measure.record
    if measure.cutoff is None and record.cutoff == "required":
        raise InputError(f"measure '{text}' needs a cut-off, such as {measure.name}@10")
    if record.at is not None and measure.values[record.at] is None:
        raise InputError(f"measure '{text}' needs {record.at}=, such as {measure.name}@0.1")


def _composed(text: str) -> Measure:
    """The measure that a text names, which may still need a cut-off."""
    return _only([Measure(entry.record.name, entry.given, entry.cutoff) for entry in parsed(text)], text)


def _only(measures: Sequence[Measure], text: str) -> Measure:
    if len(measures) > 1:
        first = ", ".join(map(str, measures[:3]))
        raise InputError(f"'{text}' names {len(measures)} measures ({first}, ...); name one of them")
    return measures[0]


def _literal(value: object) -> str:
    """A value as a text has it; numpy's numbers print with their type, which a text has not."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
    return repr(value.item() if isinstance(value, np.generic) else value)


def range_of(measure: Measure, values: Floats) -> Range | None:
    """The range of a measure: that of its record; None where it has none, is only a name, or scores are outside.

    >>> import numpy as np
    >>> range_of(Measure.read("AP"), np.array([0.1, 0.5])), range_of(Measure.read("AP"), np.array([10.0, 50.0]))
    ((0.0, 1.0), None)
    """
    if measure.range is None:
        return None
    least, largest = measure.range
    are_inside = bool(((values >= least - ROUNDING) & (values <= largest + ROUNDING)).all())
    return measure.range if are_inside else None


def of_differences(within: Range | None) -> Range | None:
    """The range of the difference of two scores, or of two means.

    >>> of_differences((0.0, 1.0))
    (-1.0, 1.0)
    """
    return None if within is None else (within[0] - within[1], within[1] - within[0])


def cut(low: Floats, high: Floats, within: Range | None) -> tuple[Floats, Floats]:
    """The ends of intervals cut to what is possible; an end that is not finite says that there is none, and stays.

    >>> low, high = cut(np.array([-3.05, -np.inf]), np.array([3.3, 0.2]), (-1.0, 1.0))
    >>> low.tolist(), high.tolist()
    ([-1.0, -inf], [1.0, 0.2])
    """
    if within is None:
        return low, high
    ends = (np.where(np.isfinite(end), np.clip(end, *within), end) for end in (low, high))
    return next(ends), next(ends)
