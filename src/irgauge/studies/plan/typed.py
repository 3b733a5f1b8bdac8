"""A pilot of typed components: variances of one score, of which a difference of two systems has twice as much."""

from __future__ import annotations

from irgauge.options import refuse
from irgauge.planning.instances import TopicsAndInstances
from irgauge.planning.observed import Observed
from irgauge.planning.shards import TopicsAndShards
from irgauge.planning.sizes import Variances
from irgauge.planning.topics import MeanSquare, OverTopics
from irgauge.provenance import Provenance, named
from irgauge.studies.plan.components import OF_DIFFERENCES, checked_components
from irgauge.studies.plan.options import Asked
from irgauge.studies.plan.pilot import Pair, PairPilot, Pilot, Replicates

_OF_DATA = ("shards", "fill", "keep_systems", "sparse", "population", "manifest", "pattern", "labels", "replicates")
POPULATIONS = {None: "topics", "shards": "both", "instances": "other topics and other instances of the algorithms"}


def typed_pilot(asked: Asked) -> Pilot:
    """What the components that were typed in say."""
    _check_options(asked)
    components = checked_components(asked.typed)
    replicates: Replicates | None = (
        "shards" if "system:shard" in components else "instances" if "instance" in components else None
    )
    systems = asked.systems or 2
    variances = _variances(components, replicates, systems)
    of_difference = {name: 2 * components[name] for name in OF_DIFFERENCES if name in components}
    return Pilot(
        pairs=(PairPilot(Pair("typed"), Observed(0.0, of_difference, variances, variances)),),
        of_pairs=1,
        systems=systems,
        random=systems if replicates == "instances" else 0,
        replicates=replicates,
        here=None,
        measure=None if asked.measure is None else str(asked.measure),
        population=POPULATIONS[replicates],
        facts=Provenance.of(named("components", ", ".join(f"{name} = {one:g}" for name, one in components.items()))),
        values=None,
        judgments=asked.judgments,
    )


def _check_options(asked: Asked) -> None:
    """Refuse what is said of data."""
    refuse(asked, _OF_DATA, "data, and components were given; leave it out, or give data")


def _variances(components: dict[str, float], replicates: Replicates | None, systems: int) -> Variances:
    topic, shard, instance, residual = (
        components.get(name, 0.0) for name in ("topic:system", "system:shard", "instance", "residual")
    )
    if replicates == "shards":
        return TopicsAndShards.known(2 * topic, 2 * shard, 2 * residual, systems)
    if replicates == "instances":
        return TopicsAndInstances.known(2 * topic, instance, residual)
    return OverTopics.of(MeanSquare(2 * (topic + residual)))
