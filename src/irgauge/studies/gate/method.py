"""How verdicts come about, as far as nobody asks for it: what a lock keeps besides what is asked."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from irgauge.inference.corrections import BONFERRONI
from irgauge.inference.instance_tests import MEAN_SQUARES
from irgauge.reading.ordering import TIE_RULE
from irgauge.replicates.measured import Measuring
from irgauge.studies.gate.evidence import TEST
from irgauge.studies.gate.run_evidence import MODEL

if TYPE_CHECKING:
    from irgauge.studies.gate.inputs import Given


def method_of(inputs: Given) -> dict[str, Any]:
    """The test, the correction, the order of documents, what undefined scores are, and the version that does it.

    The number of the candidate's runs is part of it: it chooses the test, and a candidate may not leave out poor runs.
    """
    runs = len(inputs.candidate.runs)
    is_single = runs == len(inputs.baseline.runs) == 1
    return {
        "irgauge": version("irgauge"),
        "test": TEST.name if is_single else f"{MEAN_SQUARES}, {MODEL}",
        "correction": TEST.corrected_by.name if is_single else BONFERRONI.name,
        "order": TIE_RULE,
        "undefined": str(Measuring.fill),
        "candidate runs": runs,
    }
