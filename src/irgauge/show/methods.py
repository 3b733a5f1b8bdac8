"""How a result was found, in words: every fact of a provenance has one way to be said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from irgauge.inference.corrections import any_correction
from irgauge.provenance import Provenance
from irgauge.show import missing, populations
from irgauge.show.words import counted, listed, sentence, some

FREEDOMS: Mapping[str, str] = {
    "satterthwaite": "Satterthwaite's degrees of freedom",
    "n-f": "n − f degrees of freedom",
}
VARIANCES: Mapping[str, str] = {
    "own": "variances of each algorithm by its mean squares, and intervals by t of each part (Banerjee 1960)",
    "common": "variances common to all algorithms by REML, as in the paper",
}
FILLS: Mapping[str, str] = {
    "drop": "topics with undefined scores left out",
    "redraw": "splits drawn again until no score is undefined",
}
_SILENT = frozenset(
    {
        "study",
        "split",
        "documents",
        "systems",
        "systems_given",
        "topics",
        "keep_systems",
        "keep_by",
        "shard_count",
        "undefined",
        "undefined_share",
        "complete_topics",
        "parts",
        "drawn",
        "swaps",
        "beside",
    }
)


# facts of how runs were read: not under every chart
READING = ("order", "precision", "topic_rule", "depth", "identical_ids", "headers", "corpus_size", "documents")


def said(provenance: Provenance) -> str:
    """All facts in one line, ready for a caption; empty for none.

    >>> said(Provenance({"test": "paired t-test", "alpha": 0.05, "population": "topics", "topics": 50, "systems": 3}))
    'paired t-test; α = 0.05; population: topics (other topics, these documents); 3 systems × 50 topics'
    """
    return "; ".join(filter(None, _facts(provenance)))


def sentence_of(provenance: Provenance) -> str:
    """The facts under a chart or a table; empty for none."""
    text = said(provenance.without(*READING))
    return sentence(text) if text else ""


def _facts(provenance: Provenance) -> Iterator[str]:
    for name, fact in provenance.items():
        if name in _SAYS:
            yield _SAYS[name](fact, provenance)
        elif name not in _SILENT:
            yield f"{name.replace('_', ' ')}: {_plain(fact)}"
    if size := _size(provenance):
        yield size
    others: Any = provenance.get("beside", ())  # what other claims of the same result differ in
    yield from (f"beside it: {said(other)}" for other in others)


def _plain(fact: Any) -> str:  # noqa: ANN401  # any fact
    if isinstance(fact, float):
        return f"{fact:g}"
    return ", ".join(map(str, fact)) if isinstance(fact, list | tuple) else str(fact)


def _size(facts: Provenance) -> str:
    """How many systems, topics and shards."""
    systems, topics, shards = (facts.get(name) for name in ("systems", "topics", "shard_count"))
    parts = [
        counted(systems, "system") + _kept(facts) if isinstance(systems, int) else "",
        counted(topics, "topic") if isinstance(topics, int) else _span(topics),
        counted(shards, "shard") if isinstance(shards, int) else "",
    ]
    return " × ".join(filter(None, parts))


def _span(topics: object) -> str:
    """How many topics some splits have, from the fewest to the most."""
    return f"{topics[0]:,} to {topics[1]:,} topics" if isinstance(topics, tuple) else ""


def _kept(facts: Provenance) -> str:
    """Which systems were kept; nothing where all were."""
    if facts.get("keep_systems", "all") == "all":
        return ""
    by = facts.get("keep_by")
    return f" (kept: {facts['keep_systems']})" if by is None else f" (the best of {facts['systems_given']} by {by})"


def _fill(fill: str, facts: Provenance) -> str:
    undefined = facts.get("undefined")
    if fill in FILLS:
        return FILLS[fill]
    if undefined == 0:
        return "no undefined scores"
    shares: Any = facts.get("undefined_share")
    share = "" if shares is None or undefined is None else f" ({_shares(shares.values())})"
    return f"{'' if undefined is None else f'{undefined:,} '}undefined scores{share} filled with {fill}"


def _order(order: str, facts: Provenance) -> str:
    return f"order: {order}, scores in {facts['precision']} precision" if "precision" in facts else f"order: {order}"


def _draws(draws: int, facts: Provenance) -> str:
    of = {"residuals": " of residuals", "topics": " of residuals and topics"}.get(str(facts.get("drawn")), "")
    return f"{counted(draws, 'draw')}{of}"


def _splits(splits: int, facts: Provenance) -> str:
    parts: Any = facts.get("parts")
    many = parts if isinstance(parts, int) else listed(list(map(str, parts)))
    each = "" if isinstance(parts, int) or len(parts) == 1 else " each"
    if "replicates" in facts:  # of a table
        return f"one split into the {many} parts that are given"
    return f"{counted(splits, 'random split')} of the documents{each} into {many} parts"


def _aggregate(name: str, _: Provenance) -> str:
    from irgauge.inference.aggregation import RULES

    rule = RULES[name]
    return f"rule '{name}' ({rule.explanation}; {rule.reference})"


def _shards(shards: str | Sequence[str], facts: Provenance) -> str:
    """One way to split, or several."""
    named = shards if isinstance(shards, str) else listed(list(shards))
    return f"shards {named}, split {facts['split']}" if facts.get("split") else f"shards {named}"


def _corpus(size: int, facts: Provenance) -> str:
    seen = facts.get("documents")
    return f"corpus of {size:,} documents" + (
        f", {seen:,} of them in runs and qrels" if seen not in (None, size) else ""
    )


def _topic_rule(fact: Mapping[str, Any], _: Provenance) -> str:
    """What becomes of topics without a relevant document; nothing where there are none."""
    done = {"relevant": "left out", "judged": "scoring 0, as in trec_eval"}[fact["rule"]]
    count = fact["without_relevant"]
    return f"{counted(count, 'judged topic')} without a relevant document {done}" if count else ""


_DRAWN = {"documents": "documents", "topics": "topics", "both": "documents and topics"}


def _draw(draw: str, _: Provenance) -> str:
    return f"each draws as many {_DRAWN[draw]} as there are, with replacement"


def _left_out(count: Mapping[str, int], _: Provenance) -> str:
    parts = f"each of {count['parts']} random parts of the documents"
    return f"standard errors by leaving out {parts}, in {count['splits']} splits"


def _undefined_topics(choice: str, facts: Provenance) -> str:
    """What becomes of topics without relevant documents, and how many there are."""
    where = "in a pool or an image" if "depths" in facts else "" if facts.get("draw") == "topics" else "in an image"
    done = {"zero": "scores 0", "skip": "is left out of it"}[choice]
    shares: Any = facts.get("undefined_share")
    share = "" if shares is None else f" ({_shares(shares.values())} of topics and images)"
    return " ".join(filter(None, ("a topic without relevant documents", where, done))) + share


def _shares(shares: Collection[float]) -> str:
    """Of each measure, from the least to the most."""
    least, most = min(shares), max(shares)
    return f"{100 * least:.2g} %" if least == most else f"by measure {100 * least:.2g} to {100 * most:.2g} %"


def _depths(depths: Sequence[int], _: Provenance) -> str:
    return f"judged: the top {listed(list(map(str, depths)))} of either run, and all judgments"


def _falls_to(share: float, facts: Provenance) -> str:
    return (
        "more confidence: in most images p is lower than with all judgments, its median at most "
        f"{share:g} times theirs, and t rises as much in a share of at most α of {facts['swaps']} random swaps of the "
        "two runs by topic (less confidence: the reverse)"
    )


def _posterior(drawn: Mapping[str, Any], _: Provenance) -> str:
    chains = f"{drawn['chains']} chains × {drawn['draws']:,} draws"
    return f"posterior by Gibbs sampling, {chains}, prior of standard deviations: {drawn['prior']}"


def _margins(margins: Mapping[str, Mapping[str, Any]], _: Provenance) -> str:
    """The margin of each measure."""
    told = [_margin(measure, one) for measure, one in margins.items()]
    return f"margin {told[0]}" if len(told) == 1 else f"margins: {listed(told)}"


def _margin(measure: str, margin: Mapping[str, Any]) -> str:
    amount = f"{margin['amount']:.3g}"
    share = f", {margin['given']} of the baseline's mean" if margin["is_share"] else ""
    return f"{amount} ({measure}{share})"


def _usual(test: str, _: Provenance) -> str:
    """Why the test was taken, where none was named."""
    from irgauge.inference.tests.registry import TESTS

    return f"the test is the default: {TESTS[test].usual}"


def _instances(counts: Mapping[str, int], _: Provenance) -> str:
    """How many instances each algorithm has."""
    each = sorted(set(counts.values()))
    ends = f"{each[0]} each" if len(each) == 1 else f"{each[0]} to {each[-1]} each"
    return f"{counted(sum(counts.values()), 'instance')} of {counted(len(counts), 'algorithm')} ({ends})"


def _errors(against: Mapping[str, str], _: Provenance) -> str:
    """What each term is tested against; what most are is said once."""
    terms: dict[str, list[str]] = {}
    for term, error in against.items():
        terms.setdefault(error, []).append(term)
    if len(terms) == 1:
        return f"error: {next(iter(terms))}"
    first, *others = sorted(terms, key=lambda error: -len(terms[error]))
    told = [f"{error} for {listed(terms[error])}" for error in others]
    return f"error: {', '.join(told)}, else {first}"


def _text(pattern: str) -> Callable[[Any, Provenance], str]:
    return lambda fact, _: pattern.format(fact)


def _joined(facts: Sequence[str], _: Provenance) -> str:
    return listed(list(facts))


# the facts of every provenance, each with the one way in which it is said
_SAYS: Mapping[str, Callable[[Any, Provenance], str]] = {
    "method": _text("{}"),
    "test": _text("{}"),
    "error": _errors,
    "family": _text("family: {}"),
    "correction": lambda name, _: any_correction(name).title,
    "p": _text("p {}"),
    "sides": lambda sides, _: "one-sided p" if sides == 1 else "two-sided p",
    "draws": _draws,
    "trials": lambda n, _: f"{counted(n, 'experiment')} of each kind",
    "splits": _splits,
    "interactions": lambda has, _: f"{'with' if has else 'without'} interactions of system and topic",
    "aggregate": _aggregate,
    "redraws": lambda n, _: f"{counted(n, 'redraw')} needed",
    "alpha": _text("α = {:g}"),
    "population": lambda name, _: f"population: {populations.said(name)}",
    "model": _text("model {}"),
    "formula": _text("random effects in brackets: {}"),
    "variances": lambda name, _: VARIANCES[name],
    "df": lambda name, _: FREEDOMS.get(name, name),
    "margin": _text("margin {:g}"),
    "margins": _margins,
    "usual": _usual,
    "posterior": _posterior,
    "instances": _instances,
    "missing_cells": lambda cells, _: counted(cells, "missing cell"),
    "models": lambda models, _: f"models {listed(list(models))}" if len(models) > 1 else f"model {models[0]}",
    "measures": _joined,
    "collections": lambda names, _: f"{counted(len(names), 'collection')} ({some(list(names))})",
    "shards": _shards,
    "resamples": lambda n, _: f"{counted(n, 'random split')} into each number of shards",
    "seed": _text("seed {}"),
    "fill": _fill,
    "own_topics": lambda *_: "each mean over the topics that the run answers, as trec_eval without -c",
    "dropped": lambda topics, _: f"{counted(len(topics), 'topic')} left out ({some(list(topics))})",
    "missing": lambda fact, _: missing.said(fact),
    "source": _text("{}"),
    "files": lambda names, _: f"read from {some(list(names))}",
    "replicates": lambda n, _: counted(n, "replicate"),
    "order": _order,
    "precision": lambda *_: "",
    "topic_rule": _topic_rule,
    "depth": _text("only the first {:,} documents of each list"),
    "identical_ids": lambda n, _: f"{counted(n, 'document')} with the id of their topic left out, as in BEIR",
    "headers": lambda of, _: f"{counted(len(of), 'run')} with a header of ir_metadata",
    "corpus_size": _corpus,
    "images": lambda images, _: counted(images, "image"),
    "draw": _draw,
    "left_out": _left_out,
    "undefined_topics": _undefined_topics,
    "depths": _depths,
    "falls_to": _falls_to,
    "version": _text("irgauge {}"),
}
