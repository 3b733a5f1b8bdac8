"""Which systems differ, and what does the claim cover?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="compare",
    question="Which systems differ, and what does the claim cover?",
    place=30,
    example="irgauge compare qrels.txt runs/ -m nDCG@10 -m AP --baseline bm25 --margin 2%; scores of any tool: "
    "irgauge compare scores.csv --by type; for other documents too: irgauge compare qrels.txt runs/ --shards even:5",
    first=("measures", "baseline", "margin", "by", "cluster", "shards", "population", "test", "correction", "alpha"),
    about="All pairs of systems, or each system against a baseline, each with a verdict.",
    tells_more=True,
    charts={
        "intervals": "means of systems with their intervals; with a baseline, differences from it and verdicts",
        "topics": "differences on each topic, from the largest gain to the largest loss",
        "pairs": "every pair, coloured by its p",
        "models": "intervals by model, on the shards asked for",
        "slices": "differences on all topics, and on each kind of them that --by names",
    },
    layouts={"paper": "systems by measures, the best in bold, significant differences marked, to fit a column"},
    forms={
        "metadata": "measures, baseline and test as fields of ir_metadata",
        "github": "the answer and a table of verdicts in Markdown, short enough for a comment on GitHub",
    },
    pages={"metadata": "Also write measures, baseline and test as fields of ir_metadata to this YAML file."},
    needs_runs=False,
    documents="needed",  # unjudged ones are looked at too, unless files are large
)
