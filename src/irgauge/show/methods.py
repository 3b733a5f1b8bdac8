"""How a result was found, in words: every fact of a provenance has one way to be said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from irgauge.provenance import Provenance
from irgauge.show import populations
from irgauge.show.words import counted, listed, some

CORRECTIONS: Mapping[str, str] = {
    "none": "no correction",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "bonferroni": "Bonferroni's correction",
    "tukey": "Tukey's correction over all pairs",
    "built in": "corrected for all pairs together",
}
FILLS: Mapping[str, str] = {
    "drop": "topics with undefined scores left out",
    "redraw": "splits drawn again until no score is undefined",
}
_SILENT = frozenset({"study", "split", "documents", "systems", "topics", "keep_systems", "shard_count", "undefined"})


READING = ("order", "precision", "corpus_size", "documents")  # facts of how runs were read: not under every chart


def said(provenance: Provenance) -> str:
    """All facts in one line, ready for a caption; empty for none.

    >>> said(Provenance({"test": "paired t-test", "alpha": 0.05, "population": "topics", "topics": 50, "systems": 3}))
    'paired t-test; α = 0.05; population: topics (other topics, these documents); 3 systems × 50 topics'
    """
    return "; ".join(filter(None, _facts(provenance)))


def _facts(provenance: Provenance) -> Iterator[str]:
    for name, fact in provenance.items():
        if name in _SAYS:
            yield _SAYS[name](fact, provenance)
        elif name not in _SILENT:
            yield f"{name.replace('_', ' ')}: {_plain(fact)}"
    if size := _size(provenance):
        yield size


def _plain(fact: Any) -> str:  # noqa: ANN401  # any fact
    if isinstance(fact, float):
        return f"{fact:g}"
    return ", ".join(map(str, fact)) if isinstance(fact, list | tuple) else str(fact)


def _size(facts: Provenance) -> str:
    """How many systems, topics and shards."""
    systems, topics, shards = (facts.get(name) for name in ("systems", "topics", "shard_count"))
    kept = facts.get("keep_systems", "all")
    parts = [
        counted(systems, "system") + (f" (kept: {kept})" if kept != "all" else "") if isinstance(systems, int) else "",
        counted(topics, "topic") if isinstance(topics, int) else "",
        counted(shards, "shard") if isinstance(shards, int) else "",
    ]
    return " × ".join(filter(None, parts))


def _fill(fill: str, facts: Provenance) -> str:
    undefined = facts.get("undefined")
    if fill in FILLS:
        return FILLS[fill]
    if undefined == 0:
        return "no undefined scores"
    return f"{'' if undefined is None else f'{undefined:,} '}undefined scores filled with {fill}"


def _missing(missing: Mapping[str, int], _: Provenance) -> str:
    named = [f"{system} ({count})" for system, count in missing.items()]
    return f"topics that a run does not answer score 0 there: {some(named)}"


def _order(order: str, facts: Provenance) -> str:
    return f"order: {order}, scores in {facts['precision']} precision" if "precision" in facts else f"order: {order}"


def _draws(draws: int, _: Provenance) -> str:
    return counted(draws, "draw")


def _shards(shards: str, facts: Provenance) -> str:
    return f"shards {shards}, split {facts['split']}" if facts.get("split") else f"shards {shards}"


def _corpus(size: int, facts: Provenance) -> str:
    seen = facts.get("documents")
    return f"corpus of {size:,} documents" + (
        f", {seen:,} of them in runs and qrels" if seen not in (None, size) else ""
    )


def _text(pattern: str) -> Callable[[Any, Provenance], str]:
    return lambda fact, _: pattern.format(fact)


def _joined(facts: Sequence[str], _: Provenance) -> str:
    return listed(list(facts))


# the facts of every provenance, each with the one way in which it is said
_SAYS: Mapping[str, Callable[[Any, Provenance], str]] = {
    "method": _text("{}"),
    "test": _text("{}"),
    "family": _text("family: {}"),
    "correction": lambda name, _: CORRECTIONS.get(name, name),
    "sides": lambda sides, _: "one-sided p" if sides == 1 else "two-sided p",
    "draws": _draws,
    "alpha": _text("α = {:g}"),
    "population": lambda name, _: f"population: {populations.said(name)}",
    "model": _text("model {}"),
    "measures": _joined,
    "shards": _shards,
    "seed": _text("seed {}"),
    "fill": _fill,
    "dropped": lambda topics, _: f"topics left out: {some(list(topics))}",
    "missing": _missing,
    "order": _order,
    "precision": lambda *_: "",
    "corpus_size": _corpus,
    "images": lambda images, _: counted(images, "image"),
    "version": _text("irgauge {}"),
}
