"""Scores kept in a folder of Parquet files, batch by batch: all of them or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from irgauge.writing import check_free, filling

if TYPE_CHECKING:
    from irgauge.scoring.scores import Scores

Keep = Callable[["Scores"], None]


@contextmanager
def keeping(folder: str | os.PathLike[str] | None) -> Iterator[Keep | None]:
    """What saves a batch of scores, in a temporary folder that takes the place of `folder` once all is done."""
    if folder is None:
        yield None
        return
    check_free(folder, "scores are kept in")
    with filling(folder) as temporary:
        yield lambda scores: scores.save(temporary / _name(scores))


def _name(scores: Scores) -> str:
    first, last = int(scores.replicates[0]), int(scores.replicates[-1])
    return f"images-{first:06}-{last:06}.parquet"
