"""Many machines: the workers of a Dask cluster do the tasks, with the same results, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from irgauge.compute.tasks import done_by


@contextmanager
def working_on(scheduler: object | None) -> Iterator[None]:
    """Have tasks done by the workers of a scheduler, meanwhile: by its address, or a client; None: by threads here."""
    if scheduler is None:
        yield
        return
    from irgauge.cluster.connecting import connected
    from irgauge.cluster.engine import Cluster

    with connected(scheduler) as (client, name), done_by(Cluster(client, name)):
        yield
