"""Many random splits of the documents: every split gives every pair a corrected p-value; these become one decision.

Voorhees, Samarov and Soboroff, "Using replicates in information retrieval evaluation" (TOIS 2017), section 5, Figure 7.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property, partial

import numpy as np

from irgauge.compute.arrays import Floats, Ints, Signs
from irgauge.compute.tasks import counting, each, thread_count
from irgauge.inference.aggregation import Rule, aggregation
from irgauge.inference.comparison import Pairs
from irgauge.inference.contrasts import Contrasts, Fitted
from irgauge.models.anova import Population
from irgauge.models.residuals import Bootstrap
from irgauge.options.progress import Progress
from irgauge.provenance import Fact, Provenance, fact
from irgauge.replicates import facts
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measured
from irgauge.studies.partition.inferring import Drawing, Inference, decided, sign
from irgauge.studies.partition.split import Divider, DrawnSplit, GivenParts, provenance_of, split_of
from irgauge.wording import counted

LEVELS = (0.05, 0.01)  # that the paper prints
_SURE = 1e-4  # systems with a smaller p overlap too little for a chart


def alphas(alpha: float) -> tuple[float, ...]:
    """The level asked for, then those of the paper.

    >>> alphas(0.05), alphas(0.1)
    ((0.05, 0.01), (0.1, 0.05, 0.01))
    """
    return tuple(dict.fromkeys((alpha, *LEVELS)))


@fact()
def redraws(count: int) -> str:
    """How often splits were drawn again."""
    return f"{counted(count, 'redraw')} needed"


@dataclass(frozen=True)
class Level:
    """How many pairs the splits disagree on to the same degree: so many say one thing, all others another."""

    minority: int
    majority: int
    pairs: int  # how many
    share: float  # of all pairs

    def __str__(self) -> str:
        return f"{self.minority}:{self.majority}"


@dataclass(frozen=True, eq=False)
class Splits(Pairs):
    """The multiple partition inference: p-values and directions of every pair in every split."""

    measure: str
    splits: tuple[DrawnSplit, ...]
    inferences: tuple[Inference, ...]  # split
    fit: Fitted  # of the first split
    measured: Measured  # the first split
    rule: Rule
    drawing: Drawing

    @property
    def parts(self) -> int:
        """Of a split."""
        return self.splits[0].parts

    @property
    def alpha(self) -> float:
        """The level asked for."""
        return self.drawing.alpha

    @property
    def population(self) -> Population:
        """What the decisions cover."""
        return self.drawing.population

    @property
    def provenance(self) -> Provenance:
        """How the splits came about, and how they were made one decision."""
        rule, counts = self.rule, sorted({len(split.topics) for split in self.splits})
        origin = provenance_of(
            self.measured,
            self.drawing,
            len(self.splits),
            Fact("aggregate", rule.name, f"rule '{rule.name}' ({rule.explanation}; {rule.reference})"),
            facts.dropped(self._dropped or None),
            redraws(sum(split.attempts - 1 for split in self.splits) if self.fill == "redraw" else None),
        )
        return origin | facts.topics(counts[0] if len(counts) == 1 else (counts[0], counts[-1]))

    @cached_property
    def _dropped(self) -> tuple[str, ...]:
        """Topics that some split leaves out."""
        return tuple(dict.fromkeys(topic for split in self.splits for topic in split.dropped))

    @property
    def fill(self) -> str:
        """What was done about topics without relevant documents in some part."""
        return str(self.measured.measuring.fill)

    @cached_property
    def p(self) -> Floats:
        """p-values before correction; split, pair."""
        return np.array([inference.p for inference in self.inferences])

    @cached_property
    def p_adjusted(self) -> Floats:
        """Corrected p-values; split, pair."""
        return np.array([inference.p_adjusted for inference in self.inferences])

    @cached_property
    def directions(self) -> Signs:
        """Which system of the pair is ahead; split, pair."""
        return np.array([inference.direction for inference in self.inferences])

    @cached_property
    def direction(self) -> Signs:
        """Which system is ahead in the mean over splits; pair."""
        effects = np.mean([inference.effects for inference in self.inferences], axis=0)
        return sign(effects[self.first] - effects[self.second])

    def decisions(self, alpha: float | None = None) -> Signs:
        """Which system of the pair is better, or neither, at the level asked for or at another; split, pair."""
        return decided(self.p_adjusted, self.directions, alpha or self.alpha)

    def significant_counts(self, alpha: float | None = None) -> Ints:
        """How many pairs differ; split."""
        return np.count_nonzero(self.decisions(alpha), axis=1)

    def combined_p(self, rule: str | None = None) -> Floats:
        """The corrected p-values of the splits, aggregated for the system that is ahead in their mean; pair.

        A split in which the other system is ahead counts as p = 1: it says nothing for this one.
        """
        return self._aggregated(self.p_adjusted, rule)

    def combined_p_alone(self, rule: str | None = None) -> Floats:
        """The same of the p-values before correction; pair."""
        return self._aggregated(self.p, rule)

    def _aggregated(self, p: Floats, rule: str | None) -> Floats:
        chosen = self.rule if rule is None else aggregation(rule)
        return chosen(np.where(self.directions == self.direction, p, 1.0))

    def decided(self, alpha: float | None = None, rule: str | None = None) -> Signs:
        """The decision of all splits together by the rule asked for, or by another; pair."""
        return decided(self.combined_p(rule), self.direction, alpha or self.alpha)

    @property
    def significant_count(self) -> int:
        """How many pairs differ by all splits together."""
        return int(np.count_nonzero(self.decided()))

    def minority(self, alpha: float | None = None) -> Ints:
        """How many splits disagree with the majority; pair."""
        decisions = self.decisions(alpha)
        most = np.max([np.count_nonzero(decisions == decision, axis=0) for decision in (-1, 0, 1)], axis=0)
        return len(self.splits) - most

    def levels(self, alpha: float | None = None) -> tuple[Level, ...]:
        """How many pairs there are at each level of disagreement, from full agreement on (Table 5)."""
        splits, minority = len(self.splits), self.minority(alpha)
        counts = np.bincount(minority, minlength=splits // 2 + 1).tolist()
        return tuple(Level(few, splits - few, n, n / len(minority)) for few, n in enumerate(counts))

    def disagreements(self, alpha: float | None = None) -> int:
        """How many pairs the splits do not all decide alike."""
        return int(np.count_nonzero(self.minority(alpha)))

    def opposed(self, alpha: float | None = None) -> list[tuple[str, str]]:
        """Pairs that are significant in opposite directions in different splits."""
        decisions = self.decisions(alpha)
        pairs = np.flatnonzero((decisions > 0).any(axis=0) & (decisions < 0).any(axis=0))
        return [(self.systems[self.first[pair]], self.systems[self.second[pair]]) for pair in pairs]

    @property
    def top_group(self) -> tuple[str, ...]:
        """The best system on the whole corpus, and those that it is not decided to be better than."""
        alike = (self.first == 0) & (self.decided() <= 0)
        return (self.systems[0], *(self.systems[system] for system in self.second[alike]))

    @property
    def nearest(self) -> tuple[str, str]:
        """The best neighbours in the ranking that may be equal in the first split; else the best two."""
        near = np.flatnonzero((self.second - self.first == 1) & (self.p[0] >= _SURE))
        place = int(self.first[near[0]]) if len(near) else 0
        return self.systems[place], self.systems[place + 1]

    @property
    def closest(self) -> tuple[str, str]:
        """The pair whose corrected p in the first split is nearest to α, by their ratio."""
        p = np.maximum(self.p_adjusted[0], np.finfo(float).tiny)
        pair = int(np.argmin(np.abs(np.log(p / self.alpha))))
        return self.systems[self.first[pair]], self.systems[self.second[pair]]

    def is_resolved(self, alpha: float | None = None) -> bool:
        """Whether a p-value of one draw in all would be rejected too, in every split that rejects any pair.

        If not, pairs were rejected since the paper's p = 0, and more draws could have shown another p-value.
        """
        counts, pairs = self.significant_counts(alpha), len(self.first)
        return bool(((counts == 0) | (counts * (alpha or self.alpha) / pairs >= self.least_p)).all())

    @property
    def least_p(self) -> float:
        """The least p-value above 0 of the paper's kind; 0 of others."""
        return self.drawing.sides / self.drawing.draws if self.drawing.is_paper else 0.0

    @property
    def draws_needed(self) -> int:
        """The draws that resolve any number of pairs."""
        return math.ceil(self.drawing.sides * len(self.first) / self.alpha - 1e-9)

    @cached_property
    def bootstrap(self) -> Bootstrap:
        """The draws of the first split, as in the paper."""
        return self.drawing.bootstrap(self.fit, (self.parts, self.splits[0].number))

    @cached_property
    def differences(self) -> Contrasts:
        """The differences of all pairs in the first split."""
        return self.drawing.differences(self.fit, self)

    def place(self, system: str, other: str) -> int:
        """Where the pair of two systems stands among all pairs."""
        first, second = sorted((self.systems.index(system), self.systems.index(other)))
        return int(np.flatnonzero((self.first == first) & (self.second == second))[0])


def _infer_split(divider: Divider, bench: Bench | GivenParts, number: int) -> tuple[Measured, Inference, Fitted | None]:
    divided = divider.divided(divider.asked.parts, number, bench)
    inference, fit = divider.infer(divided)
    return divided, inference, fit if number == 0 else None


def many_splits(divider: Divider, progress: Progress | None = None) -> Splits:
    """The multiple partition inference of Figure 7: one ANOVA for each of several random splits.

    Splits are inferred in threads; each depends on the seed and its number alone.
    """
    asked, pairs = divider.asked, divider.pairs
    threads = thread_count(asked.workers or divider.bench.workers)
    bench: Bench | GivenParts = divider.bench.with_workers(threads if asked.splits == 1 else 1)

    infer_one = partial(_infer_split, divider, bench)
    results = each(infer_one, range(asked.splits), threads, named="split", then=counting(progress, asked.splits))
    divided, inferences, (fit, *_) = zip(*results, strict=True)
    divider.remember(asked.parts, inferences[0])
    return Splits(
        **{field.name: getattr(pairs, field.name) for field in fields(Pairs)},
        measure=str(divider.measure),
        splits=tuple(map(split_of, divided)),
        inferences=inferences,
        fit=fit,
        measured=divided[0],
        rule=aggregation(asked.aggregate),
        drawing=divider.drawing,
    )


def ahead_of(names: tuple[str, str], sign: int) -> str:
    """The system that a sign is for, or neither."""
    return "neither" if sign == 0 else names[0] if sign > 0 else names[1]
