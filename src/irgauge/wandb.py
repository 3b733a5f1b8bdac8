"""Results in Weights & Biases: `irgauge.wandb.log(result)` in a run, with wandb installed.

with wandb.init(project="search") as run:
    irgauge.wandb.log(irgauge.compare("scores.csv", baseline="bm25"), run)
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from irgauge.errors import DesignError
from irgauge.studies.result import Result
from irgauge.tracked import metrics, plain, tracker, write_files


def log(result: Result, run: Any = None) -> None:  # noqa: ANN401  # a run of wandb, or what takes its place
    """Put means and differences with their intervals into the summary, and the result and its page into an artifact."""
    wandb = tracker("wandb")
    active = wandb.run if run is None else run
    if active is None:
        raise DesignError("there is no run of wandb; start one with wandb.init(), or give it")
    active.summary.update(metrics(result))
    with TemporaryDirectory() as folder:
        write_files(result, Path(folder))
        artifact = wandb.Artifact(f"irgauge-{plain(result.study)}", type="irgauge")
        artifact.add_dir(folder)
        active.log_artifact(artifact)
