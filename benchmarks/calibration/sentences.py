"""What studies say of systems that are equal, sentence by sentence: how many experiments have a false one?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method, What
from benchmarks.calibration.claims import MARGIN
from calibration.worlds import Floats, Noise, RunWorld, ShardWorld, gaussian, lopsided
from irgauge import Scores, anova, compare, gate, instances, load, partition, pools, robustness, suite, teams
from irgauge.inference.tests.registry import default_test
from irgauge.scoring.measures import Measure
from irgauge.show.finding import Finding, Findings
from irgauge.studies.judge_sides import Sides
from irgauge.studies.judges.favour import favours_of
from irgauge.studies.result import Result

TRIALS, TRIALS_OF_RUNS = 400, 150
WITHOUT = frozenset(("system", "topic:system", "system:shard", "judgments"))  # terms that do not matter here
WORLDS = {
    "equal on each topic": ShardWorld(topic_system=0.0, system_shard=0.0),
    "the same, skewed": ShardWorld(topic_system=0.0, system_shard=0.0, noise=lopsided),
}
Study = Callable[[Scores], Result]


class Said:
    """What a study says of an experiment whose truth is known: all systems are equal, unless it says otherwise."""

    def __init__(self, run: Callable[[], Result], truth: Mapping[str, float] | None = None) -> None:
        self._run, self._truth = run, truth or {}

    @cached_property
    def findings(self) -> Findings:
        """All of it."""
        return self._run().findings()

    def is_false(self, finding: Finding) -> bool:
        """Whether anything that it claims is false; a caution is, where there is no cause for it."""
        if finding.tone in ("warning", "note"):
            return True
        truths = ({name: self._truth.get(name, 0.0) for name in chain(*claim.pairs)} for claim in finding.claims)
        pairs = zip(finding.claims, truths, strict=True)
        return any(claim.is_false(truth, without=WITHOUT) for claim, truth in pairs)


def of_sentence(kind: str, said: Said, _: int) -> float:
    """Whether a sentence says something false."""
    return float(any(map(said.is_false, said.findings.of(kind))))


def of_effects(said: Said, _: int) -> float:
    """The share of the effects of systems that are said to be there: each is tested by itself."""
    claimed = {term for finding in said.findings.of("effects") for claim in finding.claims for term in claim.terms}
    return len(claimed & _EFFECTS) / len(_EFFECTS)


def of_each(kind: str, said: Said, _: int) -> float:
    """The share of sentences of a kind that are false: each is of a test by itself."""
    return float(np.mean(list(map(said.is_false, said.findings.of(kind))) or [False]))


def of_pool_pairs(said: Said, _: int) -> float:
    """The share of pairs that are said to gain confidence, with the pool where most do: each is tested by itself."""
    (finding,) = said.findings.of("pairs-gain")
    return max(finding.fields["gains"]) / int(finding.fields["pairs"])


_EFFECTS = WITHOUT - {"judgments"}
_OTHERWISE: Mapping[tuple[str, str], Callable[[Said, int], float]] = {  # than by any false one
    ("anova", "effects"): of_effects,
    ("anova", "systems-differ"): partial(of_each, "systems-differ"),
    ("pools", "pairs-gain"): of_pool_pairs,
}


def methods(study: str, kinds: Sequence[str], *, several: bool = False) -> list[Method[Said]]:
    """A sentence each; the page finds it by this name. Of several populations or measures 2α is promised."""
    what: What = "any claim" if several else "each claim"
    return [
        Method(f"{study}: {kind}", "its own", what, _OTHERWISE.get((study, kind), partial(of_sentence, kind)))
        for kind in kinds
    ]


def table(values: Floats) -> Scores:
    """Scores of values[topic, system, part], or by several measures."""
    whole = values if values.ndim == 4 else values[None]
    names = [
        tuple(f"{letter}{number:02}" for number in range(size))
        for letter, size in zip("mtsr", whole.shape, strict=True)
    ]
    measures, topics, systems, parts = names
    return Scores(whole, tuple(map(Measure.read, measures)), topics, systems, parts)


def _two_measures(scores: Scores) -> Scores:
    values = np.concatenate([scores.values, scores.values**2])
    return Scores(values, (*scores.measures, Measure.read("m01")), scores.topics, scores.systems, scores.replicates)


TEAMS = {f"s{number:02}": f"T{number % 3}" for number in range(5)}
TABLES: Sequence[tuple[str, Sequence[str], tuple[int, int, int], Study]] = (  # study, sentences, sizes, how it is asked
    ("compare", ("best", "pairs", "neighbours", "topics-enough"), (30, 5, 1), partial(compare, workers=1)),
    ("compare", ("best", "coverage", "neighbours"), (30, 5, 4), partial(compare, workers=1)),
    ("compare", ("verdict",), (30, 5, 1), partial(compare, baseline="s00", workers=1)),
    ("compare", ("verdicts",), (30, 8, 1), partial(compare, baseline="s00", workers=1)),
    ("compare", ("pair-verdicts",), (30, 5, 1), partial(compare, margin=0.02, workers=1)),
    (
        "compare",
        ("by-measures",),
        (30, 5, 1),
        lambda scores: compare(_two_measures(scores), baseline="s00", workers=1),
    ),
    ("compare", ("unequal-spread",), (30, 5, 1), partial(compare, test="tukey", workers=1)),
    ("gate", ("gate",), (30, 2, 1), lambda scores: gate(scores, "s00", "s01", margin=0.05)),
    ("teams", ("best-team",), (30, 5, 1), partial(teams, groups=TEAMS, workers=1)),
    (
        "anova",
        ("effects", "systems-differ", "nested-models", "assumptions"),
        (30, 5, 4),
        partial(anova, model="MD6", against="topic + shard + topic:shard + system", workers=1),
    ),
    ("instances", ("verdict", "best-algorithm"), (30, 4, 4), partial(instances, margin=0.02, workers=1)),
    ("instances", ("verdicts",), (30, 6, 4), partial(instances, margin=0.02, workers=1)),
)


def _of_table(world: ShardWorld, sizes: tuple[int, int, int], study: Study, rng: np.random.Generator) -> Said:
    values = world.values(rng, sizes)
    return Said(lambda: study(table(values)))


def _of_suite(world: ShardWorld, systems: int, baseline: str | None, rng: np.random.Generator) -> Said:
    """Five collections of 20 to 60 topics."""
    parts = {f"c{n}": table(world.values(rng, (int(rng.integers(20, 61)), systems, 1))) for n in range(5)}
    return Said(lambda: suite(parts, baseline=baseline, workers=1))


# systems that are worse than the first by exactly the margin: what says that they are not is false

SHIFT = 0.02


def lowered(values: Floats) -> Floats:
    """values[topic, system, part] of which all systems but the first are lower by the margin."""
    return values - SHIFT * (np.arange(values.shape[1]) > 0)[:, None]


def _truth(systems: int) -> dict[str, float]:
    return {f"s{number:02}": -SHIFT * (number > 0) * (1 + 1e-9) for number in range(systems)}


def _lowered_suite(world: ShardWorld, systems: int, rng: np.random.Generator) -> Said:
    parts = {f"c{n}": table(lowered(world.values(rng, (int(rng.integers(20, 61)), systems, 1)))) for n in range(5)}
    return Said(lambda: suite(parts, baseline="s00", margin=SHIFT, workers=1), _truth(systems))


def _lowered_instances(world: ShardWorld, systems: int, rng: np.random.Generator) -> Said:
    values = lowered(world.values(rng, (30, systems, 4)))
    return Said(lambda: instances(table(values), margin=SHIFT, workers=1), _truth(systems))


def margin_cells(world: ShardWorld, name: str) -> list[Cell[Said]]:
    """Verdicts against a margin."""
    made: Sequence[tuple[str, Sequence[str], str, Callable[[np.random.Generator], Said]]] = (
        ("suite", ("verdicts", "pair"), "5 collections × 3 with a baseline", partial(_lowered_suite, world, 3)),
        ("instances", ("verdict", "best-algorithm"), "30 × 4 × 4", partial(_lowered_instances, world, 4)),
        ("instances", ("verdicts",), "30 × 6 × 4", partial(_lowered_instances, world, 6)),
    )
    return [
        Cell(f"{name}, then worse by the margin", design, draw, margin_methods(study, kinds), TRIALS, TRIALS // 4)
        for study, kinds, design, draw in made
    ]


def margin_methods(study: str, kinds: Sequence[str]) -> list[Method[Said]]:
    """The same of verdicts against a margin."""
    is_several, is_slow = study == "suite", study == "instances"
    return [
        Method(
            f"{study}: {kind}{MARGIN}",
            "its own",
            "any claim" if is_several else "each claim",
            partial(of_sentence, kind),
            is_slow,
        )
        for kind in kinds
    ]


SUITES = ((5, None, ("best", "pairs", "ranks", "opposite")), (5, "s00", ("verdicts", "pairs")), (3, None, ("pair",)))
RUNS: Sequence[tuple[str, Sequence[str], Callable[..., Result]]] = (
    (
        "partition",
        ("pairs", "top"),
        partial(partition, splits=5, fill="drop"),
    ),
    ("robustness", ("whole-corpus",), partial(robustness, shards=(2, 4), resamples=5)),
    ("pools", ("pairs-gain",), partial(pools, images=30, depths=(10, 25), all_pairs=True)),
    (
        "pools",
        ("gain",),
        lambda runs, *asked, **options: pools(runs.only([0, 1]), *asked, images=30, depths=(10, 25), **options),
    ),
)


def _of_runs(study: Callable[..., Result], rng: np.random.Generator) -> Said:
    """Five systems on 25 topics, exchangeable on each."""
    world = RunWorld(documents=600, depth=60)
    runs = load(*world.corpus(rng, world.topics(rng, 25)))
    return Said(lambda: study(runs, "AP", seed=int(rng.integers(1 << 30)), workers=1))


# judges: whom they favour, where what they add is the same for all systems


def judged_alike(noise: Noise, rng: np.random.Generator) -> Sides:
    """Five systems on 25 topics by people, and by a judge who adds as much to all."""
    people = rng.random((25, 5))
    judged = people + 0.2 + 0.1 * noise(rng, people.shape)
    return Sides("model", tuple(map(str, range(25))), people, judged, None, None, ())


def favours(side: Sides, _: int) -> float:
    """Whether the judge is said to favour a system."""
    found = favours_of([side], "abcde", {}, default_test("topics"), ALPHA)
    return float(any(favour.is_found(ALPHA) for favour in found))


def judge_cells() -> list[Cell[Sides]]:
    """Judges with two kinds of noise."""
    methods = [Method("judges: favour", "its own", "each claim", favours)]
    return [
        Cell(name, "25 × 5, a judge", partial(judged_alike, noise), methods, TRIALS, TRIALS)
        for name, noise in (("equal on each topic", gaussian), ("the same, skewed", lopsided))
    ]


def cells() -> list[Cell[Said] | Cell[Sides]]:
    """Every study in every world."""
    found: list[Cell[Said] | Cell[Sides]] = [
        Cell(
            name,
            _design(*sizes),
            partial(_of_table, world, sizes, run),
            methods(study, _false_in(name, kinds), several="coverage" in kinds or "by-measures" in kinds),
            TRIALS,
            TRIALS,
        )
        for name, world in WORLDS.items()
        for study, kinds, sizes, run in TABLES
    ]
    found += [
        Cell(
            name,
            f"5 collections × {systems}{' with a baseline' if baseline else ''}",
            partial(_of_suite, world, systems, baseline),
            methods("suite", kinds, several=True),
            TRIALS,
            TRIALS,
        )
        for name, world in WORLDS.items()
        for systems, baseline, kinds in SUITES
    ]
    found += [cell for name, world in WORLDS.items() for cell in margin_cells(world, name)]
    runs = (methods(study, kinds) for study, kinds, _ in RUNS)
    found += [
        Cell("equal runs", "25 × 5, runs", partial(_of_runs, run), own, TRIALS_OF_RUNS, TRIALS_OF_RUNS)
        for own, (_, _, run) in zip(runs, RUNS, strict=True)
    ]
    return [*found, *judge_cells()]


def _false_in(world: str, kinds: Sequence[str]) -> Sequence[str]:
    """The sentences that are false in a world: that residuals are not normal is true of skewed ones."""
    return [kind for kind in kinds if kind != "assumptions" or world == "equal on each topic"]


def _design(topics: int, systems: int, parts: int) -> str:
    return f"{topics} × {systems}" + (f" × {parts}" if parts > 1 else "")


GROUP = Group(
    "sentences",
    "Sentence by sentence",
    "Studies on systems that are equal on every topic (and in every part): each sentence that claims a difference, an "
    "effect or distrust is false. Claims are counted as data, not by reading. A design is topics × systems × parts.",
    cells,
)
