"""The options of `bootstrap`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.options.fields import Help
from irgauge.studies.shared_options import MEASURES, AllowsSparse, KeepingBy, Levelled, Measures, Scheduled, Seeded

if TYPE_CHECKING:
    from irgauge.scoring.measures import Measure

Draw = Literal["documents", "topics", "both"]
METHODS: Mapping[Draw, str] = {
    "documents": "corpus bootstrap",
    "topics": "topic bootstrap",
    "both": "bootstrap of corpus and topics",
}
Undefined = Literal["zero", "skip"]
OF_TOPICS = ("topics", "spread")  # charts of what varies on single topics
NOT_DRAWN = "the scores on a topic vary only where documents are drawn; draw documents or both"


def _draws() -> Iterable[str]:
    return get_args(Draw)


def _choices() -> Iterable[str]:
    return get_args(Undefined)


_USUAL = ("AP", "nDCG@10", "P@10", "RBP(p=0.95, rel=1)")


@dataclass(frozen=True)
class BootstrapOptions(Measures, AllowsSparse, KeepingBy, Scheduled, Seeded, Levelled):
    """What is asked of a bootstrap."""

    measures: Annotated[Sequence[str | Measure] | str | Measure, MEASURES] = _USUAL
    _: KW_ONLY
    images: Annotated[int, Help("Number of bootstrap samples, 2 or more.", most=1_000_000)] = 1000
    draw: Annotated[Draw, Help("What to draw with replacement, and so what claims cover.", names=_draws)] = "documents"
    undefined: Annotated[
        Undefined,
        Help("Whether a topic without relevant documents in an image scores 0 or is left out.", names=_choices),
    ] = "zero"
    per_topic: Annotated[bool, Help("Also show every topic of one system, the best if none is named.")] = False
    system: Annotated[str | None, Help("The system whose topics are shown.")] = None
    held_out: Annotated[
        int,
        Help("Draw so many further images, and count the differences on topics in the intervals of those before."),
    ] = 0
    pairs: Annotated[bool, Help("Add every pair of systems on every topic to the JSON.")] = False
    keep: Annotated[
        str | os.PathLike[str] | None,
        Help(
            "Save the scores of all images as Parquet files in this new folder. If the command is stopped, the same "
            "command goes on where it was.",
            writes="folder",
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse what is unknown, and what does not go together."""
        object.__setattr__(self, "draw", known(self.draw, get_args(Draw), "draw"))
        object.__setattr__(self, "undefined", known(self.undefined, get_args(Undefined), "choice for undefined topics"))
        super().__post_init__()
        if self.held_out < 0:
            raise DesignError(f"{self.held_out} images cannot be held out; give 1 or more, or 0 for none")
        if self.draw != "topics":
            return
        if self.held_out:
            raise DesignError(f"{NOT_DRAWN}, or hold no image out")
        if self.keep is not None:
            raise DesignError("the scores of images can be kept where documents are drawn; draw documents or both")
        if self.per_topic or self.system is not None:
            raise DesignError(f"{NOT_DRAWN}, or leave out what is shown of each topic")

    def check_chart(self, of: str) -> None:
        """Refuse a chart of what does not vary."""
        if self.draw == "topics" and of in OF_TOPICS:
            raise DesignError(f"there is no chart of '{of}' here: {NOT_DRAWN}")
