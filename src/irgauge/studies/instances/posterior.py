"""The posterior of the mixed model of algorithms, with as many draws as it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irgauge.errors import DesignError
from irgauge.inference.instance_tests import ModelName, factors_of
from irgauge.models.mixed.crossproducts import CrossProducts
from irgauge.models.mixed.factors import FactorData
from irgauge.models.mixed.posterior import HalfT, Posterior, sample_cross
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.instances.further_questions import spread_of_instances
from irgauge.studies.instances.options import InstancesOptions

_LARGEST = 300  # equations that all algorithms share: more take minutes, and their time grows with the third power
_NOT_SAMPLED = "its model takes topics that are drawn one by one and count alike, and these are not"
_MORE = 4  # times as many draws, where they do not converge
_MOST = 32_000  # draws of a chain, but for more that are asked for


def drawn(scores: InstanceScores, model: ModelName, options: InstancesOptions) -> Posterior | str:
    """The posterior; or why it is left out.

    The prior of the instances' standard deviation has a scale from their own spread, without that of topics.
    """
    if options.is_sampled:
        return _NOT_SAMPLED
    named = scores.by_name()
    factors, spread = factors_of(named, model), spread_of_instances(named)
    prior = HalfT(own={"instance": spread} if spread > 0 and "instance" in factors.random else {})
    cross = CrossProducts.of(FactorData.of(*factors))
    if len(cross.system.core) > _LARGEST:
        return (
            f"with {len(scores.algorithms)} algorithms it takes very long; it is there for fewer algorithms, named by "
            "the option 'only'"
        )
    posterior = _converged(cross, prior, options)
    return (
        posterior
        if isinstance(posterior, str)
        else _of_levels(posterior, list(map(named.algorithms.index, scores.algorithms)))
    )


def _converged(cross: CrossProducts, prior: HalfT, options: InstancesOptions) -> Posterior | str:
    """With as many draws as it takes, from those asked for on."""
    draws = options.draws
    while True:
        try:
            return sample_cross(cross, prior=prior, draws=draws, seed=options.seed, workers=options.workers)
        except DesignError as error:
            if draws * _MORE > max(_MOST, options.draws):
                return f"with {draws:,} draws of each chain {error}"
            draws *= _MORE


def _of_levels(posterior: Posterior, order: Sequence[int]) -> Posterior:
    """With the means of the algorithms in another order."""
    fixed = [replace(posterior.diagnostics[old], name=f"fixed {new}") for new, old in enumerate(order)]
    diagnostics = (*fixed, *posterior.diagnostics[len(order) :])
    return replace(posterior, beta=posterior.beta[..., order], diagnostics=diagnostics)
