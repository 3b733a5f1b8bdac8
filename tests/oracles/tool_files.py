"""Small files as tools write them, after their documented schemas; the version that each follows is named."""

from __future__ import annotations

import io
import itertools
import json
import zipfile
from typing import Any


def inspect_log(model: str = "openai/gpt-4o", *, epochs: int = 2, right: int = 1, task: str = "qa") -> dict[str, Any]:
    """A log of Inspect AI 0.3.285 (version 2), of three samples, of which some are right."""
    samples = [
        {
            "id": number,
            "epoch": epoch,
            "input": f"What is {number}?",
            "target": str(number),
            "scores": {
                "match": {"value": "C" if number <= right else "I", "answer": "1"},
                "judge": {"value": {"fluency": 0.5, "safe": True}},
                "graded": {"value": ["C", "P", "N"][number - 1]},
            },
            "metadata": {"kind": "odd" if number % 2 else "even", "model": "x", "nested": {"a": 1}},
        }
        for epoch in range(1, epochs + 1)
        for number in (1, 2, 3)
    ]
    run = {"task": task, "model": model, "task_args_passed": {}, "dataset": {"sample_ids": [1, 2, 3]}}
    return {"version": 2, "status": "success", "eval": run, "results": {}, "samples": samples}


def inspect_archive(log: dict[str, Any], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The same as `.eval`: a member for the header and for each sample."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr("_journal/start.json", json.dumps({"eval": log["eval"]}))
        for sample in log["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps({key: value for key, value in log.items() if key != "samples"}))
    return file.getvalue()


def lines(records: list[dict[str, Any]]) -> bytes:
    """JSON lines."""
    return "".join(f"{json.dumps(record)}\n" for record in records).encode()


def lm_eval_samples(right: int = 1) -> bytes:
    """Samples of lm-evaluation-harness 0.4.13: four questions, each with two filters of answers."""
    samples = [
        {
            "doc_id": number,
            "doc": {"question": f"What is {number}?", "kind": "odd" if number % 2 else "even", "choices": ["a", "b"]},
            "target": "a",
            "arguments": {"gen_args_0": {"arg_0": "What"}},
            "resps": [["a"]],
            "filtered_resps": ["a"],
            "filter": name,
            "metrics": ["exact_match", "perplexity"],
            "doc_hash": "h",
            "prompt_hash": "p",
            "target_hash": "t",
            "exact_match": float(number < right),
            "perplexity": [-1.5, 3],
        }
        for number in range(4)
        for name in ("strict-match", "flexible-extract")
    ]
    return lines(samples)


def promptfoo_results(*, repeat: int = 1, prompts: tuple[str, ...] = ("Answer {{q}}",)) -> dict[str, Any]:
    """Results of promptfoo 0.118 (version 3): two providers, with each prompt, on three tests."""
    results = [
        {
            "promptIdx": column,
            "testIdx": 3 * again + test,
            "testCase": {"description": f"test {test}", "vars": {"q": test}, "metadata": {"kind": "sums"}},
            "provider": {"id": provider, "label": ""},
            "prompt": {"raw": prompt, "label": prompt},
            "vars": {"q": test},
            "success": test == 0,
            "failureReason": int(test > 0),
            "score": [1, 0.5, 0][test] if provider == "openai:gpt-4o" else 0.25,
            "namedScores": {"tone": 0.75},
            "latencyMs": 10,
        }
        for again in range(repeat)
        for test in range(3)
        for column, (provider, prompt) in enumerate(itertools.product(("openai:gpt-4o", "echo"), prompts))
    ]
    return {
        "evalId": "eval-1",
        "results": {"version": 3, "prompts": [], "results": results, "stats": {"successes": 2}},
        "config": {},
    }


def deepeval_run(identifier: str | None = "mine") -> dict[str, Any]:
    """A test run of DeepEval 4.3.1: of a metric more is better, of the other less, as the threshold tells."""
    cases = [
        {
            "name": f"test_case_{number}",
            "input": f"What is {number}?",
            "metricsData": [
                {"name": "Correctness [GEval]", "threshold": 0.5, "success": number > 1, "score": number / 4 + 0.1},
                {"name": "Bias", "threshold": 0.5, "success": number < 2, "score": number / 4 + 0.1},
            ],
            "metadata": {"kind": "odd" if number % 2 else "even"},
            "order": number,
        }
        for number in range(4)
    ]
    run = {"testCases": cases, "conversationalTestCases": [], "metricsScores": [], "hyperparameters": {"model": "x"}}
    return run if identifier is None else run | {"identifier": identifier}


def ragas_records(shift: float = 0) -> list[dict[str, Any]]:
    """Results of ragas 0.4.3: `EvaluationResult.to_pandas()` as records, with a metric of one's own."""
    return [
        {
            "user_input": f"What is {number}?",
            "retrieved_contexts": ["one", "two"],
            "response": f"It is {number + shift}.",
            "reference": str(number),
            "faithfulness": number / 4,
            "factual_correctness(mode=f1)": 0.5,
            "politeness of mine": shift + number / 8,
        }
        for number in range(4)
    ]


TOOL_FILES: dict[str, bytes] = {
    "inspect.json": json.dumps(inspect_log()).encode(),
    "inspect.eval": inspect_archive(inspect_log()),
    "lm_eval.jsonl": lm_eval_samples(),
    "promptfoo.json": json.dumps(promptfoo_results()).encode(),
    "deepeval.json": json.dumps(deepeval_run()).encode(),
    "ragas.jsonl": lines(ragas_records()),
}
