"""The peer that all know: C trec_eval, run by run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence

from benchmarks.clock import run_process
from benchmarks.data import Data

NOT_FOUND = "trec_eval not found; put it on the PATH or name it in TREC_EVAL"


def trec_eval(data: Data, measures: Sequence[str]) -> Callable[[], object] | None:
    """What scores all runs once by these measures; None where trec_eval is not there."""
    program = os.environ.get("TREC_EVAL") or shutil.which("trec_eval")
    if program is None:
        return None
    options = [part for measure in measures for part in ("-m", measure)]
    command = [program, "-q", "-c", *options, str(data.qrels)]
    return lambda: [run_process([*command, str(run)]) for run in data.runs]
