"""What a careful reader should know of a comparison of algorithms before quoting it: warnings and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgauge.inference.instance_tests import Variances
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, listed, p_text
from irgauge.studies.cautions import ENOUGH, direction_guessed, few_topics
from irgauge.studies.instances.further_questions import Kind, Unequal
from irgauge.studies.instances.study import AlgorithmsCompared
from irgauge.studies.sampling_findings import ignored_clusters, sampling_told

_MATTERS = 1.1  # times as wide an interval: from there on the prior decides too
_UNEVEN = 3  # times as many instances of one algorithm as of another
_OF: Mapping[Kind, str] = {
    "instance": "means of instances",
    "residual": "instances on a topic",
    "topic:algorithm": "topics by algorithm",
}


def cautions(result: AlgorithmsCompared) -> Iterator[Finding]:
    """Warnings, then notes."""
    if result.is_guessed:
        yield direction_guessed(measure=result.measure)
    yield from _of_the_fit(result)
    yield from _of_the_scores(result)
    yield from _of_the_model(result)
    yield from _of_the_variances(result)
    yield from sampling_told(result.sampling)
    yield from _of_ignored_clusters(result)
    if len(result.scores.topics) < ENOUGH:
        yield few_topics(topics=len(result.scores.topics))
    tested = {(single.system, single.against) for single in result.singles}
    if untested := sum(tuple(pair) not in tested for pair in result.pairs):
        yield untested_pairs(pairs=untested)
    single = result.scores.deterministic
    if single and len(single) < len(result.scores.algorithms):
        yield deterministic(algorithms=single, is_pooled=result.variances == "common" and result.model != "crossed")


def _of_ignored_clusters(result: AlgorithmsCompared) -> Iterator[Finding]:
    """The first column, by the first pair."""
    for ignored in result.ignored[:1]:
        pair, verdict, other = ignored.changes[0]
        yield ignored_clusters(
            measure=result.measure,
            column=ignored.column,
            clusters=ignored.clusters,
            changes=len(ignored.changes),
            first=(pair.system, pair.against, verdict, other),
        )


# the fit


def _of_the_fit(result: AlgorithmsCompared) -> Iterator[Finding]:
    if result.undrawn is not None:
        yield no_posterior(reason=result.undrawn)
    if not result.fit.convergence.converged:
        yield not_converged()
    elif result.fit.is_singular:
        yield singular(
            components=[component.name for component in result.fit.components[:-1] if component.variance == 0]
        )


@sentence("not-converged", "warning")
def not_converged() -> str:
    """The fit cannot be relied on."""
    return "The search for the variance components did not converge; do not rely on the fit."


@sentence("no-posterior", "note")
def no_posterior(*, reason: str) -> str:
    """The posterior is left out."""
    return f"The posterior is left out: {reason}. Tests and their intervals do not need it."


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
    if scores.members is not None:
        runs = sum(group is not None for group in scores.members.groups)
        yield grouped(runs=runs, groups=len(scores.instances) - (len(scores.members.instances) - runs))
    if scores.unchanging:
        yield unchanging(algorithms=scores.unchanging)
    if scores.missing:
        yield missing_cells(missing=scores.missing, cells=len(scores.instances) * len(scores.topics))


@sentence("grouped", "note")
def grouped(*, runs: int, groups: int) -> str:
    """Instances of groups, whose means are the instances."""
    means = f"The means over {counted(groups, 'group')} of {counted(runs, 'run')} are the instances"
    return f"{means}: runs of a group share what is random too, and claims cover other groups."


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
    elif result.model == "topic" and result.variances == "common":
        yield taken_as_independent()
    elif result.model == "topic":
        yield these_instances()
    elif result.model in ("repeated", "crossed"):
        yield without_instances(model=result.model)
    if result.df == "n-f":
        yield too_many_degrees()


@sentence("one-instance", "warning")
def one_instance() -> str:
    """No algorithm has several instances."""
    return "Every algorithm has one instance: for a random one the claim does not cover its other instances."


@sentence("these-instances", "warning")
def these_instances() -> str:
    """The model of topics with several instances, whose means are compared."""
    return "The model 'topic' compares these instances: the claim does not cover others; 'nested' does."


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


# variances and the prior


def _of_the_variances(result: AlgorithmsCompared) -> Iterator[Finding]:
    if result.unequal is not None:
        yield unequal_variances(unequal=result.unequal, variances=result.variances, has_hpd=result.hpd is not None)
    if result.variances == "own" and result.model == "nested":
        counts = zip(result.scores.algorithms, result.scores.instance_counts.tolist(), strict=True)
        if few := [name for name, count in counts if count == 2]:
            yield two_instances(algorithms=few)
    if result.hpd is not None:
        yield from _of_uneven_counts(result)
    if result.influence is not None and max(result.influence) > _MATTERS:
        widest = max(range(len(result.pairs)), key=result.influence.__getitem__)
        first, second = result.pairs[widest]
        yield prior_matters(first=first, second=second, ratio=result.influence[widest])


def _of_uneven_counts(result: AlgorithmsCompared) -> Iterator[Finding]:
    counts = zip(result.scores.instance_counts.tolist(), result.scores.algorithms, strict=True)
    repeated = sorted(one for one in counts if one[0] > 1)
    if repeated and repeated[-1][0] >= _UNEVEN * repeated[0][0]:
        yield uneven_counts(most=repeated[-1], fewest=repeated[0])


@sentence("uneven-instances", "warning")
def uneven_counts(*, most: tuple[int, str], fewest: tuple[int, str]) -> str:
    """HPD intervals of algorithms with unlike numbers of instances."""
    return (
        f"{most[1]} has {most[0]} instances, {fewest[1]} {fewest[0]}: HPD intervals take their variances as equal, and "
        "where that of fewer instances is larger they hold the truth too seldom (81 % with 10 against 2); rely on the "
        "tests."
    )


@sentence("unequal-variances", "warning")
def unequal_variances(*, unequal: Unequal, variances: Variances, has_hpd: bool) -> str:
    """Algorithms differ in their variances, and which claims allow for it."""
    what = (
        f"The variance of {_OF[unequal.kind]} differs: that of {unequal.larger} is {unequal.ratio:.2g} times that of "
        f"{unequal.smaller} ({p_text(unequal.p_adjusted)})"
    )
    if variances == "common":
        return (
            f"{what}; with common variances tests of noisy algorithms reject too often, those of others too rarely, "
            "and own variances do not."
        )
    others = "HPD intervals and the shares" if has_hpd else "the shares"
    return f"{what}; tests and intervals allow for it, {others} of the variance take it as equal."


@sentence("two-instances", "warning")
def two_instances(*, algorithms: Sequence[str]) -> str:
    """Two instances say little of how much others differ."""
    has = "has" if len(algorithms) == 1 else "have"
    return (
        f"{listed(algorithms)} {has} 2 instances, which say little of how much others differ, so that intervals are "
        "wide; with 3 they would be about half as wide, and 5 or more are advised."
    )


@sentence("prior", "warning")
def prior_matters(*, first: str, second: str, ratio: float) -> str:
    """The prior decides the HPD interval too."""
    return (
        f"With a prior of the instances' standard deviation twice as wide, the HPD interval of {first} and {second} "
        f"would be {ratio:.2g} times as wide: so few instances say little of it; rely on the tests."
    )
