"""The peer process: read all runs and score them with pytrec_eval. Arguments: qrels, then runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytrec_eval

MEASURES = {"map", "P_10", "ndcg", "recip_rank", "Rprec"}


def main(qrels: str, runs: list[str]) -> None:
    """Read with pytrec_eval's own parsers, one run at a time."""
    with Path(qrels).open() as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), MEASURES)
    for run in runs:
        with Path(run).open() as lines:
            evaluator.evaluate(pytrec_eval.parse_run(lines))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
