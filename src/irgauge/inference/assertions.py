"""What a finding claims, as data: false claims are counted by code wherever the truth is known, not by reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from irgauge.scoring.direction import HIGHER, Direction, sign_of

Place = Literal["primary", "secondary", "exploratory"]  # of a claim in the hierarchy of a page
Kind = Literal["difference", "equivalence", "effect", "trust", "interval", "forecast"]
PLACES: tuple[Place, ...] = ("primary", "secondary", "exploratory")
KINDS: Mapping[Kind, str] = {  # of what sentences claim beyond the data
    "difference": "a system is better than another one",
    "equivalence": "a system is not worse, not better, or neither, by the margin or more",
    "effect": "a factor or an interaction makes scores vary",
    "trust": "a measure or a test can, or cannot, be trusted",
    "interval": "an interval holds the truth",
    "forecast": "what another experiment would show",
}
_KINDS: Mapping[str, Kind] = {
    "better": "difference",
    "worse": "difference",
    "equivalent": "equivalence",
    "not worse": "equivalence",
    "not better": "equivalence",
}
_FALSE: Mapping[str, Callable[[float, float], bool]] = {  # whether a true gain d denies it, at a margin m
    "better": lambda d, _: d <= 0,
    "worse": lambda d, _: d >= 0,
    "equivalent": lambda d, m: abs(d) >= m,
    "not worse": lambda d, m: d <= -m,
    "not better": lambda d, m: d >= m,
}
_USUAL = ("direction", HIGHER)


@dataclass(frozen=True)
class Assertion:
    """The same claim of some pairs of systems, of some terms of a model, or of a measure.

    That some systems differ, where it is not said which, is a difference of the term system.
    """

    kind: Kind
    verdict: str  # on the first system of each pair; what is said of terms, or of trust in a measure
    pairs: tuple[tuple[str, str], ...] = ()
    terms: tuple[str, ...] = ()
    measure: str | None = None
    population: str | None = None
    margin: float | None = None
    place: Place = "primary"
    direction: Direction = HIGHER  # which scores of the measure are better

    def false_pairs(self, truth: Mapping[str, float]) -> tuple[tuple[str, str], ...]:
        """The pairs of which it is false, by the true mean of each system.

        >>> Assertion("difference", "better", (("a", "b"), ("b", "c"))).false_pairs({"a": 0.5, "b": 0.4, "c": 0.4})
        (('b', 'c'),)
        """
        is_false, margin, sign = _FALSE[self.verdict], self.margin or 0.0, sign_of(self.direction)
        return tuple(pair for pair in self.pairs if is_false(sign * (truth[pair[0]] - truth[pair[1]]), margin))

    def is_false(self, truth: Mapping[str, float], *, without: frozenset[str] = frozenset()) -> bool:
        """Whether anything of it is false; `without` are the terms that do not matter in truth."""
        return bool(self.false_pairs(truth)) if self.pairs else bool(without & set(self.terms))

    def to_dict(self) -> dict[str, object]:
        """As an object, without what does not apply; where no direction stands, higher scores are better."""
        own = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}
        return {name: value for name, value in own.items() if value not in (None, []) and (name, value) != _USUAL}


def verdict_kind(verdict: str) -> Kind | None:
    """What kind of claim a verdict is; None for one that claims nothing.

    >>> verdict_kind("not worse"), verdict_kind("inconclusive")
    ('equivalence', None)
    """
    return _KINDS.get(verdict)


def of_verdicts(
    verdicts: Iterable[tuple[tuple[str, str], str]],
    *,
    measure: str | None,
    population: str,
    margin: float | None,
    place: Place = "primary",
    direction: Direction = HIGHER,
) -> Iterator[Assertion]:
    """What verdicts on pairs claim; without a margin, "equivalent" is of systems with the same scores: no claim.

    >>> pairs = [(("a", "b"), "better"), (("a", "c"), "better"), (("a", "d"), "inconclusive")]
    >>> [claim.pairs for claim in of_verdicts(pairs, measure="AP", population="topics", margin=None)]
    [(('a', 'b'), ('a', 'c'))]
    """
    by_verdict: dict[str, list[tuple[str, str]]] = {}
    for pair, verdict in verdicts:
        by_verdict.setdefault(verdict, []).append(pair)
    for verdict, pairs in by_verdict.items():
        kind = verdict_kind(verdict)
        if kind == "difference" or (kind is not None and margin is not None):
            own = margin if kind == "equivalence" else None
            yield Assertion(kind, verdict, tuple(pairs), (), measure, population, own, place, direction)


def somewhere(pairs: float, *, measure: str, population: str) -> Iterator[Assertion]:
    """That some systems differ, where it is not said which."""
    if pairs:
        yield Assertion("difference", "some differ", (), ("system",), measure, population, None)
