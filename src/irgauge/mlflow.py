"""Results in MLflow: `irgauge.mlflow.log(result)` in a run, with mlflow or mlflow-skinny installed.

with mlflow.start_run():
    irgauge.mlflow.log(irgauge.compare("scores.csv", baseline="bm25"))
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from irgauge.studies.result import Result
from irgauge.tracked import metrics, plain, tracker, write_files


def log(result: Result) -> None:
    """Log means and differences with their intervals as metrics, and the result and its page as artifacts."""
    mlflow = tracker("mlflow")
    mlflow.log_metrics(metrics(result, plain))
    with TemporaryDirectory() as folder:
        write_files(result, Path(folder))
        mlflow.log_artifacts(folder, artifact_path="irgauge")
