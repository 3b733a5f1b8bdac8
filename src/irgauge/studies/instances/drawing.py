"""The posterior of a comparison: in an order that is not that of the files, with more draws where these are few.

Where it cannot be relied on, or would take too long, it is left out, and it is told why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irgauge.errors import DesignError
from irgauge.inference.instance_models import ModelName, factors_of
from irgauge.models.mixed.crossproducts import CrossProducts
from irgauge.models.mixed.factors import Data
from irgauge.models.mixed.posterior import HalfT, Posterior, sample_cross
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.instances.options import Asked
from irgauge.studies.instances.unequal import spread_of_instances

_LARGEST = 300  # equations that all algorithms share: more take minutes, and their time grows with the third power
_MORE = 4  # times as many draws, where they do not converge
_MOST = 32_000  # draws of a chain, but for more that are asked for


def drawn(scores: InstanceScores, model: ModelName, asked: Asked) -> Posterior | str:
    """The posterior; or why it is left out.

    The prior of the instances' standard deviation has a scale from their own spread, without that of topics.
    """
    named = scores.by_name()
    factors, spread = factors_of(named, model), spread_of_instances(named)
    prior = HalfT(own={"instance": spread} if spread > 0 and "instance" in factors.random else {})
    cross = CrossProducts.of(Data.of(*factors))
    if len(cross.system.core) > _LARGEST:
        return (
            f"with {len(scores.algorithms)} algorithms it takes very long; it is there for fewer algorithms, named by "
            "the option 'only'"
        )
    found = _converged(cross, prior, asked)
    return found if isinstance(found, str) else _of_levels(found, list(map(named.algorithms.index, scores.algorithms)))


def _converged(cross: CrossProducts, prior: HalfT, asked: Asked) -> Posterior | str:
    """With as many draws as it takes, from those asked for on."""
    draws = asked.draws
    while True:
        try:
            return sample_cross(cross, prior=prior, draws=draws, seed=asked.seed, workers=asked.workers)
        except DesignError as error:
            if draws * _MORE > max(_MOST, asked.draws):
                return f"with {draws:,} draws of each chain {error}"
            draws *= _MORE


def _of_levels(posterior: Posterior, order: Sequence[int]) -> Posterior:
    """With the means of the algorithms in another order."""
    fixed = [replace(posterior.diagnostics[old], name=f"fixed {new}") for new, old in enumerate(order)]
    diagnostics = (*fixed, *posterior.diagnostics[len(order) :])
    return replace(posterior, beta=posterior.beta[..., order], diagnostics=diagnostics)
