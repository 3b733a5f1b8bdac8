"""Which systems differ, and what does the claim cover?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="compare",
    question="Which systems differ, and what does the claim cover?",
    place=30,
    example="irgauge compare qrels.txt runs/ -m AP --shards even:5 --population topics",
    about="All pairs of systems, or each system against a baseline.",
    charts={
        "intervals": "means of systems with their intervals; with a baseline, differences from it",
        "pairs": "every pair, coloured by its p",
        "models": "intervals by model, on the shards asked for",
    },
    needs_runs=False,
)
