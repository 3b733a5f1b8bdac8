"""What fewer judgments do to comparisons, in sentences that can be quoted; and how it was found out."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.present.sentences import counted, listed
from irgauge.reading.ordering import TIE_RULE
from irgauge.studies.pools import ALL, FALLS_TO, PairPools, Pools

GAINS, LOSES, SAME = "more confidence", "less confidence", "about as much"
METHOD = "paired t-test over topics in images of the corpus, with the judgments of the two runs' top documents only"
POPULATION = (
    "a p-value is about other topics; its spread over images is about these topics, other documents of the kind"
)
DEFINITION = (
    f"{GAINS}: in most images p is lower than with all judgments, and its median at most {FALLS_TO:g} times theirs "
    f"({LOSES}: the reverse)"
)


def setting(result: Pools) -> tuple[str, ...]:
    """How the numbers came about."""
    return (
        f"two-sided {METHOD}",
        f"α = {result.alpha:g}",
        f"{counted(result.images, 'image')}, each of {result.corpus_size:,} documents drawn with replacement, "
        f"{result.documents:,} of them seen in runs and qrels; seed {result.seed}",
        counted(len(result.topics), "topic"),
        f"population: {POPULATION}",
        "a topic without relevant documents in a pool or an image scores 0 for both runs",
        f"order: {TIE_RULE}, scores in {result.precision} precision; a topic missing from a run scores 0",
        DEFINITION,
    )


def pool_name(pool: str) -> str:
    """A pool in a sentence."""
    return "all judgments" if pool == ALL else f"pools of depth {pool}"


def p_value(p: float) -> str:
    """A p-value to two digits."""
    return f"{p:.2g}"


def findings(result: Pools) -> list[str]:
    """Where measures gain confidence as judgments shrink, one sentence or two for each; then what is claimed."""
    told = _of_pair if len(result.pairs) == 1 else _of_pairs
    return [*(told(result, m) for m in range(len(result.measures))), f"{_how(result)}; {POPULATION}."]


def _how(result: Pools) -> str:
    if len(result.pairs) == 1:
        what = f"the difference {result.pairs[0].first} − {result.pairs[0].second}"
    else:
        what = f"the differences of {counted(len(result.pairs), 'pair')} of runs"
    topics, images = counted(len(result.topics), "topic"), counted(result.images, "image")
    return f"Paired t-tests of {what} on {topics}, in {images} of the corpus (seed {result.seed})"


def _of_pair(result: Pools, m: int) -> str:
    """What is to be said of a measure, of one pair."""
    pair = result.pairs[0]
    said = _gain(result, pair, m) if pair.gains[m].any() else _no_gain(result, pair, m)
    return " ".join([said, *_on_the_root(result, pair, m), *_turned(result, pair, m)])


def _gain(result: Pools, pair: PairPools, m: int) -> str:
    measure, medians = result.measures[m], pair.median_p[m]
    gaining = [pool for pool in range(len(result.pools) - 1) if pair.gains[m, pool]]
    first, *others = (
        f"in {round(result.images * pair.lower[m, pool])} of {counted(result.images, 'image')} "
        f"(median {p_value(medians[pool])}"
        for pool in gaining
    )
    parts = [
        f"With {pool_name(result.pools[gaining[0]])}, {measure}'s p-value is lower than with all judgments {first} "
        f"against {p_value(medians[-1])})",
        *(f"with depth {result.pools[pool]} {text})" for pool, text in zip(gaining[1:], others, strict=True)),
    ]
    return f"{listed(parts)}: fewer judgments, more confidence; do not trust {measure} on shallow pools here."


def _no_gain(result: Pools, pair: PairPools, m: int) -> str:
    measure, medians = result.measures[m], [p_value(median) for median in pair.median_p[m]]
    depths = listed(list(result.pools[:-1]))
    with_pools = f"{listed(medians[:-1])} with pools of depth {depths}"
    losing = [result.pools[pool] for pool in range(len(result.pools) - 1) if pair.loses[m, pool]]
    less = f" (less confidence with depth {listed(losing)}, as it should be)" if losing else ""
    clearly = "clearly " if (pair.lower[m] > 0.5).any() else ""
    return (
        f"{measure} does not {clearly}gain confidence as judgments shrink: its median p-value is {with_pools}, "
        f"against {medians[-1]} with all judgments{less}."
    )


def _on_the_root(result: Pools, pair: PairPools, m: int) -> Iterator[str]:
    """Whether a pool makes a difference of none on the data as they are."""
    p, alpha = pair.root_p[m], result.alpha
    only = [pool for pool in range(len(result.pools) - 1) if p[pool] <= alpha < p[-1]]
    if only:
        depths, values = listed([result.pools[pool] for pool in only]), listed([p_value(p[pool]) for pool in only])
        yield (
            f"On the collection as it is the runs differ in {result.measures[m]} with pools of depth {depths} "
            f"(p {values}), and do not with all judgments (p {p_value(p[-1])})."
        )


def _turned(result: Pools, pair: PairPools, m: int) -> Iterator[str]:
    """Whether a pool favours the other run."""
    turned = [result.pools[pool] for pool in range(len(result.pools) - 1) if pair.turns[m, pool]]
    if turned:
        yield f"With depth {listed(turned)} the median difference even favours the other run."


def _of_pairs(result: Pools, m: int) -> str:
    """What is to be said of a measure, of many pairs."""
    measure, of_pairs = result.measures[m], f"of {counted(len(result.pairs), 'pair')}"
    gains, loses = (count[m, :-1].tolist() for count in (result.gains(), result.loses()))
    pools = f"pools of depth {listed(list(result.pools[:-1]))}"
    less = f"{listed(list(map(str, loses)))} lose" if any(loses) else "none loses"
    if not any(gains):
        return f"{measure} gains confidence as judgments shrink in none {of_pairs}, with {pools}; {less} confidence."
    share = f"{listed(list(map(str, gains)))} {of_pairs} with {pools}; {less} confidence"
    only = result.only_shallow()[m].tolist()
    return (
        f"{measure} gains confidence as judgments shrink in {share}. {_shallow_only(result, only)} {_worst(result, m)}"
    )


def _shallow_only(result: Pools, only: list[int]) -> str:
    most = max(range(len(only)), key=only.__getitem__)
    if not only[most]:
        return "On the collection as it is no pair differs with a pool that does not differ with all judgments."
    pairs = "1 pair differs" if only[most] == 1 else f"{only[most]} pairs differ"
    return f"On the collection as it is {pairs} with {pool_name(result.pools[most])} and not with all judgments."


def _worst(result: Pools, m: int) -> str:
    pair, pool = result.worst(m)[0]
    with_pool = f"median p {p_value(pair.median_p[m, pool])} with {pool_name(result.pools[pool])}"
    return f"The worst is {pair.first} − {pair.second}: {with_pool}, against {p_value(pair.median_p[m, -1])} with all."
