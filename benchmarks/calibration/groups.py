"""All groups of claims, in the order of the page."""

from __future__ import annotations

from benchmarks.calibration import (
    discoveries,
    forecasts,
    instances,
    intervals,
    judges,
    means,
    one_run,
    pages,
    plans,
    runs,
    sampled_instances,
    sampled_suites,
    sampling,
    sentences,
    shards,
    shares,
    slices,
    suites,
    topics,
    verdicts,
)

GROUPS = {
    group.name: group
    for group in (
        topics.GROUP,
        discoveries.GROUP,
        verdicts.GROUP,
        intervals.GROUP,
        shares.GROUP,
        slices.GROUP,
        sampling.GROUP,
        shards.GROUP,
        instances.GROUP,
        sampled_instances.GROUP,
        means.GROUP,
        suites.GROUP,
        sampled_suites.GROUP,
        judges.GROUP,
        plans.GROUP,
        one_run.GROUP,
        runs.GROUP,
        pages.GROUP,
        sentences.GROUP,
        forecasts.GROUP,
    )
}
