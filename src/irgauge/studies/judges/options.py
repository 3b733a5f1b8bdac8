"""The options of `judges`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar, get_args

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.inference.margins import GivenMargin, Margin
from irgauge.names import JudgesTest
from irgauge.options.fields import Help
from irgauge.reading.groups import Groups
from irgauge.reading.judges import GivenJudges
from irgauge.reading.options import Limited, Reads
from irgauge.reading.topic_table import GivenTopics
from irgauge.studies.judge_options import OfJudgments, Pairs
from irgauge.studies.shared_options import MARGIN, Levelled, OneMeasure, Seeded

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

PEOPLE = "people"


def _tests() -> Iterable[str]:
    from irgauge.inference.tests.registry import TESTS

    return [name for name, test in TESTS.items() if test.needs == "values" and not test.needs_baseline]


@dataclass(frozen=True)
class OfJudges:
    """Who judged; a base of its own, so that they come before the measure."""

    judges: Annotated[
        GivenJudges,
        Help("Judgments by someone else: a file, NAME=FILE, or a folder of files; repeatable.", flag="judge"),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class JudgesOptions(OneMeasure, Seeded, Levelled, OfJudgments, Reads, Limited, OfJudges):
    """What is asked of judges."""

    usual: ClassVar[tuple[str, ...]] = ("nDCG@10",)

    measures: Annotated[
        str | Measure | Sequence[str | Measure] | None,
        Help(
            "The measure, such as AP or nDCG@10; nDCG@10 if not given; for a table of scores, its only measure.",
            short="-m",
            flag="measure",
        ),
    ] = field(default=None, kw_only=False)
    judge_column: Annotated[
        str | None,
        Help(
            f"The column of a table of scores that says whose score it is: '{PEOPLE}', or a judge's name; instead of "
            "--judge.",
            metavar="COLUMN",
        ),
    ] = None
    baseline: Annotated[
        str | None, Help("Look at claims against this system only, by its name; else at those of all pairs.")
    ] = None
    margin: Annotated[GivenMargin | None, MARGIN] = None
    groups: Annotated[
        Groups | None,
        Help(
            "Groups of systems that a judge may favour: a file with a system and its group on each line.",
            metavar="FILE",
        ),
    ] = None
    test: Annotated[JudgesTest | None, Help("The test of pairs; that of `compare` if not given.", names=_tests)] = None
    pairs: Annotated[
        Pairs,
        Help(
            "Which judgments count: all (each side's own; what it did not judge is not relevant), or common (only "
            "pairs of topic and document that both judged)."
        ),
    ] = "all"
    sampled: Annotated[
        bool,
        Help(
            "People judged a sample of each topic's documents: a grade below 0 in their judgments is of one that they "
            "did not judge, in strata if there are any (topic 0 docno stratum grade). For P, DCG, RBP and the like."
        ),
    ] = False
    strata: Annotated[
        GivenTopics | None,
        Help(
            "Strata within which people's topics were drawn, for corrected claims: a table with the columns topic and "
            "stratum, such as `plan --judge` writes (--next).",
            metavar="FILE",
        ),
    ] = None
    draws: Annotated[int, Help("How often topics are drawn, for intervals of orders.", least=2, most=1_000_000)] = 1000

    def __post_init__(self) -> None:
        if self.judges and self.judge_column is not None:
            raise DesignError("a column says whose score it is, and judges are named, too; leave one of the two out")
        self.check_judgments()
        known(self.pairs, get_args(Pairs), "choice of pairs")
        if self.sampled and (self.pairs != "all" or self.strata is not None):
            raise DesignError("where people's documents are a sample, all judgments count: leave pairs and strata out")
        if self.margin is not None and Margin.parse(self.margin).is_share and self.baseline is None:
            raise DesignError(f"the margin {self.margin} is a share of the baseline's mean; name a baseline")
