"""What is said of judges: what becomes of people's claims, of the best system and of the order; and of judgments."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from irgauge.inference.assertions import Assertion, of_verdicts
from irgauge.inference.two_orders import TopicEstimate
from irgauge.reading.notes import together as in_sentences
from irgauge.show.finding import Finding, sentence
from irgauge.show.verdicts import COLOURS
from irgauge.show.words import all_of, capital, counted, ended, listed, percent, signed, some
from irgauge.studies.judges.claims import PairSurvival
from irgauge.studies.judges.compared import JudgeCompared
from irgauge.studies.judges.correcting import CorrectedClaims
from irgauge.studies.judges.favour import Favour
from irgauge.studies.judges.grading import GradesCompared
from irgauge.studies.judges.options import PEOPLE
from irgauge.studies.judges.study import Judged
from irgauge.studies.judges.variation import POPULATION, JudgeVariation

_EACH = 5  # judges that have sentences of their own; of more, the first have
_PAIRS = 3  # named in a sentence


class Kept(NamedTuple):
    """How many of so many claims a judge keeps."""

    judge: str
    kept: int
    claims: int

    @property
    def share(self) -> float:
        """Of the claims."""
        return self.kept / self.claims if self.claims else 1.0

    @property
    def text(self) -> str:
        """In a sentence."""
        return f"{self.kept:,} of {self.claims:,} ({self.judge})"


def findings(result: Judged) -> Iterator[Finding]:
    """Whether claims survive, of all judges and of each; then the orders, and what judgments are like.

    They describe these judges and these systems.
    """
    described = (*_survival(result), *_orders(result), *_grades(result))
    yield from (finding.about(measure=result.measure).claiming((), "exploratory") for finding in described)
    yield from (finding.about(population="topics", measure=result.measure) for finding in _favours(result))
    yield from (_corrected(result, claims) for claims in result.corrected)
    if result.variation is not None:
        yield _variation(result, result.variation).about(population=POPULATION, measure=result.measure)
    for notes in dict.fromkeys(judged.notes for judged in result.each if judged.notes):
        names = [judged.judge for judged in result.each if judged.notes == notes]
        yield judgments(judge=listed(names), notes=notes)
    yield from (noted(text=text) for text in in_sentences(result.notes))


def _corrected(result: Judged, claims: CorrectedClaims) -> Finding:
    """What people's topics and a judge's say together."""
    low, middle, high = (round(worth - claims.topics) for worth in claims.worth)
    verdicts: Counter[str] = Counter(pair.verdict for pair in claims.pairs)
    finding = together(
        judge=claims.judge,
        measure=result.measure,
        topics=(claims.topics, claims.judged),
        sampled=claims.sampled,
        pairs=len(claims.pairs),
        verdicts={verdict: verdicts[verdict] for verdict in COLOURS if verdicts[verdict]},
        margin=claims.margin,
        worth=(low, middle, high),
    )
    made = of_verdicts(
        (((pair.system, pair.against), pair.verdict) for pair in claims.pairs),
        measure=result.measure,
        population="topics",
        margin=claims.margin,
        place=claims.place,
    )
    return finding.about(population="topics", measure=result.measure).claiming(made, claims.place)


@sentence("corrected", claims=("difference", "equivalence"))
def together(
    *,
    judge: str,
    measure: str,
    topics: tuple[int, int],
    sampled: tuple[int, int] | None,
    pairs: int,
    verdicts: Mapping[str, int],
    margin: float | None,
    worth: tuple[int, int, int],
) -> str:
    """The verdicts by people's topics and a judge's, and what the judge is worth."""
    at = "" if margin is None else f" at a margin of {margin:.3g}"
    shared = counted(topics[0], "topic")
    if sampled is None:
        given = f"people's judgments of {shared} and those of {judge} on {topics[1]:,} more, corrected"
    else:
        documents = f"{sampled[0]:,} of {counted(sampled[1], 'document')} of {shared}"
        given = f"people's judgments of {documents} and those of {judge} on all, corrected"
    found = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.items())
    low, middle, high = worth
    gain = f"as if people had judged {counted(middle, 'topic')} more" if middle > 0 else "worth no topic by people"
    spread = f"(half of the pairs: {low:,} to {high:,})".replace("-", "−")
    head = f"For other topics, by {measure} with {given}, of {counted(pairs, 'pair')}{at}: {found}"
    return f"{head}. The judge's are {gain} {spread}."


def _variation(result: Judged, variation: JudgeVariation) -> Finding:
    finding = other_judges(
        judges=len(variation.judges),
        measure=result.measure,
        share=variation.of_judges,
        pairs=len(variation.comparison.names),
        differing=len(variation.better),
        depending=result.depending(),
    )
    claim = Assertion(
        "difference", "better", variation.better, measure=result.measure, population=POPULATION, place="secondary"
    )
    return finding.claiming([claim] if variation.better else [], "secondary")


@sentence("other-judges", claims=("difference",))
def other_judges(*, judges: int, measure: str, share: float, pairs: int, differing: int, depending: int) -> str:
    """How much depends on the judge, and what would be said by others like these."""
    verb = "depends" if depending == 1 else "depend"
    return (
        f"Of the variance of {measure} by {judges} judges, {percent(share)} comes from which judge was asked; the "
        f"verdicts on {depending:,} of {counted(pairs, 'pair')} {verb} on it. By other judges like these, and for "
        f"other topics, {differing:,} {'pair differs' if differing == 1 else 'pairs differ'} significantly."
    )


def _survival(result: Judged) -> Iterator[Finding]:
    if not result.each:
        return
    if len(result.each) > 1:
        yield _of_all(result)
    for judged in result.each[:_EACH]:
        yield survival(
            judge=judged.judge,
            claims=judged.claimed,
            counts=judged.counts,
            topics=judged.topics,
            best=judged.best,
            people_best=judged.people_best,
            people_rank=int(judged.orders.ranks[judged.systems.index(judged.best[0])]),
        )
    for judged in result.each:
        if pairs := judged.with_outcome("reversed"):
            yield reversed_claims(judge=judged.judge, pairs=pairs[:_PAIRS], count=len(pairs))


def _of_all(result: Judged) -> Finding:
    kept = sorted(
        (Kept(judged.judge, judged.counts["kept"], judged.claimed) for judged in result.each), key=lambda of: of.share
    )
    return of_judges(
        measure=result.measure,
        judges=len(kept),
        least=kept[0],
        most=kept[-1],
        reversing=sum(judged.counts["reversed"] > 0 for judged in result.each),
        same_best=sum(judged.is_same_best for judged in result.each),
    )


@sentence("judges-keep", claims=())
def of_judges(*, measure: str, judges: int, least: Kept, most: Kept, reversing: int, same_best: int) -> str:
    """From the judge that keeps least to the one that keeps most."""
    if not max(least.claims, most.claims):
        return f"People's judgments support no claim by {measure} that any of {judges} judges could keep or lose."
    head = f"Of the claims that people's judgments support by {measure}, {judges} judges keep"
    between = f"from {least.text} to {most.text}" if least.share < most.share else f"as many: {least.text}"
    reverse = "none reverses one" if not reversing else f"{reversing} of them {_verb(reversing, 'reverse')} some"
    return f"{head} {between}; {reverse}, and {same_best} {_verb(same_best, 'have')} the same best system."


def _verb(count: int, plural: str) -> str:
    singular = {"have": "has"}.get(plural, f"{plural}s")
    return singular if count == 1 else plural


@sentence("survival", claims=())
def survival(
    *,
    judge: str,
    claims: int,
    counts: Mapping[str, int],
    topics: int,
    best: Sequence[str],
    people_best: Sequence[str],
    people_rank: int,
) -> str:
    """What becomes of people's claims under a judge, and of the best system."""
    of = f"people's judgments of {counted(topics, 'topic')} support"
    head = f"Of {counted(claims, 'claim')} that {of}, {judge} keeps {counts['kept']:,}" if claims else ""
    share = f" ({percent(counts['kept'] / claims)})" if claims else ""
    fate = f"{head}{share}, loses {counts['lost']:,} and reverses {counts['reversed'] or 'none'}; it adds"
    none = f"{capital(of)} no claim that could be lost; {judge} adds"
    return f"{fate if claims else none} {counts['added'] or 'none'}, and {_best(best, people_best, people_rank)}."


def _best(best: Sequence[str], people_best: Sequence[str], people_rank: int) -> str:
    if set(best) == set(people_best):
        return f"the best system is the same ({some(list(best), 3)})"
    if len(best) > 1:
        among = (
            "people's best among them" if set(best) & set(people_best) else f"without people's best, {people_best[0]}"
        )
        return f"{len(best):,} systems tie for its first place, {among}"
    return f"its best system is {best[0]}, people's number {people_rank}, not {people_best[0]}"


@sentence("reversed", tone="warning")
def reversed_claims(*, judge: str, pairs: Sequence[PairSurvival], count: int) -> str:
    """Claims that turn round."""
    each = [
        f"{pair.system} is {pair.people} than {pair.against} by people ({signed(pair.people_difference)}), "
        f"{pair.judge} by the judge ({signed(pair.judge_difference)})"
        for pair in pairs
    ]
    more = f"; and {count - len(pairs)} more" if count > len(pairs) else ""
    return f"{judge} reverses {counted(count, 'claim')}: {'; '.join(each)}{more}."


def _orders(result: Judged) -> Iterator[Finding]:
    for judged in result.each[:_EACH]:
        yield _order(judged, 1 - result.alpha)


def _order(judged: JudgeCompared, confidence: float) -> Finding:
    orders = judged.orders
    moved = int(abs(orders.change).argmax())
    return order(
        judge=judged.judge,
        systems=len(judged.systems),
        tau=orders.tau,
        tau_ap=orders.tau_ap,
        confidence=confidence,
        moved=judged.systems[moved],
        ranks=(int(orders.ranks[moved]), int(orders.other_ranks[moved])),
        changes=(int(orders.change_low[moved]), int(orders.change_high[moved])),
    )


@sentence("judge-order", claims=())
def order(
    *,
    judge: str,
    systems: int,
    tau: TopicEstimate,
    tau_ap: TopicEstimate,
    confidence: float,
    moved: str,
    ranks: tuple[int, int],
    changes: tuple[int, int],
) -> str:
    """How well a judge's order agrees with people's, and which system moves most."""
    if math.isnan(tau.value):
        return (
            f"By {judge}, or by people, {all_of(systems, 'system')} have the same mean: there is no order to compare."
        )
    head = (
        f"The order of {counted(systems, 'system')} by {judge} agrees with people's with τ = {_estimated(tau)} and τ_AP"
    )
    by = f"{head} = {_estimated(tau_ap)} ({percent(confidence)} intervals over topics)"
    if ranks[0] == ranks[1]:
        return f"{by}; no rank changes."
    span = f"between {changes[0]:+d} and {changes[1]:+d} ranks over draws of topics".replace("-", "−")
    return f"{by}; {moved} moves most, from rank {ranks[0]} to {ranks[1]} ({span})."


def _estimated(estimate: TopicEstimate) -> str:
    if math.isnan(estimate.value):
        return "undefined, as nothing varies"
    return f"{signed(estimate.value)} ({signed(estimate.low)} to {signed(estimate.high)})"


def _grades(result: Judged) -> Iterator[Finding]:
    if len(result.with_people) > _EACH:
        ends = _by_kappa(result.with_people)
        yield graders(judges=len(result.with_people), least=ends[0], most=ends[1])
    for compared in result.with_people[:_EACH]:
        yield grades(judge=compared.judge, pairs=compared.pairs, estimates=compared.estimates, alpha=result.alpha)
    between = [compared for compared in result.grading if compared.against != PEOPLE]
    if len(between) > 1:
        least, most = _by_kappa(between)
        yield among(least=least, most=most)


class Kappa(NamedTuple):
    """Two who judged the same pairs, and κ."""

    judge: str
    against: str
    kappa: TopicEstimate


def _by_kappa(grading: Sequence[GradesCompared]) -> tuple[Kappa, Kappa]:
    """Those who agree least, and most."""
    known = [compared for compared in grading if not math.isnan(compared.estimates["kappa"].value)] or grading
    ordered = sorted(known, key=lambda compared: compared.estimates["kappa"].value)
    least, most = (Kappa(own.judge, own.against, own.estimates["kappa"]) for own in (ordered[0], ordered[-1]))
    return least, most


@sentence("graders", claims=())
def graders(*, judges: int, least: Kappa, most: Kappa) -> str:
    """Which judge agrees least, and which most, with people."""
    ends = [f"{end.judge} {how} (κ = {_estimated(end.kappa)})" for end, how in ((most, "most"), (least, "least"))]
    return f"Of {counted(judges, 'judge')}, these agree with people document by document: {' and '.join(ends)}."


@sentence("grades", claims=())
def grades(*, judge: str, pairs: int, estimates: Mapping[str, TopicEstimate], alpha: float) -> str:
    """How well a judge agrees with people, document by document."""
    same, lenient = estimates["same"], estimates["leniency"]
    gives = f"gives {percent(same.value)} of {counted(pairs, 'pair')} the grade that people give"
    head = f"Document by document, {judge} {gives}"
    kappas = [f"{title} = {_estimated(estimates[name])}" for name, title in _SHOWN.items()]
    shift = f"its mean grade less people's is {_estimated(lenient)}"
    return f"{head} ({', '.join(kappas)}); {shift}; {percent(1 - alpha)} intervals over topics."


_SHOWN = {"kappa": "κ", "kappa_quadratic": "quadratic κ", "alpha_ordinal": "ordinal α"}


@sentence("judges-among-themselves", claims=())
def among(*, least: Kappa, most: Kappa) -> str:
    """Which two judges agree least and most."""
    ends = [
        f"{end.judge} and {end.against} agree {how} (κ = {_estimated(end.kappa)})"
        for end, how in ((least, "least"), (most, "most"))
    ]
    return f"Of the judges themselves, {listed(ends)}."


def _favours(result: Judged) -> Iterator[Finding]:
    for judged in result.each[:_EACH]:
        own = [favour for favour in result.favours if favour.judge == judged.judge]
        found = sorted((f for f in own if f.is_found(result.alpha)), key=lambda f: -f.difference)
        groups, systems = ([f for f in found if (f.group is not None) == is_group] for is_group in (True, False))
        many = len(judged.systems)
        finding = favoured(judge=judged.judge, measure=result.measure, systems=systems, groups=groups, of=many)
        yield finding.claiming(_claimed(found, result.measure), "secondary")


def _claimed(found: Sequence[Favour], measure: str) -> Iterator[Assertion]:
    for verdict, is_up in (("favoured", True), ("disfavoured", False)):
        if names := tuple(favour.name for favour in found if (favour.difference > 0) == is_up):
            yield Assertion("effect", verdict, terms=names, measure=measure, population="topics", place="secondary")


@sentence("favour", claims=("effect",))
def favoured(*, judge: str, measure: str, systems: Sequence[Favour], groups: Sequence[Favour], of: int) -> str:
    """Whom a judge favours, and whom it does not."""
    if not systems and not groups:
        return f"{judge} is not shown to favour any of {counted(of, 'system')} by {measure}, for other topics."
    raised, lowered = ([own for own in systems if (own.difference > 0) == is_up] for is_up in (True, False))
    ends = [f"most {_favour(raised[0])}" if raised else "", f"least {_favour(lowered[-1])}" if lowered else ""]
    counts = f"favours {len(raised)} of {counted(of, 'system')} and disfavours {len(lowered)}, against the mean of all"
    parts = [f"{counts}: {' and '.join(filter(None, ends))}"] if systems else []
    parts += [f"{'raises' if own.difference > 0 else 'lowers'} {_favour(own)}" for own in groups]
    return f"By {measure} and for other topics, {judge} {'; it '.join(parts)}."


def _favour(favour: Favour) -> str:
    return f"{favour.name}, by {signed(favour.difference)} ({signed(favour.low)} to {signed(favour.high)})"


@sentence("judgments", tone="warning")
def judgments(*, judge: str, notes: Sequence[str]) -> str:
    """What to know of the judgments of a judge, or of each of several."""
    return ended(f"{judge}: {'; '.join(notes)}")


@sentence("join", tone="note")
def noted(*, text: str) -> str:
    """What was noted when runs and people's judgments were joined."""
    return ended(text)
