"""The tables of every study in LaTeX: they compile, and fit the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from conftest import DESIGN
from irgauge.simulation.collections import simulate
from irgauge.simulation.judges import simulate_judge
from irgauge.studies.agreement.study import agreement
from irgauge.studies.anova.study import anova
from irgauge.studies.bootstrap.study import bootstrap
from irgauge.studies.calibrate.study import calibrate
from irgauge.studies.check.study import Checked
from irgauge.studies.compare.study import compare
from irgauge.studies.effects.study import effects
from irgauge.studies.gate.study import gate
from irgauge.studies.history.study import history
from irgauge.studies.instances.study import instances
from irgauge.studies.judges.study import judges
from irgauge.studies.partition.study import partition
from irgauge.studies.plan.study import plan
from irgauge.studies.pools.study import pools
from irgauge.studies.registry import studies
from irgauge.studies.result import Result
from irgauge.studies.robustness.study import robustness
from irgauge.studies.score.study import score
from irgauge.studies.suite.study import suite
from irgauge.studies.teams.study import teams
from irgauge.studies.topics.study import topics
from latex.document import typeset
from oracles.simulated_scores import Effects, simulate_scores

RATES = Effects(("full", "rate-1", "rate-4"), (0.5, 0.45, 0.5), deterministic=("full",))


def results() -> Iterator[Result]:
    runs = simulate(DESIGN).collection()
    yield score(runs, ["AP", "P@5"])
    yield compare(runs, ["AP", "P@5"], shards="even:3", baseline=runs.systems[0])
    yield anova(runs, "AP", shards="even:3")
    yield effects(runs, ["AP", "P@5"], shards="even:3")
    yield robustness(runs, "AP", shards=(2, 3), resamples=2)
    yield calibrate(runs, "AP", shards="even:3", margin=0.05, quick=True, trials=3)
    yield partition(runs, ["AP", "P@5"], splits=2)
    yield bootstrap(runs, ["AP", "P@5"], images=10)
    yield pools(runs, ["AP", "RR"], depths=[2, 5], images=9, all_pairs=True)
    yield plan(runs, "AP", shards="even:3")
    yield topics(runs, "AP")
    yield teams(runs, "AP", groups={})
    yield judges(runs, {"model": simulate_judge(runs)}, draws=9)
    yield agreement(runs, ["AP", "P@5", "RR"])
    yield suite({name: simulate(replace(DESIGN, seed=seed)).collection() for seed, name in enumerate("xyz")}, "AP")
    yield instances(simulate_scores(RATES, topics=10, instances=3, seed=2), baseline="full", posterior=False)


def test_the_tables_of_every_study_fit_the_page(tmp_path: Path, demo: Path, checked: Checked) -> None:
    first, second, *_ = sorted((demo / "runs").iterdir())
    nights = tmp_path / "nights.sqlite"
    gated = gate(demo / "qrels.txt", first, second, ["AP", "P@5"], margin=0.01, history=nights)
    shown = [checked, *results(), gated, history(nights)]
    others = studies().keys() - {one.study for one in shown}
    shown += [studies()[name].verb(simulate(DESIGN).collection()) for name in sorted(others)]
    document = typeset("\n".join(one.to_text("latex") for one in shown), tmp_path)
    assert max(document.overfull, default=0) <= 1
