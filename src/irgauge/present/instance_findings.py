"""What a comparison of random algorithms shows, in sentences that can be quoted; and how it was found out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from irgauge.inference.equivalence import Verdict
from irgauge.present.precision_findings import percent
from irgauge.present.sentences import counted, listed
from irgauge.reading.ordering import TIE_RULE
from irgauge.studies.instances import NOT_WORSE, Instances
from irgauge.studies.sample_size import ONE_INSTANCE, Plan
from irgauge.studies.single_instances import SingleTests

CORRECTIONS = {
    "none": "no correction",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "bonferroni": "Bonferroni's correction",
    "tukey": "Tukey's correction over all pairs",
}
FREEDOMS = {"satterthwaite": "Satterthwaite's df", "n-f": "df n − f"}
PARTS = {
    "topic": "topics",
    "topic:algorithm": "topics by algorithm",
    "instance": "instances",
    "residual": "the residual",
}
WARNING, NOTE = "Warning: ", "Note: "
_UNLIKE = 1.5  # times another standard error: so far may that of a pair alone be from that of the model of all
_TOLD = 10  # pairs that have a sentence each; of more, the counts
_SHOWN = (1, 10, 100)  # instances, in the sentence of what is needed


@dataclass(frozen=True)
class Answer:
    """A comparison, what single instances would have said, and what intervals of ± width need."""

    found: Instances
    singles: tuple[SingleTests, ...]  # pair and level
    plans: tuple[Plan, ...]
    width: float
    fill: str | None = None  # of undefined scores of runs; None for a table of scores
    precision: str | None = None  # of the order of runs


def setting(answer: Answer) -> tuple[str, ...]:
    """How the numbers came about."""
    found = answer.found
    scores = found.scores
    return (
        f"Mixed model by REML: {found.formula} (random effects in brackets)",
        f"tests: {FREEDOMS[found.freedom]}, {CORRECTIONS[found.tests.correction]}, each kind of test a family",
        f"margin {found.margin:g}",
        f"α = {found.alpha:g}",
        _posterior(found),
        f"{measure(found)} on {counted(len(scores.topics), 'topic')}, {counted(len(scores.instances), 'instance')} of "
        f"{counted(len(scores.algorithms), 'algorithm')} ({instance_counts(found)}), "
        f"{counted(scores.missing, 'missing cell')}",
        *_runs(answer),
        f"population: {found.population}",
    )


def instance_counts(found: Instances) -> str:
    """How many instances the algorithms have."""
    counts = sorted(set(found.scores.instance_counts.tolist()))
    return f"{counts[0]} each" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} each"


def measure(found: Instances) -> str:
    """The measure, where it is known."""
    return found.scores.measure or "score"


def _posterior(found: Instances) -> str:
    drawn = found.posterior
    if drawn is None:
        return "no posterior"
    chains, draws = drawn.beta.shape[:2]
    sampled = f"posterior by Gibbs sampling, {chains} chains × {draws:,} draws, seed {found.seed}"
    return f"{sampled}, prior of standard deviations: {drawn.prior}"


def _runs(answer: Answer) -> Iterator[str]:
    if answer.fill is not None:
        yield f"undefined scores filled with {answer.fill} ({answer.found.scores.filled:,} of them)"
        yield f"order: {TIE_RULE}, scores in {answer.precision} precision"


def signed(value: float) -> str:
    """A difference with a proper sign, to three decimals or, if small, two digits."""
    shown = f"{value:.3f}" if abs(value) >= 0.0005 or value == 0 else f"{value:.1g}"
    return shown.replace("-", "−")


def p_text(p: float) -> str:
    """A p-value in a sentence."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.9995 else "p = 1"


def findings(answer: Answer) -> list[str]:
    """Verdicts, settings, noise, single instances, what is needed, and what to beware of."""
    found = answer.found
    told = [_verdict(found, pair) for pair in range(len(found.pairs))] if len(found.pairs) <= _TOLD else _counts(found)
    return [*told, *_series(found), _noise(found), *_singles(answer), *_needed(answer), *warnings(answer)]


def _where(found: Instances) -> str:
    """The beginning of a sentence: population and method."""
    how = f"mixed model, {FREEDOMS[found.freedom]}, {CORRECTIONS[found.tests.correction]}"
    return f"For {found.population} ({how}),"


# verdicts


def _verdict(found: Instances, pair: int) -> str:
    """One verdict with its numbers; and that of the HPD interval, where it is another."""
    first, second = found.pairs[pair]
    claim, p, rest = _claim(found, pair)
    text = claim.format(first=first, second=second, margin=f"{found.margin:g}")
    numbers = f"difference {signed(float(found.tests.difference[pair]))}, {_interval(found, pair)}, {p_text(p)}"
    by_hpd = found.hpd_verdicts
    other = f" Its HPD interval says: {by_hpd[pair]}." if by_hpd and by_hpd[pair] != found.verdicts[pair] else ""
    return f"{_where(found)} {text} ({numbers}){rest}.{other}"


def _claim(found: Instances, pair: int) -> tuple[str, float, str]:
    """What is claimed, the p-value of the test that says so, and what is not claimed."""
    tests, said = found.tests, found.verdicts[pair]
    unproven = ", but it is not shown to be equivalent"
    claims: dict[Verdict, tuple[str, float, str]] = {
        "better": ("{first} is better than {second}", tests.p_difference[pair], _at_least(found, pair)),
        "worse": ("{first} is worse than {second}", tests.p_difference[pair], _at_least(found, pair)),
        "equivalent": (
            "{first} is equivalent to {second}: they differ by less than {margin}",
            tests.p_equivalent[pair],
            "",
        ),
        "not worse": (
            "{first} is not worse than {second} by {margin} or more",
            tests.p_not_worse[pair],
            unproven,
        ),
        "not better": ("{first} is not better than {second} by {margin} or more", tests.p_not_better[pair], unproven),
        "inconclusive": (
            "nothing is shown of {first} and {second} at a margin of {margin}",
            tests.p_difference[pair],
            ": neither a difference nor its absence",
        ),
    }
    claim, p, rest = claims[said]
    return claim, float(p), rest


def _at_least(found: Instances, pair: int) -> str:
    """Whether a difference is shown to be one of consequence."""
    low, high = interval(found, pair)
    if min(abs(low), abs(high)) >= found.margin and low * high > 0:
        return f", by {found.margin:g} or more"
    return f", though perhaps by less than {found.margin:g}"


def interval(found: Instances, pair: int) -> tuple[float, float]:
    """The HPD interval; without a posterior that of the test."""
    low, high = (found.intervals if found.hpd is None else found.hpd)[:, pair].tolist()
    return low, high


def _interval(found: Instances, pair: int) -> str:
    low, high = map(signed, interval(found, pair))
    return f"{percent(1 - found.alpha)} {'' if found.hpd is None else 'HPD '}interval {low} to {high}"


def _counts(found: Instances) -> list[str]:
    """How often each verdict is given."""
    pairs = counted(len(found.pairs), "pair")
    told = [f"{_where(found)} of {pairs} of algorithms the first is {_tally(found.verdicts)} (margin {found.margin:g})"]
    if found.hpd_verdicts is not None:
        told.append(f"by {percent(1 - found.alpha)} HPD intervals {_tally(found.hpd_verdicts)}")
    return ["; ".join(told) + "."]


def _tally(verdicts: Sequence[Verdict]) -> str:
    return listed([f"{verdict} in {count}" for verdict, count in Counter(verdicts).most_common()])


# a series


def _series(found: Instances) -> list[str]:
    rows = found.series()
    if not rows:
        return []
    settings = listed([f"{row.value:g}" for row in rows])
    by_tests = _smallest(found, by_hpd=False)
    by_hpd = by_tests if found.hpd is None else _smallest(found, by_hpd=True)
    alike = f"by the tests{'' if found.hpd is None else ' and by HPD intervals'} {by_tests}"
    told = alike if by_hpd == by_tests else f"by the tests {by_tests}; by HPD intervals {by_hpd}"
    against = f"of the settings {settings} against {found.baseline}, at a margin of {found.margin:g}"
    return [f"{_where(found)} {against}: {told}."]


def _smallest(found: Instances, *, by_hpd: bool) -> str:
    not_worse = found.smallest(NOT_WORSE, by_hpd=by_hpd)
    equivalent = found.smallest(("equivalent",), by_hpd=by_hpd)
    return f"{_from(not_worse)} not worse, and {_from(equivalent)} equivalent"


def _from(value: float | None) -> str:
    """The setting from which on all are shown to be so."""
    return (
        "there is none from which on all are" if value is None else f"{value:g} is the smallest from which on all are"
    )


# noise


def _noise(found: Instances) -> str:
    parts = sorted(found.fit.components, key=lambda one: -one.share)
    shares = listed([f"{share(one.share)} from {PARTS[one.name]}" for one in parts])
    first = shares.replace(" from", " comes from", 1)
    return (
        f"Of the variance of one {measure(found)}, {first} (REML; what topics have in common cancels in a difference)."
    )


def share(value: float) -> str:
    """A share in percent, to two digits where it is small."""
    return f"{100 * value:.0f} %" if value >= 0.0995 else f"{100 * value:.2g} %"


# single instances


def _singles(answer: Answer) -> list[str]:
    """The pair on which experiments with one instance contradict each other most."""
    if not any(one.tests > 1 for one in answer.singles):
        return []
    worst = max(answer.singles, key=lambda one: (one.contradict, one.significant, -one.alpha))
    same = [one for one in answer.singles if (one.first, one.second) == (worst.first, worst.second)]
    shares = listed([f"{percent(one.significant)} significant at {one.alpha:g}" for one in same])
    most = "" if len(answer.singles) == len(same) else ", more often than for any other pair"
    return [
        f"With one instance each, the {counted(worst.tests, 'paired t-test')} of {worst.first} against {worst.second} "
        f"are {shares}: two such experiments contradict each other with a chance of {percent(worst.contradict)} at "
        f"{worst.alpha:g}{most} (a p-value of theirs is about other topics and these two instances)."
    ]


# what is needed


def _needed(answer: Answer) -> list[str]:
    return [_plan(answer, plan) for plan in answer.plans]


def _plan(answer: Answer, plan: Plan) -> str:
    inside = percent(1 - answer.found.alpha)
    lead = f"For a {inside} interval of ± {answer.width:g}, {plan.kind} need"
    rows = [one for one in plan.needed if one.instances in _SHOWN]
    if len(plan.needed) == 1:
        text = "more than a million topics" if rows[0].topics is None else counted(rows[0].topics, "topic")
        more = "; how many instances would help cannot be told from one" if plan.kind == ONE_INSTANCE else ""
        return f"{lead} {text}{more} (from the fitted components)."
    possible = [
        f"{counted(one.topics, 'topic')} with {counted(one.instances, 'instance')}"
        for one in rows
        if one.topics is not None
    ]
    few = [str(one.instances) for one in rows if one.topics is None]
    told = [f"{listed(possible)} of each that is random"] if possible else ["more instances than 100"]
    if few:
        told.append(f"with {listed(few)} no number of topics is enough")
    return f"{lead} {'; '.join(told)}; {_enough(answer, plan)} (from the fitted components)."


def _enough(answer: Answer, plan: Plan) -> str:
    topics = counted(len(answer.found.scores.topics), "topic")
    if plan.instances is None:
        return f"on the {topics} here no number of instances is enough"
    are = "is" if plan.instances == 1 else "are"
    return f"on the {topics} here {counted(plan.instances, 'instance')} {are} enough"


# what to beware of


def warnings(answer: Answer) -> list[str]:
    """What a careful reader should know before quoting."""
    told = [WARNING + text for text in _warnings(answer)] + [NOTE + text for text in _notes(answer.found)]
    return [text + "." * (text[-1] != "?") for text in told]


def _warnings(answer: Answer) -> Iterator[str]:
    found, scores = answer.found, answer.found.scores
    if found.fit.warning:
        yield found.fit.warning
    if scores.unchanging:
        yield f"the instances of {listed(scores.unchanging)} never differ on a topic; did the seed take effect?"
    if scores.missing:
        cells = len(scores.instances) * len(scores.topics)
        yield f"{scores.missing:,} of {cells:,} cells (instance, topic) are missing; the rest is fitted as it is"
    yield from _of_the_model(found)
    yield from _unlike(found)
    untested = [pair for pair in found.pairs if (pair.first, pair.second) not in _tested(answer)]
    if untested:
        yield f"{counted(len(untested), 'pair')} have no two topics in common that single instances could be tested on"


def _tested(answer: Answer) -> set[tuple[str, str]]:
    return {(one.first, one.second) for one in answer.singles}


def _of_the_model(found: Instances) -> Iterator[str]:
    """What a model leaves out of account."""
    if len(found.scores.deterministic) == len(found.scores.algorithms):
        yield "every algorithm has one instance: for a random one the claim does not cover its other instances"
    elif found.model == "topic":
        yield (
            "the model 'topic' takes scores of one algorithm on one topic as independent, so that its intervals are "
            "too narrow; 'nested' does not"
        )
    elif found.model in ("repeated", "crossed"):
        yield (f"the model '{found.model}' does not count how much instances differ on all topics alike; 'nested' does")
    if found.freedom == "n-f":
        yield "n − f degrees of freedom take all scores as independent, so that p-values are too small"


def _notes(found: Instances) -> Iterator[str]:
    single = found.scores.deterministic
    if single and len(single) < len(found.scores.algorithms):
        alone = "has one instance, and is" if len(single) == 1 else "have one instance each, and are"
        safe = (
            "; with the residual of the others in the model, intervals against it are rather too wide than too narrow"
        )
        yield f"{listed(single)} {alone} taken as deterministic{safe if found.model in ('nested', 'repeated') else ''}"


def _unlike(found: Instances) -> Iterator[str]:
    """The pair whose standard error by its own model is furthest from that of the model of all."""
    ratios = {
        pair: alone.se / one.se
        for pair, alone, one in zip(found.pairs, found.alone, found.contrasts, strict=True)
        if alone is not None
    }
    pair = max(ratios, key=lambda pair: max(ratios[pair], 1 / ratios[pair]), default=None)
    if pair is None or 1 / _UNLIKE < ratios[pair] < _UNLIKE:
        return
    than = "smaller" if ratios[pair] < 1 else "larger"
    times = max(ratios[pair], 1 / ratios[pair])
    yield (
        f"the model has the same variances for all algorithms, and these differ: fitted to {pair.first} and "
        f"{pair.second} alone, the standard error of their difference is {times:.1f} times {than}; the table of "
        "differences has it for each pair, and --only compares two algorithms by their own model"
    )
