"""What trackers of experiments are given: against modules that take the place of mlflow and wandb."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import irgauge as ig
import irgauge.mlflow
import irgauge.wandb
from irgauge.errors import DesignError
from irgauge.studies.compare.study import Compared
from irgauge.tracked import metrics, plain

SCORES = {
    "nDCG@10": {
        name: {str(topic): (topic * 7 + place * place * 3) % 11 / 11 for topic in range(9)}
        for place, name in enumerate(("a.b", "a/b", "base"))
    }
}


class Keeping:
    """Takes what it is given, and reads the files before they go."""

    def __init__(self) -> None:
        self.numbers: dict[str, float] = {}
        self.files: dict[str, str] = {}

    def keep(self, numbers: dict[str, float]) -> None:
        self.numbers |= numbers

    def read(self, folder: str, **_: str) -> None:
        self.files = {path.name: path.read_text() for path in Path(folder).iterdir()}


@pytest.fixture
def result() -> Compared:
    return ig.compare(SCORES, baseline="base")


def check(kept: Keeping, result: Compared) -> None:
    assert kept.files.keys() == {"compare.json", "compare.md", "compare.html"}
    assert json.loads(kept.files["compare.json"])["study"] == "compare"
    rows = [*result.frame_rows("systems"), *result.frame_rows("pairs")]
    values = [row[name] for row in rows for name in ("mean", "low", "high", "difference", "p_adjusted") if name in row]
    assert sorted(kept.numbers.values()) == sorted(values)


def test_mlflow_has_numbers_under_names_that_it_takes(result: Compared, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Keeping()
    monkeypatch.setitem(sys.modules, "mlflow", _module(log_metrics=kept.keep, log_artifacts=kept.read))
    irgauge.mlflow.log(result)
    check(kept, result)
    assert {"nDCG_10/a_b/mean", "nDCG_10/a_b/mean _2", "nDCG_10/a_b against base/difference"} <= kept.numbers.keys()


def test_wandb_has_them_in_its_summary(result: Compared, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Keeping()
    run = SimpleNamespace(summary=SimpleNamespace(update=kept.keep), log_artifact=lambda artifact: None)  # noqa: ARG005
    artifact = SimpleNamespace(add_dir=kept.read)
    monkeypatch.setitem(sys.modules, "wandb", _module(run=None, Artifact=lambda name, type: artifact))  # noqa: ARG005, A006
    irgauge.wandb.log(result, run)
    check(kept, result)
    assert "nDCG@10/a/b against base/p_adjusted" in kept.numbers
    with pytest.raises(DesignError, match=r"start one with wandb\.init"):
        irgauge.wandb.log(result)


def _module(**names: Any) -> Any:  # noqa: ANN401  # what takes the place of a module
    return SimpleNamespace(**names)


def test_what_is_not_installed_is_said(result: Compared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(DesignError, match="mlflow is not installed"):
        irgauge.mlflow.log(result)


def test_no_name_is_lost() -> None:
    result = ig.compare(SCORES)
    assert len(metrics(result, plain)) == len(metrics(result))


def test_rows_are_those_of_the_contract_in_pandas_and_arrow(result: Compared) -> None:
    arrow = result.to_arrow("systems")
    assert arrow.column_names == list(result.to_pandas("systems").columns) == result.frame("systems").columns
    assert result.to_pandas()["p_adjusted"].tolist() == result.frame()["p_adjusted"].to_list()
