"""What lm-evaluation-harness, promptfoo, DeepEval and ragas write, by their schemas (versions: oracles/tool_files)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import irgauge as ig
from irgauge import InputError, Scores, load_scores
from oracles.tool_files import deepeval_run, inspect_log, lines, lm_eval_samples, promptfoo_results, ragas_records


def written(path: Path, content: Any) -> Path:  # noqa: ANN401  # bytes, or what JSON holds
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def names(scores: Scores) -> list[str]:
    return [str(measure) for measure in scores.measures]


def test_samples_of_lm_eval(tmp_path: Path) -> None:
    paths = [
        written(tmp_path / model / "samples_gsm8k_2026-01-02T03-04-05.678901.jsonl", lm_eval_samples(right))
        for model, right in (("org__a", 1), ("org__b", 3))
    ]
    scores = load_scores(*paths)
    assert scores.systems == ("org/a", "org/b")
    assert names(scores) == ["exact_match.strict-match", "exact_match.flexible-extract"]
    assert scores.values[0, :, :, 0].T.tolist() == [[1, 0, 0, 0], [1, 1, 1, 0]]
    assert scores.about.query("2") == "What is 2?"
    assert scores.about.column("kind")["3"] == "odd"
    other = written(paths[0].with_name("samples_arc_2026-01-02T03-04-05.678901.jsonl"), lm_eval_samples())
    assert load_scores(paths[0], other).topics[:2] == ("arc/0", "arc/1")
    old = (
        lm_eval_samples().replace(b'"metrics": ["exact_match", "perplexity"], ', b"").replace(b"strict-match", b"none")
    )
    assert names(load_scores(written(tmp_path / "mine.jsonl", old)))[0] == "exact_match"


def test_results_of_promptfoo(tmp_path: Path) -> None:
    scores = load_scores(written(tmp_path / "results.json", promptfoo_results(repeat=2)))
    assert scores.systems == ("echo", "openai:gpt-4o")
    assert (scores.topics, scores.replicates) == (("0", "1", "2"), ("1", "2"))
    assert scores.replicate_column == "repetition"
    assert names(scores) == ["score", "tone"]
    assert scores.values[0, :, :, 1].tolist() == [[0.25, 1], [0.25, 0.5], [0.25, 0]]
    assert scores.about.column("description")["1"] == "test 1"
    both = promptfoo_results(prompts=("short", "long " * 20))
    assert load_scores(written(tmp_path / "two.json", both)).systems[:2] == ("echo / prompt 2", "echo / short")
    each = lines(promptfoo_results()["results"]["results"])
    assert load_scores(written(tmp_path / "lines.jsonl", each)).topics == ("0", "1", "2")


def test_a_provider_that_failed_has_no_score(tmp_path: Path) -> None:
    results = promptfoo_results()
    results["results"]["results"][0] |= {"failureReason": 2, "error": "timeout", "score": 0}
    path = written(tmp_path / "results.json", results)
    with pytest.raises(InputError, match="scores are missing on some of the 3 topics"):
        load_scores(path)
    assert load_scores(path, missing="drop").topics == ("1", "2")


@pytest.mark.parametrize("is_latest", [False, True])
def test_test_runs_of_deepeval(is_latest: bool, tmp_path: Path) -> None:  # noqa: FBT001  # of pytest
    run = {"testRunData": deepeval_run()} if is_latest else deepeval_run()
    scores = load_scores(written(tmp_path / "run.json", run))
    assert scores.systems == ("mine",)
    assert [(str(measure), measure.direction) for measure in scores.measures] == [
        ("Correctness [GEval]", "higher"),
        ("Bias", "lower"),
    ]
    assert scores.values[1, :, 0, 0].tolist() == [0.1, 0.35, 0.6, 0.85]
    assert scores.about.query("test_case_2") == "What is 2?"
    assert load_scores(written(tmp_path / "other.json", deepeval_run(None))).systems == ("x",)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "json"])
def test_metrics_of_ragas_are_measures_never_systems(ending: str, tmp_path: Path) -> None:
    paths = []
    for name, shift in (("ours", 0.0), ("theirs", 0.25)):
        records = ragas_records(shift)
        path = tmp_path / f"{name}.{ending}"
        frame = pl.DataFrame([row | {"retrieved_contexts": str(row["retrieved_contexts"])} for row in records])
        data = {"csv": frame.write_csv().encode(), "jsonl": lines(records), "json": json.dumps(records).encode()}
        frame.write_parquet(path) if ending == "parquet" else path.write_bytes(data[ending])
        paths.append(path)
    scores = load_scores(*paths)
    assert scores.systems == ("ours", "theirs")
    assert names(scores) == ["faithfulness", "factual_correctness(mode=f1)", "politeness of mine"]
    assert scores.values[2, 2].ravel().tolist() == [0.25, 0.5]
    assert scores.topics[0] == "What is 0?"
    said = Scores.of(str(paths[0]), _columns("topic=user_input,score=politeness of mine"))
    assert names(said) == ["politeness of mine"]


@pytest.mark.parametrize("index", [("",), ("Unnamed: 0",), ("index",), ("Unnamed: 0.1", "Unnamed: 0")])
def test_the_index_that_pandas_writes_is_no_metric_of_ragas(index: tuple[str, ...], tmp_path: Path) -> None:
    columns = ("user_input", "response", "faithfulness")
    rows = [[*index, *columns], *([*([str(n)] * len(index)), f"what is {n}?", "x", f"0.{n}"] for n in range(1, 4))]
    scores = load_scores(written(tmp_path / "ours.csv", "\n".join(map(",".join, rows)).encode()))
    assert (names(scores), scores.systems, scores.topics[0]) == (["faithfulness"], ("ours",), "what is 1?")
    assert list(scores.about.columns) == ["user_input"]


def test_the_index_that_pandas_writes_in_parquet_is_no_system(tmp_path: Path) -> None:
    wide = {"question": ["a", "b"], "x": [0.5, 0.75], "y": [0.25, 0.5], "__index_level_0__": [0, 1]}
    pl.DataFrame(wide).write_parquet(tmp_path / "wide.parquet")
    assert load_scores(tmp_path / "wide.parquet").systems == ("x", "y")


def test_the_metric_that_lacks_scores_is_named(tmp_path: Path) -> None:
    first, *others = ragas_records()
    lacking = written(tmp_path / "ours.jsonl", lines([first | {"faithfulness": None}, *others]))
    with pytest.raises(InputError, match=r"\(--missing\): (.|\n)*; only scores by faithfulness are missing"):
        load_scores(lacking)


def test_a_baseline_is_named_by_its_table_and_its_question_is_told_once(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{name}.jsonl", lines(ragas_records(shift))) for name, shift in (("a", 0), ("b", 1))]
    compared = ig.compare(paths, "politeness of mine", baseline="a.jsonl")
    assert compared.comparison.baseline == "a"
    assert compared.first.whole.scores.about.queries == {}  # these are the names of topics


def test_unequal_numbers_of_replicates_are_named(tmp_path: Path) -> None:
    rows = [f"{q},a,{epoch},0.{q}" for q in range(1, 4) for epoch in range(3)] + [f"{q},b,0,0.5" for q in range(1, 4)]
    path = written(tmp_path / "epochs.csv", "\n".join(["topic,system,replicate,score", *rows]).encode())
    with pytest.raises(InputError, match=r"^b has 1 replicate \(such as epochs, seeds or runs\), a has 3; give all"):
        load_scores(path)


def _columns(text: str) -> Any:  # noqa: ANN401  # the names that options give
    from irgauge.reading.tables.read import GivenNames

    return GivenNames(columns=text)


def nearly(content: dict[str, Any], *path: Any, value: Any) -> dict[str, Any]:  # noqa: ANN401  # keys and places
    inner: Any = content
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (promptfoo_results() | {"results": {"version": 3, "results": []}}, "promptfoo results without results"),
        ({"evalId": "e", "results": {"version": 3, "prompts": []}}, "promptfoo results without results"),
        ({"results": {"task": {"acc,none": 0.5}}, "configs": {}, "versions": {}}, "hold means alone; give the samples"),
        (
            nearly(promptfoo_results(), "results", "results", 1, "score", value="good"),
            r"results\.results\[1\]: the score 'good' is not a number",
        ),
        (nearly(deepeval_run(), "testCases", value=[]), "a DeepEval test run without test cases"),
        (deepeval_run() | {"testCases": [{"name": "a"}]}, "a DeepEval test run without scores"),
        (nearly(deepeval_run(), "testCases", 1, value=7), r"testCases\[1\]: a int where an object is needed"),
        ([{"user_input": "a", "response": "b"}], "ragas samples without metrics"),
        (lm_eval_samples().replace(b'["exact_match", ', b"["), "without a metric that is a number"),
        (
            lm_eval_samples().replace(b'"doc_id": 3', b'"id": 3'),
            r"x\.json:7: a sample of lm-evaluation-harness without",
        ),
    ],
)
def test_a_file_that_is_nearly_right_is_named(content: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        load_scores(written(tmp_path / "x.json", content))


def test_two_columns_of_promptfoo_of_one_name_are_no_repetitions(tmp_path: Path) -> None:
    results = promptfoo_results()
    for place, result in enumerate(results["results"]["results"]):
        result |= {"provider": {"id": "openai:gpt-4o"}, "promptIdx": place % 2}
    with pytest.raises(InputError, match=r"results\[1\]: two providers or prompts are called 'openai:gpt-4o'; give"):
        load_scores(written(tmp_path / "results.json", results))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (json.dumps(promptfoo_results()), json.dumps(promptfoo_results()).replace('"q": 1', '"q": 0')),
        (lm_eval_samples().decode(), lm_eval_samples().decode().replace("What is 2", "What is 0")),
        (json.dumps(deepeval_run("a")), json.dumps(deepeval_run("b")).replace("What is 1", "What is 0")),
        (json.dumps(inspect_log("a")), json.dumps(inspect_log("b")).replace("What is 2", "What is 1")),
    ],
)
def test_files_that_number_questions_in_two_ways_are_refused(first: str, second: str, tmp_path: Path) -> None:
    """Those of one file stand elsewhere in the other, as where a dataset was shuffled; other words are none."""
    paths = [written(tmp_path / "a.json", first.encode()), written(tmp_path / "b.json", second.encode())]
    message = r"b.json: its topic \w+ is topic \w+ of .*a.json: .*; the files number their"
    with pytest.raises(InputError, match=message):
        load_scores(paths)
    if "promptfoo" not in first and "openai" not in first:  # whose file has several systems
        with pytest.raises(InputError, match=message):
            ig.gate(paths[0], paths[1], margin=0.1)
    other = first.replace("openai:gpt-4o", "mine").replace('"echo"', '"yours"')
    reworded = written(tmp_path / "c.json", other.replace("What is 1", "Say 1").encode())
    assert load_scores([paths[0], reworded]).topics


def test_less_of_noise_sensitivity_is_better(tmp_path: Path) -> None:
    records = [record | {"noise_sensitivity(mode=relevant)": 0.5} for record in ragas_records()]
    measures = load_scores(written(tmp_path / "a.json", records)).measures
    assert {str(measure) for measure in measures if measure.direction == "lower"} == {
        "noise_sensitivity(mode=relevant)"
    }
