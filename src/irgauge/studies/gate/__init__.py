"""May this change ship?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="gate",
    question="May this change ship?",
    place=35,
    example="irgauge gate qrels.txt baseline.run candidate.run -m nDCG@10 --margin 1%; systems of a table: irgauge "
    "gate scores.csv old new --margin 0.02; lower is better: irgauge gate scores.csv old new -m latency_ms:lower:5%",
    first=("measures", "margin", "undecided", "lock", "by", "cluster", "summary"),
    about="For nightly runs and pull requests. It passes (exit 0) if the candidate is shown to be better than the "
    "baseline, equivalent, or not worse by the margin or more, in every measure; it fails (exit 1) if it is worse in "
    "one of them; else it is undecided (exit 3, or as --undecided says). Bad input is 2, so it never looks like "
    "a regression. Several runs of the candidate, or a folder or pattern of runs as the baseline, are those of a "
    "random system with other seeds. A table of scores may stand in place of the judgments: then BASELINE and "
    "CANDIDATE are systems in it, and their replicates are such runs, as in `irgauge gate scores.csv old new --margin "
    "0.02`; or name two tables of one system each.",
    charts={"margins": "the difference in each measure, against its margin"},
    forms={"line": "the verdict", "summary": "a page for a pull request"},
    form="line",
    pages={"summary": "Also write a page for a pull request to this Markdown file."},
    needs_runs=False,
    documents="judged",
    reads=("QRELS", "BASELINE", "CANDIDATE..."),
    has_section=False,
    starter="a workflow of GitHub that runs the gate on pull requests",
)
