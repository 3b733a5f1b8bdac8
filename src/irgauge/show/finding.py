"""Findings: what a result says, kept as data (a kind and its fields) until a sentence is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Literal, ParamSpec

from irgauge.inference.assertions import PLACES, Assertion, Kind, Place
from irgauge.nouns import NONE, Nouns
from irgauge.show.hints import in_html
from irgauge.visible import visible

P = ParamSpec("P")
Tone = Literal["finding", "note", "warning", "error"]


@dataclass(frozen=True)
class Sentence:
    """What is known of a kind of finding before there is one."""

    kind: str
    tone: Tone
    claims: tuple[Kind, ...] | None  # what it may claim beyond the data; None where that is not said


@dataclass(frozen=True)
class Finding:
    """One thing that a result says: its kind, its numbers and names, what it covers."""

    kind: str
    fields: Mapping[str, Any]
    say: Callable[..., str] = field(repr=False, compare=False)
    population: str | None = None  # what the claim covers; None where it claims nothing beyond the data
    measure: str | None = None  # None: of all measures
    tone: Tone = "finding"
    place: Place | None = None  # in the hierarchy of claims; None where it belongs to none
    claims: tuple[Assertion, ...] = ()  # what it claims beyond the data, so that it may be false
    nouns: Nouns = field(default=NONE, repr=False, compare=False)  # what people read for topics and shards

    @property
    def text(self) -> str:
        """A sentence that can be quoted."""
        return self.nouns.said(self.say(**self.fields))

    def about(self, *, population: str | None = None, measure: str | None = None) -> Finding:
        """The finding with what it covers and the measure that it is of."""
        return replace(self, population=population or self.population, measure=measure or self.measure)

    def claiming(self, claims: Iterable[Assertion], place: Place | None = None) -> Finding:
        """The finding with what it claims; its place is the lowest of its claims and of the one given."""
        own = tuple(claims)
        declared: Sentence | None = getattr(self.say, "sentence", None)
        for claim in own:
            if declared is not None and declared.claims is not None and claim.kind not in declared.claims:
                raise ValueError(f"the finding {self.kind} claims a {claim.kind}; its sentence declares none")
        places = [claim.place for claim in own] + ([] if place is None else [place])
        return replace(self, claims=own, place=max(places, key=PLACES.index, default=None))

    def to_dict(self) -> dict[str, object]:
        """As an object: the fields and the sentence."""
        head = {"kind": self.kind, "tone": self.tone, "measure": self.measure, "population": self.population}
        claims = [claim.to_dict() for claim in self.claims]
        return head | {
            "place": self.place,
            "text": self.say(**self.fields),
            "fields": dict(self.fields),
            "claims": claims,
        }

    def __reduce__(self) -> str | tuple[Any, ...]:
        """For another process: the kind is found by the name of the function that makes it."""
        make = getattr(self.say, "make", None)
        others = {name: value for name, value in vars(self).items() if name not in ("kind", "fields", "say")}
        return super().__reduce__() if make is None else (_made, (make, dict(self.fields), others))

    def __str__(self) -> str:
        return self.text


def _made(make: Callable[..., Finding], fields: Mapping[str, Any], others: Mapping[str, Any]) -> Finding:
    return replace(make(**fields), **others)


def sentence(
    kind: str, tone: Tone = "finding", *, claims: tuple[Kind, ...] | None = None
) -> Callable[[Callable[P, str]], Callable[P, Finding]]:
    """Make a kind of finding of a function that writes its sentence: called with its fields, it is the finding.

    `claims` are the kinds of what it may claim beyond the data, none where it only describes them.

    >>> @sentence("greeting")
    ... def greeting(*, name: str) -> str:
    ...     return f"Hello {name}."
    >>> greeting(name="you").kind, str(greeting(name="you"))
    ('greeting', 'Hello you.')
    """

    def kind_of(say: Callable[P, str]) -> Callable[P, Finding]:
        @wraps(say)
        def make(*args: P.args, **fields: P.kwargs) -> Finding:
            if args:
                raise TypeError(f"the fields of a finding are named; {kind} was given {len(args)} without a name")
            return Finding(kind, fields, say, tone=tone)

        vars(make)["sentence"] = vars(say)["sentence"] = Sentence(kind, tone, claims)
        vars(say)["make"] = make
        return make

    return kind_of


@sentence("remark", tone="note")
def remark(*, text: str) -> str:
    """A sentence without numbers of its own."""
    return text


def remarks(texts: Iterable[str]) -> list[Finding]:
    """Sentences as findings."""
    return [remark(text=text) for text in texts]


class Findings(tuple[Finding, ...]):
    """What a result says, the answer first."""

    __slots__ = ()

    def __new__(cls, findings: Iterable[Finding] = ()) -> Findings:
        """The findings in their order."""
        return super().__new__(cls, tuple(findings))

    def of(self, kind: str) -> Findings:
        """Those of one kind."""
        return Findings(finding for finding in self if finding.kind == kind)

    def texts(self) -> list[str]:
        """Their sentences."""
        return [finding.text for finding in self]

    def __repr__(self) -> str:
        return "\n".join(f"- {visible(text)}" for text in self.texts())

    def _repr_html_(self) -> str:
        return "<ul>" + "".join(f"<li>{in_html(text)}</li>" for text in self.texts()) + "</ul>"
