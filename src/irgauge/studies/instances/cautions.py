"""What a careful reader should know of a comparison of algorithms before quoting it: warnings and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, listed
from irgauge.studies.instances.study import AlgorithmsCompared

_UNLIKE = 1.5  # times another standard error: so far may that of a pair alone be from that of the model of all


def cautions(result: AlgorithmsCompared) -> Iterator[Finding]:
    """Warnings, then notes."""
    yield from _of_the_fit(result)
    yield from _of_the_scores(result)
    yield from _of_the_model(result)
    yield from _of_the_variances(result)
    tested = {(one.first, one.second) for one in result.singles}
    if untested := sum(tuple(pair) not in tested for pair in result.pairs):
        yield untested_pairs(pairs=untested)
    single = result.scores.deterministic
    if single and len(single) < len(result.scores.algorithms):
        yield deterministic(algorithms=single, is_pooled=result.model in ("nested", "repeated"))


# the fit


def _of_the_fit(result: AlgorithmsCompared) -> Iterator[Finding]:
    if not result.fit.convergence.converged:
        yield not_converged()
    elif result.fit.is_singular:
        yield singular(components=[one.name for one in result.fit.components[:-1] if one.variance == 0])


@sentence("not-converged", "warning")
def not_converged() -> str:
    """The fit cannot be relied on."""
    return "The search for the variance components did not converge; do not rely on the fit."


@sentence("singular", "warning")
def singular(*, components: Sequence[str]) -> str:
    """Some variances are 0."""
    names = " and ".join(f"'{name}'" for name in components)
    return (
        f"Singular fit: the variance of {names} is estimated as 0. The data show no such effect, or are too few to "
        "separate it from the others; the fit is that of the model without it."
    )


# the scores


def _of_the_scores(result: AlgorithmsCompared) -> Iterator[Finding]:
    scores = result.scores
    if scores.unchanging:
        yield unchanging(algorithms=scores.unchanging)
    if scores.missing:
        yield missing_cells(missing=scores.missing, cells=len(scores.instances) * len(scores.topics))


@sentence("unchanging", "warning")
def unchanging(*, algorithms: Sequence[str]) -> str:
    """Instances that are all the same."""
    return f"The instances of {listed(algorithms)} never differ on a topic; did the seed take effect?"


@sentence("missing-cells", "warning")
def missing_cells(*, missing: int, cells: int) -> str:
    """Instances without scores on some topics."""
    verb = "is" if missing == 1 else "are"
    return f"Of {cells:,} cells (instance, topic), {missing:,} {verb} missing; the rest is fitted as it is."


@sentence("untested", "warning")
def untested_pairs(*, pairs: int) -> str:
    """Pairs of which no single instances can be tested."""
    return f"Of {counted(pairs, 'pair')} no single instances could be tested: they have no two topics in common."


@sentence("deterministic", "note")
def deterministic(*, algorithms: Sequence[str], is_pooled: bool) -> str:
    """Algorithms with one instance."""
    is_one = len(algorithms) == 1
    since, are, whom = ("it has one instance", "is", "it") if is_one else ("they have one instance each", "are", "them")
    wide = f"; with the residual of the others, intervals against {whom} are too wide rather than too narrow"
    return f"Since {since}, {listed(algorithms)} {are} taken as deterministic{wide if is_pooled else ''}."


# the model


def _of_the_model(result: AlgorithmsCompared) -> Iterator[Finding]:
    """What a model leaves out of account."""
    if len(result.scores.deterministic) == len(result.scores.algorithms):
        yield one_instance()
    elif result.model == "topic":
        yield taken_as_independent()
    elif result.model in ("repeated", "crossed"):
        yield without_instances(model=result.model)
    if result.df == "n-f":
        yield too_many_degrees()


@sentence("one-instance", "warning")
def one_instance() -> str:
    """No algorithm has several instances."""
    return "Every algorithm has one instance: for a random one the claim does not cover its other instances."


@sentence("independent", "warning")
def taken_as_independent() -> str:
    """The model of topics with several instances."""
    return (
        "The model 'topic' takes scores of one algorithm on one topic as independent, so that its intervals are too "
        "narrow; 'nested' does not."
    )


@sentence("instances-left-out", "warning")
def without_instances(*, model: str) -> str:
    """A model without an effect of instances in a difference."""
    return f"The model '{model}' does not count how much instances differ on all topics alike; 'nested' does."


@sentence("degrees-of-freedom", "warning")
def too_many_degrees() -> str:
    """The degrees of freedom of the paper."""
    return "With n − f degrees of freedom all scores are taken as independent, so that p-values are too small."


def _of_the_variances(result: AlgorithmsCompared) -> Iterator[Finding]:
    """The pair whose standard error by its own model is furthest from that of the model of all."""
    ratios = {
        pair: alone.se / one.se
        for pair, alone, one in zip(result.pairs, result.alone, result.contrasts, strict=True)
        if alone is not None
    }
    pair = max(ratios, key=lambda pair: max(ratios[pair], 1 / ratios[pair]), default=None)
    if pair is not None and not 1 / _UNLIKE < ratios[pair] < _UNLIKE:
        yield unlike_variances(first=pair.first, second=pair.second, ratio=ratios[pair])


@sentence("unlike-variances", "warning")
def unlike_variances(*, first: str, second: str, ratio: float) -> str:
    """One model of all algorithms does not fit each pair."""
    than = "smaller" if ratio < 1 else "larger"
    return (
        "The model has the same variances for all algorithms, and these differ: fitted to "
        f"{first} and {second} alone, the standard error of their difference is {max(ratio, 1 / ratio):.1f} times "
        f"{than}; the table of differences has it for each pair, and a comparison of these two only is by their own "
        "model."
    )
