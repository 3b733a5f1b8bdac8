"""The options of reading judges' judgments beside people's, each written once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from irgauge.choices import known
from irgauge.options.fields import Help
from irgauge.reading.judges import DUPLICATES, DuplicateRule, check_grades, grades_of
from irgauge.reading.missing import MissingRule

Pairs = Literal["all", "common"]
_RULES = ", ".join(f"{name} ({done})" for name, done in DUPLICATES.items())


@dataclass(frozen=True, kw_only=True)
class OfJudgments:
    """What judges' judgments mean."""

    grades: Annotated[
        Mapping[int, int] | None,
        Help(
            "What grades of judges mean on people's scale, such as 0=0,1=0,2=1; others stay as they are.",
            read=grades_of,
            metavar="G=G,...",
        ),
    ] = None
    duplicates: Annotated[
        DuplicateRule | None,
        Help(
            f"What becomes of a pair of topic and document that is judged more than once: {_RULES}. If not given, "
            "refuse for people's judgments, and first for those of a judge."
        ),
    ] = None

    def check_judgments(self) -> None:
        """Refuse rules and grades that there are not."""
        if self.duplicates is not None:
            known(self.duplicates, tuple(DUPLICATES), "rule for duplicates")
        check_grades(self.grades or {})


class JudgesAsked(Protocol):
    """What is asked of people's scores and a judge's side by side, besides how runs are read."""

    @property
    def grades(self) -> Mapping[int, int] | None:
        """What grades of judges mean."""

    @property
    def duplicates(self) -> DuplicateRule | None:
        """What becomes of pairs that are judged more than once."""

    @property
    def pairs(self) -> Pairs:
        """Which judgments count."""

    @property
    def sampled(self) -> bool:
        """Whether people judged a sample of documents."""

    @property
    def missing(self) -> MissingRule | None:
        """What becomes of topics that a run does not answer."""

    @property
    def workers(self) -> int | None:
        """Number of threads."""
