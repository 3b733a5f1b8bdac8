"""The options of `instances`, and how its table of scores is read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from irgauge.errors import DesignError, InputError
from irgauge.inference.hierarchy import Standing
from irgauge.names import InstancesCorrection, InstancesDf, InstancesModel, InstancesVariances
from irgauge.options.fields import Help
from irgauge.reading.topic_table import GivenTopics
from irgauge.studies.sampling_options import OfSampling
from irgauge.studies.shared_options import MANIFEST, PATTERN, Levelled, Scheduled, Seeded, fill_of, single

if TYPE_CHECKING:
    from irgauge.replicates.given import Instances
    from irgauge.replicates.instances import InstanceScores
    from irgauge.scoring.measures import Measure

MEASURE = "nDCG@10"  # of runs
_FILL = "Undefined scores of runs: zero, lq, med, mean, uq, one, a number, or drop (topics)."


def _models() -> Iterable[str]:
    from irgauge.inference.instance_tests import FORMULAS

    return FORMULAS


def _variances() -> Iterable[str]:
    from irgauge.inference.instance_tests import VARIANCES

    return VARIANCES


def corrections() -> Iterable[str]:
    """The corrections of p-values over the pairs."""
    from irgauge.inference.corrections import CORRECTIONS, TUKEY

    return (*CORRECTIONS, TUKEY.name)


def degrees_of_freedom() -> Iterable[str]:
    """The degrees of freedom of t."""
    from typing import get_args

    from irgauge.models.mixed.reml import Freedom

    return get_args(Freedom)


@dataclass(frozen=True, kw_only=True)
class InstancesOptions(Scheduled, Seeded, Levelled, OfSampling):
    """What is asked of algorithms and their instances."""

    measures: Annotated[
        str | Measure | Sequence[str | Measure] | None,
        Help(
            f"The measure; {MEASURE} for runs if not given; for a table, the one to take.", short="-m", flag="measure"
        ),
    ] = field(default=None, kw_only=False)
    topics_table: Annotated[
        GivenTopics | None,
        Help(
            "What is known of topics: a table with a row for each, whose columns `by`, `cluster`, `weights` and "
            "`shares` name.",
            metavar="FILE",
        ),
    ] = None
    by: Annotated[
        Sequence[str] | str | None,
        Help("A column of topics (repeatable): verdicts on every kind of topics, all of them corrected together."),
    ] = None
    manifest: Annotated[str | os.PathLike[str] | None, MANIFEST] = None
    pattern: Annotated[Sequence[str] | str | None, PATTERN] = None
    only: Annotated[Sequence[str] | str, Help("Keep this algorithm; repeatable; all if not given.")] = ()
    baseline: Annotated[str | None, Help("Compare all algorithms with this one only.")] = None
    margin: Annotated[float, Help("The smallest difference that matters.")] = 0.01
    model: Annotated[
        InstancesModel | None,
        Help("The model; if not given nested where an algorithm has several instances, else topic.", names=_models),
    ] = None
    correction: Annotated[InstancesCorrection, Help("Correction of p-values over the pairs.", names=corrections)] = (
        "holm"
    )
    variances: Annotated[
        InstancesVariances,
        Help(
            "Variances: own (of each algorithm, by mean squares) or common (to all, by REML, as in the paper: too "
            "liberal or too strict where variances or numbers of instances differ).",
            names=_variances,
        ),
    ] = "own"
    df: Annotated[
        InstancesDf | None,
        Help(
            "Degrees of freedom with common variances, satterthwaite if not given; n-f are the paper's.",
            names=degrees_of_freedom,
        ),
    ] = None
    posterior: Annotated[
        bool, Help("Add intervals of highest posterior density and probabilities, by Gibbs sampling.")
    ] = True
    draws: Annotated[
        int, Help("Number of draws of each of the four chains of the posterior.", least=8, most=1_000_000)
    ] = 2000
    pair: Annotated[tuple[str, str] | None, Help("The two algorithms in the chart of topics.", metavar="A B")] = None
    fill: Annotated[float | str, Help(_FILL, read=fill_of)] = "zero"
    labels: Mapping[str, Sequence[str | None]] | None = None  # run -> algorithm, instance and group; from Python only
    standing: Standing = field(default_factory=Standing)  # on a page; from Python only

    def __post_init__(self) -> None:
        from irgauge.inference.verdicts import check_margin

        check_margin(self.margin)
        if self.df is not None and self.variances == "own":
            message = f"the degrees of freedom '{self.df}' go with common variances, and own ones were asked for"
            raise DesignError(f"{message}; ask for the variances 'common' too, or leave the degrees of freedom out")

        if self.by is not None and self.variances != "own":
            raise DesignError("kinds of topics (by) are tested with own variances; leave common ones out")
        if self.is_sampled and self.variances != "own":
            raise DesignError("clusters, weights and shares of topics go with own variances; leave common ones out")

    @property
    def slice_columns(self) -> tuple[str, ...]:
        """The columns whose kinds of topics are asked for."""
        return () if self.by is None else (self.by,) if isinstance(self.by, str) else tuple(self.by)

    @property
    def wanted(self) -> Instances:
        """The scores that are asked for."""
        from irgauge.replicates.given import Instances
        from irgauge.replicates.labels import RunLabels

        runs = RunLabels(manifest=self.manifest, pattern=self.pattern, labels=self.labels, fill=self.fill)
        only = [self.only] if isinstance(self.only, str) else self.only
        return Instances(measure=single(self.measures), usual=MEASURE, of_runs=runs, only=only)

    def check_chart(self, of: str) -> None:
        """Refuse a pair for a chart that is not of two algorithms."""
        if self.pair is not None and of != "topics":
            raise DesignError(f"the pair is of the chart of topics, and the chart of {of} was asked for; leave one out")


def read_tables(paths: Sequence[str], asked: Mapping[str, Any], missing: str | None) -> InstanceScores:
    """The tables of scores that the command line names."""
    from irgauge.replicates.instances import InstanceScores

    if missing is not None:
        raise InputError("--missing is of runs; cells that a table of scores lacks are left out of the model")
    return InstanceScores.load(*paths, measure=asked["measures"])
