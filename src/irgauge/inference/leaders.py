"""Leaders: which systems are ahead, by which mean, and who else may be; read without what tests need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SAME = 1e-9  # means that differ by less are taken as the same


@dataclass(frozen=True)
class Leaders:
    """The best system, or those that share the first place, among systems in their order.

    >>> Leaders.of(["a", "b", "c", "d"], [0.5, 0.5, 0.4, 0.1], top_group=["a", "b", "c"])
    Leaders(best=('a', 'b'), mean=0.5, systems=4, alike=('c',))
    """

    best: tuple[str, ...]  # several where means are the same
    mean: float  # theirs
    systems: int  # of how many they are the best
    alike: tuple[str, ...]  # the others that do not differ significantly from the first

    @classmethod
    def of(cls, systems: Sequence[str], means: Sequence[float], top_group: Sequence[str] = ()) -> Leaders:
        """Of systems, the best first; `top_group` holds the first and those that do not differ from it."""
        first = float(means[0])
        best = tuple(system for system, mean in zip(systems, means, strict=True) if abs(mean - first) <= SAME)
        return cls(best, first, len(systems), tuple(system for system in top_group if system not in best))

    @property
    def tied(self) -> tuple[str, ...]:
        """Those that share the first place with the first."""
        return self.best[1:]
