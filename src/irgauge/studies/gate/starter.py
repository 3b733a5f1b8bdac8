"""A workflow to start with, which `irgauge gate --init` writes."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

PLACE = Path(".github/workflows/retrieval-gate.yml")

_WORKFLOW = """\
# May this change ship? Written by `irgauge gate --init`: edit the lines marked "yours".
# An undecided gate is green; INPUT_UNDECIDED: fail makes it red. Run the gate once by hand, and commit eval/
# with its lock to the target branch first.
name: retrieval
on: pull_request
permissions:
  contents: read
  pull-requests: write # for the comment; changes from forks have none, and the page is in the summary of the job
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0
        with:
          python-version: "3.13"
      - run: ./make_run.sh > candidate.run # yours: your system on the topics of the judgments
      - name: Judgments, baseline and lock are those of the target branch, whatever the change does to them
        env:
          TARGET: ${{{{ github.base_ref }}}}
        run: |
          git fetch --quiet --depth=1 origin "refs/heads/$TARGET"
          git checkout --quiet FETCH_HEAD -- eval
      - run: python -I -m pip install irgauge=={version}
      - name: Gate
        id: gate
        env:
          INPUT_DATA: eval/qrels.txt # yours
          INPUT_BASELINE: eval/baseline.run # yours
          INPUT_CANDIDATE: candidate.run
          INPUT_MEASURES: "nDCG@10:1%" # yours, one on a line: the margin is the smallest loss that matters
          # Of tables of scores: INPUT_DATA: eval/baseline.csv, no INPUT_BASELINE, INPUT_CANDIDATE: candidate.csv.
          # INPUT_BY: query_type asks for verdicts on kinds of topics too; INPUT_OPTIONS has more options of
          # `irgauge gate`, as on a command line.
          INPUT_UNDECIDED: pass
          INPUT_MISSING: fail
          INPUT_LOCK: eval/gate.lock
        run: python -I -m irgauge.cli.workflow.gate
      - name: Comment
        env:
          SUMMARY: ${{{{ steps.gate.outputs.summary }}}}
          TOKEN: ${{{{ github.token }}}}
        run: python -I -m irgauge.cli.workflow.comment
      - name: Verdict
        env:
          CODE: ${{{{ steps.gate.outputs.exit-code }}}}
        run: exit "$CODE"
"""


def text() -> str:
    """The workflow, with the version at hand."""
    return _WORKFLOW.format(version=version("irgauge"))
