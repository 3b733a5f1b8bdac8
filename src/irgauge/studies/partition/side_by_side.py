"""What do several tests say of the same pairs of systems? (Voorhees, Samarov and Soboroff 2017, Table 4, Figures 4, 5).

The tests over topics stand as the paper has them, each pair for itself unless a correction is asked for; the partition
method corrects over all pairs. They cover different populations: other topics, or other documents. MD6 of Ferro and
Sanderson (2019), with Tukey's test and with Benjamini and Hochberg's correction, is of the same splits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Ints, Signs
from irgauge.errors import DesignError
from irgauge.inference.comparison import Pairs
from irgauge.inference.contrasts import pooled_differences
from irgauge.inference.corrections import BH, BUILT_IN
from irgauge.inference.tests.flips import FLIPS, randomization
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.tukey import TUKEY, all_pairs_p
from irgauge.inference.tests.unpaired_t import unpaired_t
from irgauge.models.anova import Population, decompose
from irgauge.studies.partition.inferring import decided, sign
from irgauge.studies.partition.options import check_parts
from irgauge.studies.partition.split import Divider, ranked_values
from irgauge.studies.partition.splits import Splits

Kind = Literal["topics", "split", "model", "splits"]  # a test over topics, of one split (by MD6), of many together
MODEL = "MD6"
UNPAIRED, PAIRED = "unpaired t", "paired t"
ONE_SIDED, TWO_SIDED = "randomization, one-sided", "randomization, two-sided"


@dataclass(frozen=True, eq=False)
class PairTest:
    """What one test says of all pairs."""

    key: str  # its name in columns
    name: str
    short: str  # its name in a legend
    kind: Kind
    parts: int | None  # of a split; None: over topics
    correction: str
    population: Population
    p_adjusted: Floats  # pair: corrected, if it is
    direction: Signs  # pair: which system is ahead

    def decisions(self, alpha: float) -> Signs:
        """Which system is better, or neither; pair."""
        return decided(self.p_adjusted, self.direction, alpha)


@dataclass(frozen=True)
class Count:
    """How many pairs a test finds significantly different."""

    test: str
    alpha: float
    significant: int
    share: float  # of all pairs


@dataclass(frozen=True, eq=False)
class SideBySide(Pairs):
    """Several tests of the same pairs, side by side."""

    measure: str
    tests: tuple[PairTest, ...]
    many: Splits  # the splits that the last test aggregates
    levels: tuple[float, ...]  # of significance
    draws: int  # of the randomization tests

    def counts(self) -> tuple[Count, ...]:
        """How many pairs each test finds significantly different at each level (Table 4)."""
        return tuple(
            Count(test.name, alpha, count, count / len(self.first))
            for test in self.tests
            for alpha in self.levels
            for count in [int(np.count_nonzero(test.decisions(alpha)))]
        )

    def test(self, name: str) -> PairTest:
        """The test of that name."""
        tests = {test.name: test for test in self.tests}
        return tests[known(name, tests, "test")]

    def of_kind(self, kind: Kind) -> list[PairTest]:
        """The tests over topics, of one split, or of many."""
        return [test for test in self.tests if test.kind == kind]

    def rejected_by(self, names: Sequence[str], alpha: float) -> Ints:
        """Which of some tests reject: the sum of 2^i over them, 0 where none does (Figures 4 and 5); pair."""
        rejects = [self.test(name).decisions(alpha) != 0 for name in names]
        return sum(
            (rejected.astype(np.int64) << i for i, rejected in enumerate(rejects)), np.zeros(len(self.first), np.int64)
        )

    def conflicts(self, alpha: float) -> list[tuple[str, str, str, str]]:
        """Pairs of systems of which two tests both say that they differ, but not which is better, and the tests."""
        return [
            (self.systems[self.first[pair]], self.systems[self.second[pair]], test.name, other.name)
            for test, other in combinations(self.tests, 2)
            for pair in np.flatnonzero(test.decisions(alpha) * other.decisions(alpha) < 0)
        ]


def compare_tests(divider: Divider, many: Splits, parts: Sequence[int], levels: Sequence[float]) -> SideBySide:
    """Unpaired and paired t, randomization with one side and two, one split into each number of parts, many splits.

    The one split into as many parts as the many have is the first of them.
    """
    check_parts(parts)
    if not levels:
        raise DesignError("no level is asked for; name one, such as 0.05")
    return SideBySide(
        **{field.name: getattr(many, field.name) for field in fields(Pairs)},
        measure=many.measure,
        tests=(
            *_over_topics(divider),
            *(_of_split(divider, many, count) for count in parts),
            *(test for count in parts for test in _of_model(divider, many, count)),
            _of_splits(many),
        ),
        many=many,
        levels=tuple(levels),
        draws=divider.asked.draws,
    )


def _over_topics(divider: Divider) -> Iterator[PairTest]:
    """The tests of scores on the whole corpus."""
    asked, systems, whole = divider.asked, divider.pairs.systems, divider.whole.scores
    values = whole.values[0, :, [whole.systems.index(system) for system in systems], 0].T  # topic, system
    correction = asked.tests_correction
    drawn = partial(randomization, values, systems, correction=correction, draws=asked.draws, seed=asked.seed)
    tests = (
        ("unpaired_t", UNPAIRED, UNPAIRED, unpaired_t(values, systems, correction=correction)),
        ("paired_t", PAIRED, PAIRED, paired_t(values, systems, correction=correction)),
        ("randomization_one_sided", ONE_SIDED, FLIPS, drawn(sides=1)),
        ("randomization_two_sided", TWO_SIDED, TWO_SIDED, drawn(sides=2)),
    )
    for key, name, short, comparison in tests:
        ahead = np.ones(len(comparison.first), np.int8)  # the first of the pair, as in the ranking
        yield PairTest(key, name, short, "topics", None, correction, "topics", comparison.p_adjusted, ahead)


def _of_split(divider: Divider, many: Splits, parts: int) -> PairTest:
    first = divider.first(parts, interactions=True)
    name = f"{parts} parts"
    return PairTest(
        f"{parts}_parts",
        name,
        name,
        "split",
        parts,
        many.drawing.correction,
        many.population,
        first.p_adjusted,
        first.direction,
    )


def _of_model(divider: Divider, many: Splits, parts: int) -> Iterator[PairTest]:
    """The tests of Ferro and Sanderson (2019) on the first split; none where topics lack a part."""
    values = ranked_values(divider.divided(parts, 0), divider.pairs)
    if np.isnan(values).any():
        return
    fit, pairs = decompose(values).fit(MODEL), divider.pairs
    direction = sign(fit.means("system")[pairs.first] - fit.means("system")[pairs.second])
    by_range = all_pairs_p(fit, many.population)[pairs.first, pairs.second]
    by_t = BH.adjusted(pooled_differences(fit, pairs.first, pairs.second, many.population).p)
    for record, title, correction, p in ((TUKEY, "Tukey", BUILT_IN.name, by_range), (BH, "BH", BH.name, by_t)):
        name = f"{MODEL} on {parts} parts, {title}"
        yield PairTest(
            f"{MODEL.lower()}_{record.name}_{parts}_parts",
            name,
            name,
            "model",
            parts,
            correction,
            many.population,
            p,
            direction,
        )


def _of_splits(many: Splits) -> PairTest:
    name = f"{len(many.splits)} splits of {many.parts} parts, {many.rule.name}"
    return PairTest(
        "splits",
        name,
        name,
        "splits",
        many.parts,
        many.drawing.correction,
        many.population,
        many.combined_p(),
        many.direction,
    )


def test_rows(tests: SideBySide) -> Iterator[dict[str, Any]]:
    """Every pair by every test at the first level."""
    for test in tests.tests:
        columns = test.p_adjusted.tolist(), test.decisions(tests.levels[0]).tolist()
        for (system, against), p_adjusted, decision in zip(tests.names, *columns, strict=True):
            yield {
                "measure": tests.measure,
                "system": system,
                "against": against,
                "test": test.name,
                "correction": test.correction,
                "population": test.population,
                "p_adjusted": p_adjusted,
                "decision": decision,
            }


def tests_record(tests: SideBySide) -> dict[str, Any]:
    """What several tests say of the same pairs; what goes by pair is in the order of the pairs."""
    return {
        "levels": tests.levels,
        "draws": tests.draws,
        "seed": tests.many.drawing.seed,
        "counts": tests.counts(),
        "conflicts": {f"{alpha:g}": tests.conflicts(alpha) for alpha in tests.levels},
        "pairs": tests.names,
        "tests": tests.tests,
    }
