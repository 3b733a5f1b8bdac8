"""The options of `pools`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from irgauge.errors import DesignError
from irgauge.options.fields import Help
from irgauge.studies.shared_options import MEASURES, AllowsSparse, Levelled, Measures, Scheduled, Seeded, numbers

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

ONE_PAIR = "differences on topics are of one pair, not of all pairs; give two runs"


@dataclass(frozen=True)
class PoolsOptions(Measures, AllowsSparse, Scheduled, Seeded, Levelled):
    """What is asked of shallow pools."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = ("AP", "RBP(p=0.95, rel=1)")
    _: KW_ONLY
    depths: Annotated[Sequence[int], Help("Depths of pools, 1 or more.", read=numbers)] = (10, 25, 100)
    images: Annotated[int, Help("Number of bootstrap samples of the corpus, 2 or more.", most=1_000_000)] = 100
    all_pairs: Annotated[bool, Help("Compare every pair of any number of runs.")] = False

    def __post_init__(self) -> None:
        """Refuse depths that no pool has."""
        if not self.depths or min(self.depths) < 1:
            depths = ", ".join(map(str, self.depths))
            raise DesignError(f"the depths '{depths}' are not possible; they are whole numbers from 1, such as 10, 25")

    def check_chart(self, of: str) -> None:
        """Refuse a chart that needs one pair."""
        if of == "topics" and self.all_pairs:
            raise DesignError(f"there is no chart of '{of}' here: {ONE_PAIR}")
