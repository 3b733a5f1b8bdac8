"""The options of `gate`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.inference.online import budget_of
from irgauge.options.fields import LARGEST_SEED, Help, options_of
from irgauge.reading.options import Limited, Reads
from irgauge.studies.remembering import Remembered
from irgauge.studies.sampling_options import OfSampling
from irgauge.studies.scale_options import Scaled
from irgauge.studies.shared_options import Levelled, OfSlices, OfWordings, Working

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure


@dataclass(frozen=True)
class Sequential:
    """A gate of many looks."""

    _: KW_ONLY
    sequential: Annotated[
        bool,
        Help(
            "Look while topics come in, as often as you like, and stop when it is decided: run the same command on "
            "more topics. Needs --state."
        ),
    ] = False
    state: Annotated[
        str | os.PathLike[str] | None,
        Help(
            "With --sequential: keep here which topics were used, in which order, with their scores and the settings.",
            metavar="FILE",
            writes="file",
        ),
    ] = None
    order: Annotated[
        int,
        Help(
            "With --sequential: the seed of the random order of topics; new ones come after those that were used.",
            least=0,
            most=LARGEST_SEED,
        ),
    ] = 0

    def check_looks(self, unusual: dict[str, bool]) -> None:
        """Refuse what does not go together; `unusual` says of other options whether they were asked for."""
        if not self.sequential:
            usual = {option.name: option.default for option in options_of(Sequential)}
            for name in ("state", "order"):
                if getattr(self, name) != usual[name]:
                    raise DesignError(f"{name} is of a gate of many looks (sequential); ask for one, or leave it out")
            return
        if self.state is None:
            raise DesignError("a gate of many looks needs a file that keeps what was used (state); name one")
        for name, is_asked in unusual.items():
            if is_asked:
                raise DesignError(f"{name} does not go with a gate of many looks (sequential); leave one of them out")


UNDECIDED = {"pass": 0, "fail": 1, "3": 3}  # what an undecided gate may do -> its exit code
_ONCE = ("lock", "cluster", "weights", "shares", "variants", "budget")  # options of a gate of one look


def _ways() -> Iterable[str]:
    return UNDECIDED


@dataclass(frozen=True)
class GateOptions(Working, Levelled, Reads, Limited, OfWordings, OfSampling, OfSlices, Scaled, Remembered, Sequential):
    """What is asked of a gate."""

    baseline: object
    candidate: object = None  # None: two tables of scores are given, the baseline's and the candidate's
    measures: Annotated[
        Sequence[str | Measure] | str | Measure | None,
        Help(
            "A measure, with its own margin or without, such as nDCG@10:1%; repeatable; latency_ms:lower:5% where "
            "lower is better. nDCG@10, or all of a table, if not given. A table that does not say its measure, as a "
            "wide one, has the one that is named.",
            short="-m",
            flag="measure",
        ),
    ] = None
    _: KW_ONLY
    margin: Annotated[
        str | float | None,
        Help(
            "The smallest difference that matters: 0.01, or 1% of the baseline's mean. Of measures without their own."
        ),
    ] = None
    slice_margins: Annotated[
        Sequence[str] | str | None,
        Help(
            "The margin on one kind of topics (repeatable), such as type=long:5%, in place of the measures' own.",
            flag="slice-margin",
        ),
    ] = None
    undecided: Annotated[
        str | int, Help("What an undecided gate does: it passes, fails, or exits with 3.", names=_ways)
    ] = "3"
    lock: Annotated[
        str | os.PathLike[str] | None,
        Help(
            "Keep fingerprints of judgments, baseline, topics and settings here; refuse if they changed.",
            metavar="FILE",
            writes="file",
        ),
    ] = None

    budget: Annotated[
        str | None,
        Help(
            "With --history, share an error budget with all its gates: fdr (of all regressions reported at most alpha "
            "are false on average), or at most so many false alarms in a day, week, month, quarter or year, with a "
            "chance of 1 - alpha, such as 1/month.",
            metavar="fdr|N/PERIOD",
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.budget is not None:
            budget_of(self.budget, self.alpha)
            if self.history is None:
                raise DesignError("a budget is shared by the gates of a history (history); name its file")
        known(str(self.undecided), tuple(UNDECIDED), "way to deal with an undecided gate")
        if self.slice_margins is not None and not self.slice_columns:
            raise DesignError("margins on kinds of topics (slice_margins) need the columns of these (by); name them")
        self.check_looks({"by": bool(self.slice_columns)} | {name: getattr(self, name) is not None for name in _ONCE})
