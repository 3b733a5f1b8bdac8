"""What was found as records: rows of the frame, and what JSON holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from irgauge.calibrating.rates import Rate
from irgauge.studies.calibrate.found import Calibration, Errors


def error_records(each: Iterable[Calibration]) -> list[dict[str, Any]]:
    """A row for each method and world."""
    return [_error(row) for one in each for row in (*one.errors, *one.verdicts)]


def _error(row: Errors) -> dict[str, Any]:
    of = {"population": row.method.population, "test": row.method.test, "correction": row.method.correction}
    what = {"promise": row.method.promise, "world": row.world, "systems": row.systems, "nominal": row.nominal}
    return of | what | asdict(row.rate) | {"verdict": row.verdict}


def content(one: Calibration) -> dict[str, Any]:
    """All of a population."""
    advised = one.advised
    named = {name: getattr(one, name) for name in ("population", "systems", "pairs", "topics", "trials")}
    return named | {
        "advised": {
            "test": advised.method.test,
            "correction": advised.method.correction,
            "verdict": advised.verdict,
            "worst": _error(advised.worst),
        },
        "errors": error_records([one]),
        "power_of_families": [
            {"test": row.method.test, "correction": row.method.correction, "delta": row.delta} | asdict(row.rate)
            for row in one.found
        ],
        "power_of_pairs": [
            {"test": row.test, "topics": row.topics, "delta": row.delta}
            | _of(row.single, "single")
            | _of(row.family, "family")
            for row in one.powers
        ],
        "detectable": [asdict(row) for row in one.detectable.values()],
        "coverage": [
            {"interval": row.name, "of": row.of, "nominal": row.nominal} | asdict(row.rate) | {"verdict": row.verdict}
            for row in one.coverage
        ],
        "holds_up": [
            {"test": row.method.test, "correction": row.method.correction}
            | {name: value for name, value in asdict(row).items() if name != "method"}
            for row in one.holds_up
        ],
    }


def _of(rate: Rate | None, name: str) -> dict[str, float | None]:
    found = (None, None) if rate is None else (rate.observed, rate.error)
    return dict(zip((name, f"{name}_error"), found, strict=True))
