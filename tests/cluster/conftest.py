from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.processes import Cluster, cluster_in, write_collections


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two small collections."""
    folder = tmp_path_factory.mktemp("data")
    write_collections(folder)
    return folder


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler to which tests add workers."""
    with cluster_in(tmp_path_factory.mktemp("cluster")) as made:
        yield made
