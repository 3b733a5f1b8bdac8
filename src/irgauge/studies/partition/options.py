"""The options of `partition`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Annotated

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.names import Correction, PartitionAggregate, PartitionDrawn, PartitionFill, PartitionModel, PartitionP
from irgauge.options.fields import Help
from irgauge.reading.groups import Groups
from irgauge.studies.shared_options import ALPHA, Filled, Levelled, OfTables, Relevant, Scheduled, corrections, numbers

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

LENGTHS_OF = (2, 3, 5)  # numbers of parts whose intervals are measured
TESTS_OF = (2, 3)  # numbers of parts that stand beside tests over topics
UNBALANCED = "unbalanced"
FILLS = ("redraw", "drop", UNBALANCED)
MODELS = ("MD2", "MD3", "MD4", "MD5", "MD6")
DRAWN = ("residuals", "topics")
PAPER = "paper"
_FEWEST_SPLITS = 3  # of which sets are drawn
P_VALUES = ("difference", PAPER)
CAUTION = "as in the paper: a ranking of evidence, not an error rate"


def _rules() -> Iterable[str]:
    from irgauge.inference.aggregation import RULES

    return RULES


def check_parts(parts: Sequence[int]) -> None:
    """Numbers of parts: some, and each of them once."""
    if not parts or len(set(parts)) < len(parts):
        raise DesignError(f"the numbers of parts are {list(parts)}; name at least one, and none twice")


@dataclass(frozen=True)
class PartitionOptions(Relevant, Scheduled, Filled, Levelled, OfTables):
    """What is asked of the partition method."""

    measures: Annotated[
        Sequence[str | Measure] | str | Measure | None,
        Help(
            "The measure, such as AP or nDCG@10; at most two. If not given AP, or those of a table.",
            short="-m",
            flag="measure",
        ),
    ] = None
    _: KW_ONLY
    parts: Annotated[int, Help("Number of parts of a split, 2 or more.")] = 2
    splits: Annotated[int, Help("Number of random splits, 1 or more.", most=100_000)] = 11
    p: Annotated[
        PartitionP,
        Help(
            f"difference: two-sided, of the difference of two systems; paper: {CAUTION}.",
            names=lambda: P_VALUES,
        ),
    ] = "difference"
    sides: Annotated[
        int | None,
        Help("Of the paper's p. 2: doubled, as its printed counts are; 1: as its Figure 3 has it. 2 if not given."),
    ] = None
    aggregate: Annotated[
        PartitionAggregate,
        Help(
            "The rule for all splits together; valid whatever the dependence of splits, but for the paper's p: all, "
            "twice-median.",
            names=_rules,
        ),
    ] = "all"
    drawn: Annotated[
        PartitionDrawn,
        Help(
            "residuals: claims cover other documents for these topics; topics: they cover other topics too.",
            names=lambda: DRAWN,
        ),
    ] = "residuals"
    draws: Annotated[
        int,
        Help("Number of draws: of a randomization test, and of each split for the paper's p.", most=10_000_000),
    ] = 10_000
    interactions: Annotated[bool, Help("Model interactions of system and topic.")] = True
    model: Annotated[
        PartitionModel | None,
        Help(
            "The model of scores in parts; MD3, or MD2 without interactions, if not given. MD4 adds parts, MD5 systems "
            "by part, MD6 topics by part.",
            names=lambda: MODELS,
        ),
    ] = None
    correction: Annotated[
        Correction | None, Help("Correction over all pairs; bh, as in the paper, if not given.", names=corrections)
    ] = None
    tests: Annotated[bool, Help("Also show t and randomization tests over topics, side by side with splits.")] = False
    tests_of: Annotated[
        tuple[int, ...] | None,
        Help("Numbers of parts to show beside these tests (implies them); 2,3 if not given.", read=numbers),
    ] = None
    tests_correction: Annotated[
        Correction, Help("Correction of these tests over topics; the paper has none.", names=corrections)
    ] = "none"
    lengths: Annotated[
        bool, Help("Also show lengths of intervals by number of parts, with and without interactions.")
    ] = False
    lengths_of: Annotated[
        tuple[int, ...] | None,
        Help("Numbers of parts to show lengths for (implies them); 2,3,5 if not given.", read=numbers),
    ] = None
    all_effects: Annotated[
        bool, Help("Also show effects of topics, and of systems on topics, over draws of residuals.")
    ] = False
    by_splits: Annotated[bool, Help("Also show how decisions depend on the number of splits.")] = False
    by_systems: Annotated[
        tuple[int, ...] | None,
        Help(
            "Also show models of so many systems alone, at random and neighbours in the ranking, such as 5,10,20.",
            read=numbers,
        ),
    ] = None
    groups: Annotated[
        Groups | None,
        Help("Also compare related runs: a file with a system and its group on each line.", metavar="FILE"),
    ] = None
    skip_singles: Annotated[bool, Help("Leave groups of one system out.")] = False
    pair: Annotated[
        tuple[str, str] | None,
        Help("Systems whose difference is drawn; the best neighbours that overlap if not given.", metavar="A B"),
    ] = None
    fill: Annotated[
        PartitionFill,
        Help(
            "If a topic has no relevant documents in some part: redraw the split, drop the topic, or fit the scores on "
            "its other parts by least squares (unbalanced).",
            names=lambda: FILLS,
        ),
    ] = "redraw"
    alpha: Annotated[
        float, replace(ALPHA, text="Pairs differ where p, corrected over all pairs, is at most alpha.")
    ] = 0.05

    def __post_init__(self) -> None:
        if self.sides is not None and self.p != PAPER:
            raise DesignError(
                "sides are of the paper's p, and p of the difference has two; ask for the p 'paper', or leave sides out"
            )
        if not isinstance(self.measures, str) and isinstance(self.measures, Sequence):
            self.check_measures(self.measures)
        if self.splits < 1:
            raise DesignError(f"{self.splits} splits are not possible; ask for at least 1")
        for parts in (self.tests_of, self.lengths_of):
            if parts is not None:
                check_parts(parts)
        if self.model not in (None, *MODELS):
            known(self.model, MODELS, "model")
        if self.model not in (None, MODELS[0]) and not self.interactions:
            raise DesignError(f"{self.model} has interactions of system and topic; leave out either")
        if self.tested_parts and not self.has_interactions:
            raise DesignError("the tests side by side are of the model with interactions; ask for one or the other")
        if self.all_effects and self.fill == UNBALANCED:
            raise DesignError("effects of topics are drawn where all have scores on all parts; redraw splits, or drop")
        if self.by_splits and self.splits < _FEWEST_SPLITS:
            raise DesignError(
                f"decisions by number of splits need at least {_FEWEST_SPLITS} splits, and {self.splits} are asked for"
            )
        if self.groups is not None and self.keep_systems != "all":
            raise DesignError("related runs are compared with the model of all systems; keep all, or leave groups out")
        if self.groups is None and self.skip_singles:
            raise DesignError("groups of one can be skipped where there are groups; name their file")
        if self.pair is not None and self.pair[0] == self.pair[1]:
            raise DesignError(f"the pair names {self.pair[0]} twice; name two systems")

    def check_measures(self, measures: Sequence[str | Measure]) -> None:
        """Refuse none, or more than two."""
        count = len(dict.fromkeys(map(str, measures)))
        if not 1 <= count <= 2:
            raise DesignError(f"the partition method takes one measure, or two side by side, not {count}")
        if count == 2 and self.keep_systems != "all":
            raise DesignError(
                f"'{self.keep_systems}' keeps the best systems by one measure, and there are two; keep all, or name one"
            )

    def check_chart(self, of: str) -> None:
        """Refuse a chart that what is asked for does not give."""
        if of == "decisions" and not self.tested_parts:
            raise DesignError("the chart of decisions is of tests side by side; ask for tests too")

    @property
    def has_interactions(self) -> bool:
        """Whether the model has interactions of system and topic."""
        return self.interactions and self.model != MODELS[0]

    @property
    def tested_parts(self) -> tuple[int, ...]:
        """The numbers of parts that stand beside tests over topics: that of the splits first; none if not asked for."""
        if not self.tests and self.tests_of is None:
            return ()
        return tuple(dict.fromkeys((self.parts, *(TESTS_OF if self.tests_of is None else self.tests_of))))

    @property
    def measured_parts(self) -> tuple[int, ...]:
        """The numbers of parts whose intervals are measured; none if not asked for."""
        return self.lengths_of if self.lengths_of is not None else LENGTHS_OF if self.lengths else ()
