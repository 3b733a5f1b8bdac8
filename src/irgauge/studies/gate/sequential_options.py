"""The options of a gate that is looked at again and again while topics come in."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from irgauge.errors import DesignError
from irgauge.options.fields import LARGEST_SEED, Help, options_of


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
