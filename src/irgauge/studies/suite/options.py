"""The options of `suite`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, get_args

from irgauge.errors import DesignError
from irgauge.inference.margins import GivenMargin, Margin
from irgauge.options.fields import Help
from irgauge.reading.options import Limited, Reads
from irgauge.reading.share_table import GivenShares
from irgauge.reading.tables.named_columns import NamesColumns
from irgauge.studies.sampling_options import CLUSTER, SHARES
from irgauge.studies.shared_options import MARGIN, Levelled, OneMeasure, Scheduled, Working

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

Weights = Literal["equal", "topics"]  # how collections count; or a column of topics


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(OneMeasure, Scheduled, Working, Levelled, Reads, Limited, NamesColumns):
    """What is asked of a suite."""

    usual: ClassVar[tuple[str, ...]] = ("nDCG@10",)

    measures: Annotated[
        str | Measure | Sequence[str | Measure] | None,
        Help(
            "The measure, such as AP or nDCG@10; nDCG@10 if not given; of tables of scores, their only measure. "
            "Tables that do not say their measure, as wide ones, have this one.",
            short="-m",
            flag="measure",
        ),
    ] = field(default=None, kw_only=False)
    baseline: Annotated[
        str | None, Help("Compare all systems with this one only, by its name; differences are system − baseline.")
    ] = None
    margin: Annotated[GivenMargin | None, MARGIN] = None
    weights: Annotated[
        str,
        Help(
            "How much a collection counts in a mean over them: all the same (equal), or by its topics (topics). Or a "
            "column of topics that says how much each counts, such as how often it was asked, and a collection by "
            "their sum: claims are for queries drawn as in the traffic.",
            metavar="equal|topics|COLUMN",
        ),
    ] = "equal"
    cluster: Annotated[str | None, CLUSTER] = None
    shares: Annotated[GivenShares | None, SHARES] = None
    by: Annotated[
        Sequence[str] | str | None,
        Help(
            "A column of topics that all collections have (repeatable): a verdict over them for every kind of topics, "
            "all kinds corrected together. It stands beside the scores of a table, or in topics.csv in the folder of a "
            "collection."
        ),
    ] = None

    @property
    def slice_columns(self) -> tuple[str, ...]:
        """The columns whose kinds are asked for."""
        return () if self.by is None else (self.by,) if isinstance(self.by, str) else tuple(self.by)

    @property
    def topic_weights(self) -> str | None:
        """The column that says how much topics count; None where they count alike."""
        return None if self.weights in get_args(Weights) else self.weights

    @property
    def is_sampled(self) -> bool:
        """Whether topics are in clusters, or count unequally."""
        return any(asked is not None for asked in (self.cluster, self.topic_weights, self.shares))

    def __post_init__(self) -> None:
        if self.slice_columns and self.shares is not None:
            raise DesignError(
                "kinds with known shares (shares) are one mean; a verdict on each (by) is asked without them"
            )
        if self.margin is not None and Margin.parse(self.margin).is_share and self.baseline is None:
            raise DesignError(f"the margin {self.margin} is a share of the baseline's mean; name a baseline")
