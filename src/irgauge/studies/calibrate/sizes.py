"""How many experiments are drawn, and how large."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.calibrating.methods import Setting
from irgauge.calibrating.power import TOPICS
from irgauge.studies.calibrate.options import Asked

_FULL, _QUICK = (4_000_000, 400, 2000), (200_000, 40, 200)  # pairs in all, the fewest and the most experiments


@dataclass(frozen=True)
class Sizes:
    """What is drawn for one population."""

    trials: int  # experiments of a world
    splits: int  # into halves
    draws: int  # of real pairs, whose power is looked at
    topics: tuple[int, ...]  # numbers of them

    @classmethod
    def of(cls, asked: Asked, setting: Setting, topics: int) -> Sizes:
        """The more pairs, the fewer experiments, so that the time stays about the same."""
        work, fewest, most = _QUICK if asked.quick else _FULL
        trials = asked.trials or min(max(work // setting.pairs, fewest), most)
        counts = {topics, 25, 100} if asked.quick else {topics, *TOPICS}
        return cls(
            trials, max(2, min(trials, 10 if asked.quick else 100)), 400 if asked.quick else 2000, tuple(sorted(counts))
        )
