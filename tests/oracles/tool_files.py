"""Small files as tools write them, after their documented schemas; the version that each follows is named."""

from __future__ import annotations

import io
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


TOOL_FILES: dict[str, bytes] = {
    "inspect.json": json.dumps(inspect_log()).encode(),
    "inspect.eval": inspect_archive(inspect_log()),
}
