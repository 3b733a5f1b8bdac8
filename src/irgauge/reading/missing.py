"""Missing topics: judged topics that a run does not answer, and what is done about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Bools
from irgauge.errors import InputError

MissingRule = Literal["zero", "drop", "fail"]
OWN = "own"  # what else can become of them: they do not count in the mean of the run
RULES: Mapping[str, str] = {
    "zero": "they score 0 there, as with trec_eval -c",
    "drop": "they are left out for all systems",
    "fail": "they are an error",
}
_NAMED = 10  # topics of a run in an error
_WORST = 3  # runs in an error


@dataclass(frozen=True)
class MissingTopics:
    """The judged topics that each run does not answer, and what was done about them.

    >>> found = MissingTopics({"a": ("q1", "q2"), "b": ("q2",)}, of=50)
    >>> found.counts, found.topics, found.only(["b"]).topics
    ({'a': 2, 'b': 1}, ('q1', 'q2'), ('q2',))
    """

    topics_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # system -> what it lacks; others lack none
    of: int = 0  # judged topics, before any is left out
    rule: MissingRule = "zero"
    is_own: bool = False  # whether means are over the topics that each run answers

    @classmethod
    def among(cls, topics: Sequence[str], systems: Sequence[str], lacks: Bools) -> MissingTopics:
        """Where lacks[topic, system]."""
        lacking = {system: np.flatnonzero(lacks[:, s]).tolist() for s, system in enumerate(systems)}
        named = {system: tuple(topics[t] for t in places) for system, places in lacking.items() if places}
        return cls(named, of=len(topics))

    def told(self) -> Iterator[tuple[str, str]]:
        """What is to be noted of each system that lacks topics."""
        done = "left out for all systems" if self.rule == "drop" else "scored 0"
        for system, topics in self.topics_of.items():
            yield system, f"{counted_topics(topics)} not in the run, {done}"

    @property
    def counts(self) -> dict[str, int]:
        """System -> how many topics it lacks."""
        return {system: len(topics) for system, topics in self.topics_of.items()}

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that some system lacks."""
        return tuple(dict.fromkeys(topic for topics in self.topics_of.values() for topic in topics))

    @property
    def fact(self) -> dict[str, Any] | None:
        """What a provenance holds; None where nothing is missing."""
        if not self.topics_of:
            return None
        return {"rule": self.done, "topics": len(self.topics), "of": self.of, "systems": self.counts}

    def answered(self, topics: Sequence[str], systems: Sequence[str]) -> Bools:
        """answered[topic, system]: whether a system answers a topic.

        >>> MissingTopics({"a": ("q1",)}, of=2).answered(["q1", "q2"], ["a", "b"]).tolist()
        [[False, True], [True, True]]
        """
        lacking = [set(self.topics_of.get(system, ())) for system in systems]
        return np.array([[topic not in of for of in lacking] for topic in topics])

    def only(self, systems: Iterable[str]) -> MissingTopics:
        """What is to be said of some systems; topics that are left out are so for them too, whoever lacks them."""
        if self.rule == "drop":
            return self
        kept = set(systems)
        return replace(self, topics_of={name: topics for name, topics in self.topics_of.items() if name in kept})

    @property
    def is_nothing_left(self) -> bool:
        """Whether every topic is to be left out."""
        return self.rule == "drop" and len(self.topics) == self.of > 0

    @property
    def is_refused(self) -> bool:
        """Whether runs cannot be used as they are."""
        return self.is_nothing_left or (self.rule == "fail" and bool(self.topics_of))

    @property
    def done(self) -> str:
        """What became of these topics: by the rule, or `own`."""
        return OWN if self.is_own and self.rule == "zero" else self.rule

    def under(self, rule: MissingRule) -> MissingTopics:
        """The same under a rule, which must be possible."""
        missing = replace(self, rule=rule)
        if missing.is_refused:
            raise missing._none_left() if missing.is_nothing_left else missing._refused()
        return missing

    def _refused(self) -> InputError:
        """The error of runs that must answer all topics, and do not."""
        runs = "1 run does" if len(self.topics_of) == 1 else f"{len(self.topics_of)} runs do"
        lines = [f"  {system}: {counted_topics(topics, _NAMED)}" for system, topics in self.topics_of.items()]
        advice = "complete the runs, or let missing topics score 0 ('zero') or be left out for all systems ('drop')"
        return InputError("\n".join([f"{runs} not answer all of the {self.of} judged topics:", *lines, advice]))

    def _none_left(self) -> InputError:
        """The error of runs that have no topic in common."""
        worst = sorted(self.counts.items(), key=lambda item: -item[1])[:_WORST]
        named = ", ".join(f"{system} ({count})" for system, count in worst)
        return InputError(
            f"no topic is left: each of the {self.of} judged topics is missing from some run, most from {named}; "
            "leave such runs out, or let missing topics score 0 ('zero')"
        )


def rule_of(name: str | None, usual: MissingRule = "zero") -> MissingRule:
    """The rule of that name; the usual one, if none is named.

    A run that does not answer a topic retrieved nothing for it, and 0 is what that is worth. A table of scores says
    nothing of a score that it lacks, on whatever scale: it is refused, unless it is said what becomes of it.
    """
    return usual if name is None else known(name, get_args(MissingRule), "rule for missing topics", error=InputError)


def counted_topics(names: Sequence[str], most: int = 5) -> str:
    """`3 topics (401, 402, 403)`, cut after some names.

    >>> counted_topics(["401"]), counted_topics(["401", "402", "403"], 2)
    ('1 topic (401)', '3 topics (401, 402, ...)')
    """
    shown = ", ".join(names[:most]) + (", ..." if len(names) > most else "")
    return f"{len(names)} topic{'s' * (len(names) != 1)} ({shown})"
