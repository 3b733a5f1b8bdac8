"""Results of MTEB in a suite: models over tasks, of which one mean is known, against `compare` on the same numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import irgauge as ig
from irgauge import DesignError, InputError
from irgauge.studies.suite.forms import html
from oracles.search_tool_files import mteb

MODELS = ("org/large", "org/small", "other/base")
TASKS = tuple(f"Task{number}" for number in range(12))
MEANS = np.random.default_rng(5).normal([0.62, 0.55, 0.56], 0.02, (len(TASKS), 3)).round(4)


def written(folder: Path, *, without: tuple[str, str] | None = None) -> Path:
    """The results as MTEB keeps them: a folder for each model, one in it for its revision."""
    for place, model in enumerate(MODELS):
        own = folder / model.replace("/", "__") / "abc"
        own.mkdir(parents=True)
        (own / "model_meta.json").write_text(json.dumps({"name": model, "revision": "abc"}))
        for task, score in zip(TASKS, MEANS[:, place].tolist(), strict=True):
            if (model, task) != without:
                (own / f"{task}.json").write_text(json.dumps(mteb(score, task)))
    return folder


@pytest.mark.parametrize("options", [{}, {"baseline": "org/small"}, {"baseline": "org/small", "margin": "5%"}])
def test_models_are_compared_over_tasks(tmp_path: Path, options: dict[str, str]) -> None:
    result = ig.suite(written(tmp_path), **options)  # type: ignore[arg-type]  # of texts
    theirs = ig.compare(ig.load_scores(MEANS, systems=MODELS, topics=TASKS, measure="main_score"), **options)  # type: ignore[arg-type]
    (claims,) = result.over
    assert claims.population == "collections"
    assert claims.comparison.frame().equals(theirs.comparison.frame())
    assert claims.verdicts.verdicts == theirs.first.verdict.verdicts
    assert dict(zip(result.collections, result.means.tolist(), strict=True)) == {
        task: means[[MODELS.index(system) for system in result.systems]].tolist()
        for task, means in zip(TASKS, MEANS, strict=True)
    }


def test_a_suite_of_means_shows_itself(tmp_path: Path) -> None:
    result = ig.suite(written(tmp_path))
    texts = [finding.text for finding in result.findings()]
    assert any("nothing is said of other topics of these collections" in text for text in texts)
    assert not any("same collections" in text or "0 topics" in text for text in texts)
    assert [table.name for table in result.tables()] == ["systems", "pairs", "scores"]
    assert "0 topics" not in html(result)
    assert "Welch" not in html(result)
    saved = tmp_path / "suite.json"
    result.save(saved)
    collections = json.loads(saved.read_text())["collections"]
    assert [collection["topics"] for collection in collections] == [None] * len(TASKS)  # not known
    for frame in ("pairs", "systems"):
        assert set(result.frame(frame)["population"]) == {"collections"}
    assert result.chart("systems").title
    with pytest.raises(DesignError, match="draw another chart"):
        result.chart("collections")
    with pytest.raises(DesignError, match="nothing is claimed there"):
        _ = result.on[0].claims


def test_a_model_that_lacks_a_task_is_left_out_or_the_task_is(tmp_path: Path) -> None:
    folder = written(tmp_path, without=("org/small", "Task3"))
    assert ig.suite(folder).left_out == {"org/small": ("Task3",)}
    dropped = ig.suite(folder, missing="drop")
    assert dropped.left_out == {}
    assert "Task3" not in dropped.collections


def test_files_of_models_and_of_benchmarks_name_their_models(tmp_path: Path) -> None:
    subsets = {"test": [{"main_score": 0.25, "hf_subset": "de"}], "dev": [{"main_score": 0.75, "hf_subset": "de"}]}
    results = [
        {"model_name": model, "task_results": [mteb(0.5, "A") | {"scores": subsets}, mteb(0.25, "B")]}
        for model in ("m", "n")
    ]
    paths = [tmp_path / f"{number}.json" for number in range(2)]
    for path, result in zip(paths, results, strict=True):
        path.write_text(json.dumps(result))
    assert ig.suite(paths).means.tolist() == [[0.5, 0.5], [0.25, 0.25]]  # the mean over splits and subsets
    paths[0].write_text(json.dumps({"model_results": results}))
    assert ig.suite(paths[0]).systems == ("m", "n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"a": {"q1": 0.5}}, "this JSON is no result of MTEB"),
        ({"mteb_dataset_name": "A", "mteb_version": "0.0.2", "test": {}}, "before 1.11"),
        (mteb() | {"scores": {}}, "a task has a task_name, and scores of splits"),
        (mteb() | {"scores": {"test": [{"ndcg_at_10": 0.5}]}}, "scores: there is no main_score"),
        (mteb() | {"scores": {"test": [{"main_score": None}]}}, "main_score is not a number"),
        ({"model_results": [{"task_results": []}]}, "a model without a model_name"),
    ],
)
def test_what_is_no_result_is_refused(tmp_path: Path, content: object, message: str) -> None:
    path = written(tmp_path) / "org__large" / "abc" / "Task0.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=message) as error:
        ig.suite(tmp_path)
    assert str(path) in str(error.value)


def test_what_needs_topics_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "results")
    with pytest.raises(DesignError, match="weights is of topics"):
        ig.suite(folder, weights="topics")
    with pytest.raises(DesignError, match="baseline 'none'"):
        ig.suite(folder, baseline="none")
    other = tmp_path / "scores.csv"
    other.write_text("topic,a,b\n1,0.5,0.25\n2,0.5,0.25\n")
    with pytest.raises(InputError, match="holds no results of MTEB, and others do"):
        ig.suite([folder, other])


def test_means_of_a_task_over_other_subsets_are_refused(tmp_path: Path) -> None:
    """One model on German alone and one on all languages were not evaluated alike."""
    german = {"test": [{"main_score": 0.25, "hf_subset": "de"}]}
    both = {"test": [*german["test"], {"main_score": 0.75, "hf_subset": "en"}]}
    tasks = [[mteb(0.5, "A"), mteb(0.4, "B") | {"scores": scores}] for scores in (german, both)]
    models = [{"model_name": name, "task_results": own} for name, own in zip("mn", tasks, strict=True)]
    for place, model in enumerate(models):
        (tmp_path / f"{place}.json").write_text(json.dumps(model))
    with pytest.raises(InputError, match=r"1.json: B is of 'test/de, test/en' .* here, and of 'test/de' in .*0.json"):
        ig.suite([tmp_path / "0.json", tmp_path / "1.json"])
    (tmp_path / "all.json").write_text(json.dumps({"model_results": models}))
    with pytest.raises(InputError, match="topic B is 'test/de, test/en' here, and 'test/de' before"):
        ig.suite(tmp_path / "all.json")
