"""A gauge for information-retrieval experiments: which differences are real, how sure, and what they cover."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from irgauge.errors import DataWarning, DesignError, InputError
    from irgauge.extensions.registry import register
    from irgauge.names import *  # noqa: F403  # the measures
    from irgauge.papers.reproduce import reproduce
    from irgauge.reading.collection import Collection, load
    from irgauge.replicates.instances import InstanceScores
    from irgauge.replicates.measured import Measured
    from irgauge.reporting.report import report
    from irgauge.results import read
    from irgauge.scoring.measures import Measure
    from irgauge.scoring.scores import Scores, load_scores
    from irgauge.simulation.simulated import simulate
    from irgauge.studies.agreement.study import agreement
    from irgauge.studies.anova.study import anova
    from irgauge.studies.bootstrap.study import bootstrap
    from irgauge.studies.calibrate.study import calibrate
    from irgauge.studies.check.study import check
    from irgauge.studies.compare.study import compare
    from irgauge.studies.effects.study import effects
    from irgauge.studies.gate.study import gate
    from irgauge.studies.history.study import history
    from irgauge.studies.holes.study import holes
    from irgauge.studies.instances.study import instances
    from irgauge.studies.judges.study import judges
    from irgauge.studies.measure import measure, shards
    from irgauge.studies.partition.study import partition
    from irgauge.studies.plan.study import plan
    from irgauge.studies.pools.study import pools
    from irgauge.studies.robustness.study import robustness
    from irgauge.studies.score.study import score
    from irgauge.studies.sensitivity.study import sensitivity
    from irgauge.studies.suite.study import suite
    from irgauge.studies.teams.study import teams
    from irgauge.studies.thinning.study import thinning
    from irgauge.studies.topics.study import topics

# public names and their modules; the studies and the measures come from their registries
_HOME = {
    "Collection": "reading.collection",
    "DataWarning": "errors",
    "DesignError": "errors",
    "InputError": "errors",
    "InstanceScores": "replicates.instances",
    "Measure": "scoring.measures",
    "Measured": "replicates.measured",
    "Scores": "scoring.scores",
    "load": "reading.collection",
    "load_scores": "scoring.scores",
    "measure": "studies.measure",
    "read": "results",
    "register": "extensions.registry",
    "report": "reporting.report",
    "reproduce": "papers.reproduce",
    "shards": "studies.measure",
    "simulate": "simulation.simulated",
}
_RENAMED = {"scores": "load_scores"}  # old names of what is public -> new ones
__all__ = [
    "Collection",
    "DataWarning",
    "DesignError",
    "InputError",
    "InstanceScores",
    "Measure",
    "Measured",
    "Scores",
    "agreement",
    "anova",
    "bootstrap",
    "calibrate",
    "check",
    "compare",
    "effects",
    "gate",
    "history",
    "holes",
    "instances",
    "judges",
    "load",
    "load_scores",
    "measure",
    "partition",
    "plan",
    "pools",
    "read",
    "register",
    "report",
    "reproduce",
    "robustness",
    "score",
    "sensitivity",
    "shards",
    "simulate",
    "suite",
    "teams",
    "thinning",
    "topics",
]

if TYPE_CHECKING:
    from irgauge import names

    __all__ += names.__all__  # that the measures are public, too


if not TYPE_CHECKING:  # for type checkers a name that is not there is an error

    def __getattr__(name: str) -> Any:  # noqa: ANN401  # verbs, types, and measures such as nDCG
        """Import a public name on its first use, so that `import irgauge` takes no time: a verb, a type, a measure."""
        if name in _HOME:
            return getattr(import_module(f"irgauge.{_HOME[name]}"), name)
        if not name.startswith("_") and find_spec(f"irgauge.{name}") is None:
            from irgauge.studies.registry import studies

            if name in studies():
                return studies()[name].verb
            from irgauge.scoring.measures import named
            from irgauge.scoring.parsing import MEASURES

            if name in MEASURES:
                return named(name)
        if name in _RENAMED:
            raise AttributeError(f"irgauge.{name} is called irgauge.{_RENAMED[name]} now")
        if name == "__version__":
            from importlib.metadata import version

            return version("irgauge")
        advice = ""
        if not name.startswith("_") and find_spec(f"irgauge.{name}") is None:
            from irgauge.choices import near

            advice = "".join(f"; did you mean {other}?" for other in near(name, __dir__()))
        raise AttributeError(f"module 'irgauge' has no attribute '{name}'{advice}")


def __dir__() -> list[str]:
    from irgauge.scoring.parsing import MEASURES
    from irgauge.studies.registry import studies

    return sorted({*_HOME, *studies(), *MEASURES})
