"""What was evaluated, and how, as fields of ir_metadata."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import yaml

import irgauge as ig

Irgauge = Callable[..., tuple[int, str, str]]


def test_measures_baseline_and_test_stand_in_a_sidecar(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    qrels, runs = demo / "qrels.txt", demo / "runs"
    given = ("compare", qrels, runs, "-m", "AP", "-m", "P@10", "--baseline", "F1-1")
    code, out, _ = run(*given, "--metadata", tmp_path / "ir.yaml")
    assert code == 0
    assert "F1-1" in out
    evaluation = yaml.safe_load((tmp_path / "ir.yaml").read_text())["research goal"]["evaluation"]
    assert evaluation == {
        "reported measures": ["AP", "P@10"],
        "baseline": ["F1-1"],
        "significance test": [
            {
                "name": "guarded t-test",
                "correction method": "Holm's correction",
                "alpha": 0.05,
                "population": "topics",
            }
        ],
    }
    _, alone, _ = run(*given, "-f", "metadata")
    assert yaml.safe_load(alone) == yaml.safe_load((tmp_path / "ir.yaml").read_text())


def test_a_header_with_these_fields_is_read_again(tmp_path: Path) -> None:
    qrels = {str(t): {"d": 1} for t in range(4)}
    runs = {name: {str(t): {"d": 1.0 + t % 2, "x": k + 0.5} for t in range(4)} for k, name in enumerate("ab")}
    fields = ig.compare(ig.load(qrels, runs), "AP", test="tukey").own_forms()["metadata"]
    text = str(fields(ig.compare(ig.load(qrels, runs), "AP", test="tukey")))
    header = "".join(f"# {line}\n" for line in ("ir_metadata.start", *text.splitlines(), "ir_metadata.end"))
    (tmp_path / "a.run").write_text(header + "0 Q0 d 1 2.5 a\n")
    collection = ig.load(qrels, tmp_path / "a.run", warn=False)
    evaluation = collection.headers["a"]["research goal"]["evaluation"]
    assert "baseline" not in evaluation
    assert evaluation["significance test"][0]["correction method"] == "corrected for all pairs together"
