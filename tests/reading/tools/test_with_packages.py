"""Files that the packages themselves write, without models; `make tools` makes an environment that has them."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from irgauge import Scores, load_scores

# what these packages warn of is none of ours
pytestmark = [pytest.mark.filterwarnings("ignore")]


def package(name: str) -> Any:  # noqa: ANN401  # a module
    return pytest.importorskip(name, reason=f"{name} is not installed; see make tools", exc_type=ImportError)


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No reports on their use, and files of their own in a folder that goes."""
    monkeypatch.chdir(tmp_path)
    for name in ("DEEPEVAL_TELEMETRY_OPT_OUT", "RAGAS_DO_NOT_TRACK", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "1")


def measures(scores: Scores) -> list[str]:
    return [str(measure) for measure in scores.measures]


@pytest.mark.parametrize("form", ["eval", "json"])
def test_logs_of_inspect_ai(form: str, tmp_path: Path) -> None:
    inspect, scoring = package("inspect_ai"), package("inspect_ai.scorer")
    sample, output = package("inspect_ai.dataset").Sample, package("inspect_ai.model").ModelOutput

    @package("inspect_ai.solver").solver  # type: ignore[untyped-decorator]  # of Inspect
    def answer(text: str) -> Any:  # noqa: ANN401  # of Inspect
        async def solve(state: Any, generate: Any) -> Any:  # noqa: ANN401, ARG001  # of Inspect
            state.output = output.from_content("mockllm/model", text)
            return state

        return solve

    @scoring.scorer(metrics=[scoring.accuracy()])  # type: ignore[untyped-decorator]  # of Inspect
    def graded() -> Any:  # noqa: ANN401  # of Inspect
        async def score(state: Any, target: Any) -> Any:  # noqa: ANN401, ARG001  # of Inspect
            return scoring.Score(value="CIPN"[state.sample_id - 1])

        return score

    samples = [
        sample(id=n, input=f"What is {n}?", target=str(n), metadata={"kind": "odd" if n % 2 else "even"})
        for n in range(1, 5)
    ]
    task = inspect.Task(dataset=samples, solver=answer("1"), scorer=[scoring.match(), graded()], name="qa")
    [log] = inspect.eval(task, model="mockllm/model", epochs=2, log_format=form, log_dir=str(tmp_path), display="none")
    scores = load_scores(next(tmp_path.glob(f"*.{form}")))
    assert (scores.systems, scores.replicates) == (("mockllm/model",), ("1", "2"))
    assert scores.values[:, :, 0, 0].tolist() == [[1, 0, 0, 0], [1, 0, 0.5, 0]]
    computed = {score.name: score.metrics["accuracy"].value for score in log.results.scores}
    assert dict(zip(measures(scores), scores.values.mean(axis=(1, 2, 3)).tolist(), strict=True)) == computed
    assert scores.about.column("kind")["2"] == "even"


def test_samples_of_lm_eval(tmp_path: Path) -> None:
    loggers = package("lm_eval.loggers")
    tracker = loggers.EvaluationTracker(output_path=str(tmp_path))
    tracker.general_config_tracker.model_name_sanitized = "org__mine"
    tracker.date_id = "2026-01-02T03-04-05.678901"
    tracker.save_results_samples(
        "gsm8k",
        [
            {
                "doc_id": number,
                "doc": {"question": f"What is {number}?"},
                "target": 1,
                "arguments": [("What", {"until": ["."]})],
                "resps": [["a"]],
                "filtered_resps": ["a"],
                "filter": "none",
                "metrics": ["acc"],
                "acc": float(number % 2),
            }
            for number in range(4)
        ],
    )
    scores = load_scores(next(tmp_path.rglob("samples_*.jsonl")))
    assert (scores.systems, measures(scores)) == (("org/mine",), ["acc"])
    assert scores.values.ravel().tolist() == [0, 1, 0, 1]


def test_test_runs_of_deepeval(tmp_path: Path) -> None:
    deepeval = package("deepeval")
    configs, case = package("deepeval.evaluate.configs"), package("deepeval.test_case").LLMTestCase
    base: Any = package("deepeval.metrics").BaseMetric

    class Length(base):  # type: ignore[misc]  # of DeepEval
        def __init__(self, name: str, *, is_lower: bool) -> None:
            self.name, self.is_lower, self.threshold, self.async_mode = name, is_lower, 0.35, False

        def measure(self, test_case: Any, *_: object, **__: object) -> float:  # noqa: ANN401  # of DeepEval
            self.score = len(test_case.actual_output) / 10
            self.success = (self.score < self.threshold) == self.is_lower
            return self.score

        async def a_measure(self, test_case: Any, *_: object, **__: object) -> float:  # noqa: ANN401  # of DeepEval
            return self.measure(test_case)

        def is_successful(self) -> bool:
            return bool(self.success)

        @property
        def __name__(self) -> str:
            return self.name

    cases = [case(input=f"q{n}", actual_output="x" * n) for n in range(1, 6)]
    metrics = [Length("Length", is_lower=False), Length("Wordiness", is_lower=True)]
    display = configs.DisplayConfig(print_results=False, show_indicator=False, results_folder=str(tmp_path / "out"))
    deepeval.evaluate(
        cases, metrics, async_config=configs.AsyncConfig(run_async=False), display_config=display, identifier="mine"
    )
    for path in (next((tmp_path / "out").glob("*.json")), tmp_path / ".deepeval" / ".latest_test_run.json"):
        scores = load_scores(path)
        assert scores.systems == ("mine",)
        assert [(str(measure), measure.direction) for measure in scores.measures] == [
            ("Length", "higher"),
            ("Wordiness", "lower"),
        ]
        assert scores.values[0].ravel().tolist() == [0.1, 0.2, 0.3, 0.4, 0.5]


def test_results_of_ragas(tmp_path: Path) -> None:
    ragas = package("ragas")
    tracing, evaluated = package("ragas.callbacks"), package("ragas.dataset_schema").EvaluationResult
    samples = [
        ragas.SingleTurnSample(user_input=f"What is {n}?", retrieved_contexts=["a"], response="x", reference="y")
        for n in range(4)
    ]
    about = {"type": tracing.ChainType.EVALUATION}
    root = tracing.ChainRun(
        run_id=str(uuid.uuid4()), parent_run_id=None, name="run", inputs={}, outputs={}, metadata=about, children=[]
    )
    rows = [{"faithfulness": n / 4, "factual_correctness(mode=f1)": 0.5, "of mine": 1 - n / 4} for n in range(4)]
    result = evaluated(rows, ragas.EvaluationDataset(samples), ragas_traces={root.run_id: root})
    frame = result.to_pandas()
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_json(tmp_path / "b.jsonl", orient="records", lines=True)
    scores = load_scores(tmp_path / "a.csv", tmp_path / "b.jsonl")
    assert (scores.systems, measures(scores)) == (("a", "b"), list(rows[0]))
    assert scores.values[2, :, 0, 0].tolist() == scores.values[2, :, 1, 0].tolist() == [1, 0.75, 0.5, 0.25]
