"""Gates on needs with several wordings: as one on means that someone else took, and nothing a candidate can move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.errors import DesignError, InputError

NEEDS = 24


def _table(seed: int = 1, gain: float = 0.02) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    base, own = rng.uniform(0.3, 0.7, NEEDS), rng.normal(gain, 0.04, NEEDS)
    return pl.DataFrame(
        [
            {
                "question": f"q{t}",
                "prompt": f"q{t} p{w}",
                "type": "long" if t % 2 else "short",
                "system": name,
                "score": base[t] + of * own[t] + rng.normal(0, 0.05),
            }
            for t in range(NEEDS)
            for w in range(1 + t % 4)
            for of, name in enumerate(("old", "new"))
        ]
    )


def _averaged(table: pl.DataFrame) -> pl.DataFrame:
    return table.group_by("question", "type", "system", maintain_order=True).agg(pl.col("score").mean())


@pytest.mark.parametrize("seed", [1, 2])
def test_a_gate_on_wordings_is_one_on_their_means(seed: int) -> None:
    asked: dict[str, Any] = {"margin": 0.02, "by": "type"}
    table = _table(seed)
    gated = ig.gate(table, "old", "new", variants="prompt", **asked)
    means = ig.gate(_averaged(table), "old", "new", **asked)
    for name in ("difference", "low", "high", "margin_low", "margin_high", "p"):
        assert getattr(gated.each[0], name) == pytest.approx(getattr(means.each[0], name), rel=1e-9)
    assert gated.verdict == means.verdict
    assert [own.verdicts.verdicts for own in gated.each[0].sliced.slices] == [
        own.verdicts.verdicts for own in means.each[0].sliced.slices
    ]
    assert "for other needs like these" in gated.findings()[0].text
    assert gated.findings().of("wordings")


def test_two_tables_have_wordings_of_the_baseline_alone() -> None:
    table = _table()
    old, new = (table.filter(pl.col("system") == name) for name in ("old", "new"))
    more = pl.concat([new, new.head(20).with_columns(pl.col("prompt") + " more", score=pl.lit(1.0))])
    plain, padded = (ig.gate(old, candidate, variants="prompt", margin=0.02) for candidate in (new, more))
    assert padded.each[0].difference == plain.each[0].difference
    assert len(padded.not_counted) == 20


def test_runs_whose_topics_are_wordings_are_averaged_by_need() -> None:
    qrels = {f"{t}": {f"d{t}": 1} for t in range(40)}
    runs = {
        name: {f"{t}": {f"d{t}": 2.0, "x": 1.0 + 2 * ((t * t + add) % 3 == 0)} for t in range(40)}
        for add, name in enumerate(("old", "new"))
    }
    need = pl.DataFrame({"topic": list(qrels), "need": [f"n{t // 3}" for t in range(40)]})
    gated = ig.gate(
        qrels, {"old": runs["old"]}, {"new": runs["new"]}, "RR", margin=0.1, topics_table=need, variants="need"
    )
    scores = ig.score((qrels, runs), "RR").scores
    means = np.array([scores.values[0, 3 * n : 3 * n + 3, :, 0].mean(axis=0) for n in range(14)])
    order = [int(topic) for topic in scores.topics]
    assert order == sorted(order)
    new, old = scores.systems.index("new"), scores.systems.index("old")
    assert gated.each[0].difference == pytest.approx((means[:, new] - means[:, old]).mean())
    assert gated.topics == 14


def test_a_lock_keeps_whose_wordings_are_which_and_of_which_kind(tmp_path: Path) -> None:
    lock, table = tmp_path / "gate.lock", _table()
    asked: dict[str, Any] = {"variants": "prompt", "by": "type", "margin": 0.02, "lock": lock}
    ig.gate(table, "old", "new", **asked)
    ig.gate(table, "old", "new", **asked)
    moved = table.with_columns(type=pl.when(pl.col("question") == "q3").then(pl.lit("short")).otherwise(pl.col("type")))
    with pytest.raises(InputError, match="the kinds of topics changed"):
        ig.gate(moved, "old", "new", **asked)
    with pytest.raises(InputError, match="variants changed"):
        ig.gate(_averaged(table), "old", "new", **(asked | {"variants": None}))


def test_what_has_no_wordings_is_refused(tmp_path: Path) -> None:
    table = _table()
    several = table.with_columns(system=pl.col("system") + pl.lit(".1")).vstack(table)
    with pytest.raises(DesignError, match="one run of each side"):
        ig.gate(several, ["old", "old.1"], "new", variants="prompt", margin=0.02)
    path = tmp_path / "scores.csv"
    table.write_csv(path)
    with pytest.raises(InputError, match=r"scores\.csv: the column 'promt' is unknown; did you mean 'prompt'"):
        ig.gate(path, "old", "new", variants="promt", margin=0.02)


def test_columns_are_found_whatever_their_case(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    _table().write_csv(path)
    assert ig.compare(path, variants="PROMPT").comparison.topics == NEEDS
    assert ig.compare(_averaged(_table()), columns="topic=QUESTION").comparison.topics == NEEDS
