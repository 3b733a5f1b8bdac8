"""Options on how topics came together: in clusters, with weights, in kinds of known shares."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from irgauge.options.fields import Help
from irgauge.reading.share_table import GivenShares
from irgauge.reading.tables.named_columns import NamesColumns

CLUSTER = Help(
    "A column of topics whose topics belong together, such as a conversation, a user or a document: claims are for "
    "other clusters like these (4 or more)."
)
SHARES = Help(
    "The shares of kinds of topics, such as those of the traffic: CSV, TSV, JSON lines or Parquet with two columns, a "
    "column of topics and the share of each of its kinds.",
    metavar="FILE",
)


@dataclass(frozen=True)
class OfSampling(NamesColumns):
    """How topics came together, where they were not drawn one by one, all alike."""

    _: KW_ONLY
    cluster: Annotated[str | None, CLUSTER] = None
    weights: Annotated[
        str | None,
        Help(
            "A column of topics that says how much each counts, such as how often it was asked: claims are for queries "
            "drawn as in the traffic."
        ),
    ] = None
    shares: Annotated[GivenShares | None, SHARES] = None

    @property
    def is_sampled(self) -> bool:
        """Whether any of these is asked for."""
        return any(asked is not None for asked in (self.cluster, self.weights, self.shares))
