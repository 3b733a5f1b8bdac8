"""A form that only a comparison has: what was evaluated, and how, as fields of ir_metadata."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from irgauge.inference.tests.registry import TESTS
from irgauge.studies.compare.study import Compared


def metadata(result: Compared) -> str:
    """The fields `research goal: evaluation:` of ir_metadata (Breuer, Keller and Schaer 2022), as YAML.

    They stand in a file beside a run, or, each line after `# `, in the header of a run between
    `# ir_metadata.start` and `# ir_metadata.end`.
    """
    import yaml

    return yaml.safe_dump(fields_of(result), sort_keys=False, allow_unicode=True)


def fields_of(result: Compared) -> dict[str, Any]:
    """Measures, baseline and significance test under the names of ir_metadata; what else a claim rests on beside."""
    comparison = result.comparison
    test: dict[str, Any] = {
        "name": TESTS[comparison.test].title,
        "correction method": comparison.corrected_by.title,
    }
    test |= {"alpha": comparison.alpha, "population": comparison.population}
    evaluation: dict[str, Any] = {"reported measures": [each.measure for each in result.each]}
    if comparison.baseline is not None:
        evaluation["baseline"] = [comparison.baseline]
    return {"research goal": {"evaluation": evaluation | {"significance test": [test]}}}


FORMS: Mapping[str, Callable[[Compared], str | bytes]] = {"metadata": metadata}
