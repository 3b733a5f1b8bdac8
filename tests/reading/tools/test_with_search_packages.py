"""Files that packages of search and of RAG write, without models; `make tools` makes an environment that has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irgauge import load_scores, suite
from oracles.search_tool_files import TOPICS, nuggets

pytestmark = [pytest.mark.filterwarnings("ignore")]  # what these packages warn of is none of ours


def package(name: str) -> Any:  # noqa: ANN401  # a module
    return pytest.importorskip(name, reason=f"{name} is not installed; see make tools", exc_type=ImportError)


def test_scores_of_nuggetizer(tmp_path: Path) -> None:
    metrics = package("nuggetizer.core.metrics")
    path = tmp_path / "assigned.jsonl"
    path.write_text(nuggets())
    scores = load_scores(path)
    for place, line in enumerate(nuggets().splitlines()):
        record = json.loads(line)
        theirs = metrics.calculate_nugget_scores(record["qid"], record["nuggets"])
        ours = {
            str(measure): value for measure, value in zip(scores.measures, scores.values[:, place, 0, 0], strict=True)
        }
        assert ours == {name: getattr(theirs, name) for name in ours}


def test_tables_of_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow, pandas = package("mlflow"), package("pandas")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(f"file:{tmp_path}/runs")  # which it makes
    inputs = [{"question": topic} for topic in TOPICS]
    table = pandas.DataFrame({"inputs": inputs, "outputs": "a", "faithfulness/v1/score": [1, 2, 3, 4], "latency": 0.5})
    with mlflow.start_run():
        mlflow.log_table(table, artifact_file="eval_results_table.json")
    scores = load_scores(next(tmp_path.rglob("eval_results_table.json")))
    assert scores.topics == TOPICS
    assert [str(measure) for measure in scores.measures] == ["faithfulness/v1", "latency"]
    assert scores.values[:, :, 0, 0].tolist() == [[1, 2, 3, 4], [0.5] * 4]


def test_results_of_evaluate(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    package("evaluate").save(path, rouge1=[0.5, 0.25, 0.75], model="mine")
    scores = load_scores(path)
    assert (scores.systems, scores.values[0, :, 0, 0].tolist()) == (("mine",), [0.5, 0.25, 0.75])


def test_results_of_mteb(tmp_path: Path) -> None:
    mteb = package("mteb")
    expected: dict[str, list[float]] = {}
    for model, lift in (("org/old", 0.0), ("org/new", 0.125)):
        folder = tmp_path / model.replace("/", "__") / "abc"
        folder.mkdir(parents=True)
        (folder / "model_meta.json").write_text(json.dumps({"name": model, "revision": "abc"}))
        for number, name in enumerate(("SciFact", "NFCorpus", "ArguAna")):
            own = {"main_score": 0.25 * number + lift, "ndcg_at_10": 0.25 * number + lift}
            scores = {"test": {"default": own}, "dev": {"default": own | {"main_score": 0.5}}}
            result = mteb.TaskResult.from_task_results(mteb.get_task(name), scores, evaluation_time=1.0)
            result.to_disk(folder / f"{name}.json")
            expected.setdefault(name, []).append(result.get_score())
    compared = suite(tmp_path)
    order = [("org/old", "org/new").index(system) for system in compared.systems]
    ours = dict(zip(compared.collections, compared.means.tolist(), strict=True))
    assert ours == {name: [own[place] for place in order] for name, own in expected.items()}
