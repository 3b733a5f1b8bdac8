"""Claims that few judgments by people and many by a judge support together, where no system is better than another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

import numpy as np

from benchmarks.calibration import real
from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from calibration.worlds import Floats, Noise, gaussian, lopsided
from irgauge.inference.corrected_in_strata import Strata, corrected_in_strata
from irgauge.inference.difference_estimator import corrected_by_documents
from irgauge.inference.margins import Margin
from irgauge.inference.prediction_powered import Corrected, corrected
from irgauge.inference.tests.registry import default_test
from irgauge.studies.judge_sides import Sides
from irgauge.studies.judges.claims import Deciding
from irgauge.studies.judges.correcting import corrected_claims
from irgauge.studies.judges.variation import variation_of

TRIALS, TRIALS_OF_REAL, SYSTEMS = 400, 200, "abcde"
PEOPLE, JUDGED, MARGIN = (10, 20, 50), (100, 1000), 0.1
_DOCUMENTS, _SAMPLED = 40, 10  # of a topic, and of these by people
_FIRST, _SECOND = np.triu_indices(len(SYSTEMS), 1)


def rare(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Noise that is 0 on seven topics of ten."""
    return np.asarray(rng.normal(size=shape) * (rng.random(shape) < 0.3) / np.sqrt(0.3))


def opposed(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Noise with a long tail, to the other side for every second system: so their differences have long tails, too."""
    signs = np.where(np.arange(shape[1]) % 2, -1.0, 1.0).reshape(1, -1, *[1] * (len(shape) - 2))
    return np.asarray(signs * lopsided(rng, shape))


Judge = Callable[[np.random.Generator, Floats], Floats]
NOISES: Mapping[str, Noise] = {"normal": gaussian, "skewed": opposed, "many zeros": rare}
JUDGES: Mapping[str, Judge] = {
    "good": lambda rng, own: own + 0.1 * rng.normal(size=own.shape),
    "biased": lambda rng, own: 0.3 + 1.5 * own + 0.2 * rng.normal(size=own.shape),
    "noisy": lambda rng, own: own + 0.6 * rng.normal(size=own.shape),
    "useless": lambda rng, own: 0.3 * rng.normal(size=own.shape),
    "constant": lambda rng, own: np.full_like(own, 0.5),  # noqa: ARG005  # one signature for all
    "inverted": lambda rng, own: 0.1 * rng.normal(size=own.shape) - own,
    "favours one": lambda rng, own: own + 0.2 * np.eye(len(SYSTEMS))[0] + 0.2 * rng.normal(size=own.shape),
}


def draw(noise: Noise, judge: Judge, people: int, judged: int, rng: np.random.Generator) -> Sides:
    """Five equal systems on topics by people and a judge, and on others by the judge alone."""
    own = 0.3 * noise(rng, (people + judged, len(SYSTEMS))) + 0.2 * rng.normal(size=(people + judged, 1))
    scores = judge(rng, own)
    topics = tuple(map(str, range(people)))
    return Sides("model", topics, own[:people], scores[:people], None, None, (), scores[people:])


def _deciding(margin: Margin | None = None) -> Deciding:
    baseline = None if margin is None else SYSTEMS[-1]
    return Deciding(default_test("topics"), ALPHA, baseline, margin, None)


def any_claim(side: Sides, _: int) -> float:
    """Whether a pair of equal systems is said to differ."""
    systems = tuple(map(str, range(side.people.shape[1])))
    (claims,) = corrected_claims([side], systems, range(len(systems)), _deciding())
    return float(bool(claims.differing))


def covers(side: Sides, _: int) -> float:
    """The share of pairs whose own interval holds 0."""
    first, second = np.triu_indices(side.people.shape[1], 1)
    further = np.zeros((0, side.people.shape[1])) if side.further is None else side.further
    d, f, others = (scores[:, first] - scores[:, second] for scores in (side.people, side.judged, further))
    return _holds_0(corrected(d, f, others))


def _holds_0(estimate: Corrected) -> float:
    low, high = estimate.interval(ALPHA)
    return float(((low <= 0) & (high >= 0)).mean())


def within_margin(side: Sides, _: int) -> float:
    """Whether a system that is worse than the baseline by exactly the margin is said to be not worse."""
    behind = MARGIN * (np.arange(len(SYSTEMS)) < len(SYSTEMS) - 1)  # all but the baseline
    shifted = Sides(side.judge, side.topics, side.people - behind, side.judged, None, None, (), side.further)
    (claims,) = corrected_claims([shifted], SYSTEMS, range(len(SYSTEMS)), _deciding(Margin(MARGIN)))
    return float(any(pair.verdict in ("not worse", "equivalent", "better") for pair in claims.pairs))


TOPICS = [
    Method("corrected claims, pairs", "topics", "any pair", any_claim),
    Method("corrected claims, intervals", "topics", "coverage", covers),
]
MARGINS = [Method("corrected claims, margin", "topics", "any pair", within_margin)]


# topics of people's that were drawn within strata, of some more than of others


def in_strata(noise: Noise, judge: Judge, rng: np.random.Generator) -> Corrected:
    """Three strata of 200 topics that vary more and more, of which people judge 6, 8 and 14."""
    strata = rng.choice(3, 200, p=[0.5, 0.3, 0.2])
    means = np.array([0.0, 0.5, 1.5]) - 0.45  # of a difference in each stratum: 0 over all topics
    own = np.array([0.1, 0.3, 0.6])[strata][:, None] * noise(rng, (200, len(SYSTEMS)))
    scores, shift = judge(rng, own), means[strata][:, None] * np.arange(len(SYSTEMS)) / 10
    each = [rng.permutation(np.flatnonzero(strata == h))[:n] for h, n in enumerate((6, 8, 14))]
    people = np.concatenate(each)
    others = np.setdiff1d(np.arange(200), people)
    d, f = ((own + shift)[:, _FIRST] - (own + shift)[:, _SECOND], scores[:, _FIRST] - scores[:, _SECOND])
    return corrected_in_strata(d[people], f[people], f[others], Strata(strata[people], strata[others]))


# documents of which people judged a sample


def by_documents(noise: Noise, judge: Judge, topics: int, rng: np.random.Generator) -> Corrected:
    """A sum of the gains of 40 documents, of which people judge 10."""
    gains = 0.3 * noise(rng, (topics, _DOCUMENTS, 1)) + 0.3 * rng.normal(size=(topics, 1, 1))
    by_judge = judge(rng, np.broadcast_to(gains, (topics, _DOCUMENTS, len(SYSTEMS))))[..., :1]
    weight = rng.permuted(np.tile(1 / np.arange(1, _DOCUMENTS + 1), (topics, len(SYSTEMS), 1)), axis=2)  # by rank
    is_drawn = rng.random((topics, _DOCUMENTS)).argsort(axis=1) < _SAMPLED
    share = (is_drawn * _DOCUMENTS / _SAMPLED)[..., None]
    people, sample, whole = ((weight @ own)[..., 0] for own in (share * gains, share * by_judge, by_judge))
    y, x, of_all = (scores[:, _FIRST] - scores[:, _SECOND] for scores in (people, sample, whole))
    return corrected_by_documents(y, x, of_all)


def holds_0(estimate: Corrected, _: int) -> float:
    """The share of pairs whose own interval holds 0."""
    return _holds_0(estimate)


STRATA = [Method("corrected claims in strata, intervals", "topics", "coverage", holds_0)]
DOCUMENTS = [Method("corrected claims by documents, intervals", "topics", "coverage", holds_0)]


# several judges as a sample of judges


def several(noise: Noise, judges: int, rng: np.random.Generator) -> list[Sides]:
    """Judges with tastes of their own, so that systems differ by each of them, and not over all there could be."""
    topics, systems = 25, len(SYSTEMS)
    scores = 0.2 * noise(rng, (topics, systems, 1)) + 0.05 * rng.normal(size=(1, systems, judges))
    scores = scores + 0.1 * rng.normal(size=(topics, 1, judges)) + 0.1 * rng.normal(size=(topics, systems, judges))
    names = tuple(map(str, range(topics)))
    return [Sides(str(j), names, scores[..., 0], scores[..., j], None, None, ()) for j in range(judges)]


def other_judges(sides: list[Sides], _: int) -> float:
    """Whether equal systems are said to differ for other judges like these."""
    variation = variation_of(sides, tuple(SYSTEMS), ALPHA, None, 1)
    return float(variation is not None and bool(variation.better))


OTHERS = [Method("other judges, pairs", "topics+judges", "any pair", other_judges)]


# TREC Deep Learning 2021


def hidden(judge: str, every: int, people: int, rng: np.random.Generator) -> Sides:
    """The 53 topics: people's judgments are hidden but on some; of all 53 systems have the same mean by people."""
    by_people, by_judge = real.dl21(judge, every)
    order = rng.permutation(len(by_people))
    return _of_topics(by_people - by_people.mean(axis=0), by_judge, order[:people], order[people:])


def resampled(judge: str, every: int, people: int, rng: np.random.Generator) -> Sides:
    """Topics by people and 200 others by the judge, all drawn from the 53."""
    by_people, by_judge = real.dl21(judge, every)
    own, others = rng.integers(0, len(by_people), people), rng.integers(0, len(by_people), 200)
    return _of_topics(by_people - by_people.mean(axis=0), by_judge, own, others)


def _of_topics(by_people: Floats, by_judge: Floats, own: np.ndarray, others: np.ndarray) -> Sides:
    topics = tuple(map(str, range(len(own))))
    return Sides("model", topics, by_people[own], by_judge[own], None, None, (), by_judge[others])


_REAL = ("mistral-prompt10", "llama3.2-prompt10", "llama3.2-prompt20", "gpt-4o-prompt0")


def real_cells() -> list[Cell[Sides]]:
    """DL 2021 as the world."""
    ways = {
        "hidden": (hidden, 6, "{} of 53 topics by people"),
        "resampled": (resampled, 6, "{} + 200 topics"),
        "resampled, 32 runs": (resampled, 2, "{} + 200 topics"),
    }
    return [
        Cell(f"DL 2021 {name}, {judge}", design.format(n), partial(of, judge, every, n), TOPICS, *[TRIALS_OF_REAL] * 2)
        for (name, (of, every, design)), judge, n in product(ways.items(), _REAL, PEOPLE)
    ]


def cells() -> list[Cell[Sides] | Cell[Corrected] | Cell[list[Sides]]]:
    """All worlds and designs."""
    found: list[Cell[Sides] | Cell[Corrected] | Cell[list[Sides]]] = []
    for (shape, noise), (name, judge) in product(NOISES.items(), JUDGES.items()):
        world = f"{shape}, judge {name}"
        for people, judged in product(PEOPLE, JUDGED):
            made, methods = partial(draw, noise, judge, people, judged), [*TOPICS, *(MARGINS if judged == 100 else ())]
            found.append(Cell(world, f"{people} + {judged} topics", made, methods, TRIALS, TRIALS))
        found.append(Cell(world, "28 + 172 topics, 3 strata", partial(in_strata, noise, judge), STRATA, TRIALS, TRIALS))
        for topics in (15, 50):
            of_sample = partial(by_documents, noise, judge, topics)
            found.append(Cell(world, f"{topics} topics, 10 of 40 documents", of_sample, DOCUMENTS, TRIALS, TRIALS))
    for (shape, noise), judges in product(NOISES.items(), (3, 5, 10)):
        found.append(
            Cell(shape, f"25 topics, {judges} judges", partial(several, noise, judges), OTHERS, TRIALS, TRIALS)
        )
    return [*found, *(real_cells() if real.has_judges() else ())]


GROUP = Group(
    "judges",
    "Claims corrected by a judge, and for other judges",
    "Five equal systems by people on few topics, and by a judge on more (`judges`): differences of systems vary "
    "normally, with a long tail, or are 0 on most topics; judges are good, biased, noisy, useless, constant, "
    "inverted, or favour one system. *Pairs*: any pair is found by mistake, after Holm's correction. *Intervals*:"
    " those of each pair by itself. *Margin*: any of four systems that are worse than the baseline by exactly the"
    " margin is said to be not worse. *In strata*: people's topics were drawn of some strata more than of others;"
    " *by documents*: people judged a sample of each topic's documents. *Other judges*: systems that differ by "
    "each judge, not over all judges there could be. DL 2021: eleven or 32 of its 63 runs by nDCG@10, of which people's"
    " means were made equal; with people's judgments hidden on a random part of the 53 topics, or topics drawn "
    "from them.",
    cells,
)
