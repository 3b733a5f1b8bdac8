"""What packages and programs that add to irgauge build on, from one place; each name is imported on its first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irgauge.extensions.registry import register
    from irgauge.inference.comparison import Comparison
    from irgauge.inference.corrections import Correction, own_level, shared_level
    from irgauge.inference.outcomes import (
        Outcome,
        compared,
        deviations,
        differences,
        in_blocks,
        on_values,
        ratio,
    )
    from irgauge.inference.tests.record import Test
    from irgauge.options.fields import Help
    from irgauge.options.verbs import verb
    from irgauge.provenance import Provenance
    from irgauge.replicates.given import Loaded, bench
    from irgauge.replicates.shards import Scheme, Sharding, fixed_shards, number_of_shards
    from irgauge.scoring.drawn import Shards
    from irgauge.scoring.list_functions import list_measure
    from irgauge.show.figure import Figure
    from irgauge.show.finding import Finding, sentence
    from irgauge.show.page import Variant, panel
    from irgauge.show.table import Column, Table
    from irgauge.studies.registry import Study
    from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown
    from irgauge.studies.result import Result
    from irgauge.studies.shared_options import Working

_HOME = {
    "Column": "show.table",
    "Comparison": "inference.comparison",
    "Correction": "inference.corrections",
    "Figure": "show.figure",
    "Finding": "show.finding",
    "Help": "options.fields",
    "Loaded": "replicates.given",
    "Outcome": "inference.outcomes",
    "Provenance": "provenance",
    "Ran": "studies.report_part",
    "ReportPart": "studies.report_part",
    "Reporting": "studies.report_part",
    "Result": "studies.result",
    "Scheme": "replicates.shards",
    "Sharding": "replicates.shards",
    "Shards": "scoring.drawn",
    "Shown": "studies.report_part",
    "Study": "studies.registry",
    "Table": "show.table",
    "Test": "inference.tests.record",
    "Variant": "show.page",
    "Working": "studies.shared_options",
    "bench": "replicates.given",
    "compared": "inference.outcomes",
    "deviations": "inference.outcomes",
    "differences": "inference.outcomes",
    "fixed_shards": "replicates.shards",
    "in_blocks": "inference.outcomes",
    "list_measure": "scoring.list_functions",
    "number_of_shards": "replicates.shards",
    "on_values": "inference.outcomes",
    "own_level": "inference.corrections",
    "panel": "show.page",
    "ratio": "inference.outcomes",
    "register": "extensions.registry",
    "sentence": "show.finding",
    "shared_level": "inference.corrections",
    "verb": "options.verbs",
}
__all__ = [
    "Column",
    "Comparison",
    "Correction",
    "Figure",
    "Finding",
    "Help",
    "Loaded",
    "Outcome",
    "Provenance",
    "Ran",
    "ReportPart",
    "Reporting",
    "Result",
    "Scheme",
    "Sharding",
    "Shards",
    "Shown",
    "Study",
    "Table",
    "Test",
    "Variant",
    "Working",
    "bench",
    "compared",
    "deviations",
    "differences",
    "fixed_shards",
    "in_blocks",
    "list_measure",
    "number_of_shards",
    "on_values",
    "own_level",
    "panel",
    "ratio",
    "register",
    "sentence",
    "shared_level",
    "verb",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # classes and functions
    """A name, imported when it is asked for: what a study says of itself stays light."""
    if name not in _HOME:
        raise AttributeError(f"module 'irgauge.extending' has no attribute '{name}'")
    return getattr(import_module(f"irgauge.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
