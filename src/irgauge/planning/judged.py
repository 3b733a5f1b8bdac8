"""Topics by people, and others that a judge alone judges: what an experiment of so many of each reaches.

With d by people and f by a judge on n topics, and f alone on N others, a corrected difference (see
`inference.prediction_powered`) has the variance

    Var(d − λ f) / n + λ² Var(f) / N,    λ = β / (1 + n/N), from 0 to 1,

where β is the slope of d on f. The first part has n − 2 degrees of freedom, as λ is tuned, the second N − 1. λ is tuned
on n topics, so that the first part is larger by 1/(n − 3) than with the best λ. In a `Size`, topics are those by people
(and the judge), replicates those by the judge alone; with none there are people alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.intervals import critical_t
from irgauge.inference.prediction_powered import LEAST_TOPICS
from irgauge.planning.designs import PLANNED, MeanSquare, Observed, variance_freedom
from irgauge.planning.power import POINTS, critical, freedom_of, normals, ratios
from irgauge.planning.sizes import Costs, Expected, Size


class _Spread(NamedTuple):
    """The parts of the variance of a difference, and their degrees of freedom."""

    parts: tuple[Floats, ...]  # each by draw
    df: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class PeopleAndJudge:
    """Draws of what people's differences and a judge's have in common, for one pair."""

    residual: Floats  # draw: the variance of d about its line on f
    slope: Floats  # draw: β
    judged: Floats  # draw: the variance of f
    least: int = 0

    @classmethod
    def of(cls, d: Floats, f: Floats, further: Floats, *, is_certain: bool = False) -> PeopleAndJudge:
        """From differences by people and by the judge on the same topics, and by the judge on others."""
        if len(d) < LEAST_TOPICS:
            raise DesignError(f"{len(d)} topics by people are too few to plan with; {LEAST_TOPICS} are needed")
        squares, all_f = float(np.square(f - f.mean()).sum()), np.concatenate([f, further])
        slope = float((f - f.mean()) @ d) / squares if squares > 0 else 0.0
        left = d - d.mean() - slope * (f - f.mean())
        freedom = (len(d) - 2) / (len(d) - 1) * variance_freedom(left)
        residual = MeanSquare(float(left @ left) / (len(d) - 2), np.inf if is_certain else freedom).drawn(0)
        of_judge = MeanSquare(float(all_f.var(ddof=1)), np.inf if is_certain else variance_freedom(all_f)).drawn(1)
        error = np.sqrt(residual / squares) * normals(2) if squares > 0 and not is_certain else np.zeros(POINTS)
        return cls(residual, slope + error, of_judge)

    def expected(self, size: Size, level: float) -> Expected:
        """With the degrees of freedom with which Student's t has the interval of the same width."""
        if size.topics < LEAST_TOPICS:
            return Expected(*(np.full(POINTS, value) for value in (np.inf, np.inf, 1.0)))
        spread = self._spread(size)
        se = np.sqrt(sum(spread.parts, np.zeros(POINTS)))
        if len(spread.parts) == 1:
            df = np.full(POINTS, float(spread.df[0]))
            return Expected(se, critical(df, level=level) * se, df)
        half = _half(spread.parts, spread.df, level)
        with np.errstate(invalid="ignore"):
            return Expected(se, half, freedom_of(np.where(se > 0, half / se, 2.0), level=level))

    def half_widths(self, size: Size, level: float) -> Floats:
        """With each part as it is estimated."""
        if size.topics < LEAST_TOPICS:
            return np.full(POINTS, np.inf)
        parts, df = self._spread(size)
        drawn = [part * ratios(freedom, PLANNED + i) for i, (part, freedom) in enumerate(zip(parts, df, strict=True))]
        return _half(drawn, df, level)

    def _spread(self, size: Size) -> _Spread:
        n, others = size
        if others < 2:
            return _Spread(((self.residual + np.square(self.slope) * self.judged) / n,), (n - 1,))
        weight = np.clip(self.slope / (1 + n / others), 0.0, 1.0)
        left = self.residual * (1 + 1 / (n - 3)) + np.square(self.slope - weight) * self.judged
        return _Spread((left / n, np.square(weight) * self.judged / others), (n - 2, others - 1))


def _half(parts: tuple[Floats, ...] | list[Floats], df: tuple[int, ...], level: float) -> Floats:
    """√(Σ t² V), as in `Parts`."""
    squares = [critical_t(level, freedom) ** 2 * part for part, freedom in zip(parts, df, strict=True)]
    return np.asarray(np.sqrt(sum(squares, np.zeros(POINTS))))


def people_and_judge(d: Floats, f: Floats, further: Floats) -> Observed:
    """What is known of the difference of a pair: by people and a judge on the same topics, by the judge on others."""
    known, certain = (PeopleAndJudge.of(d, f, further, is_certain=is_certain) for is_certain in (False, True))
    components = {
        "by people": float(d.var(ddof=1)),
        "by the judge": float(certain.judged[0]),
        "by people, given the judge": float(certain.residual[0]),
    }
    return Observed(float(d.mean()), components, known, certain)


@dataclass(frozen=True)
class JudgedCosts(Costs):
    """Of a topic by people, and (`replicate`) of one by the judge, who judges people's topics too if he is asked."""

    def of(self, size: Size) -> float:
        """What an experiment of that size costs.

        >>> JudgedCosts(topic=50, replicate=1).of(Size(20, 100)), JudgedCosts(topic=50, replicate=1).of(Size(30, 0))
        (1120, 1500)
        """
        topics, others = size
        return self.topic * topics + self.replicate * (topics + others if others else 0)
