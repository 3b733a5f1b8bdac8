"""Which test and which interval keep their promise on these data, and what can they find?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="calibrate",
    question="Which test keeps its promise on these data, and what can it find?",
    place=105,
    example="irgauge calibrate qrels.txt runs/ -m nDCG@10 --quick",
    first=("measures", "quick", "trials", "baseline", "margin", "shards", "population", "alpha"),
    about="Experiments are drawn that look like yours, but whose truth is known: systems that are equally good, or "
    "better by a known amount. Every test and interval of irgauge is tried on them.\n\n"
    "- errors: how often equal systems are called different, where 5 % are promised.\n\n"
    "- power: how often a true difference is found, by its size and the number of topics.\n\n"
    "- holding up: what claims from half of the topics are worth on the other half.\n\n"
    "- coverage: how often intervals hold the truth.\n\n"
    "- clusters, weights, shares and kinds of topics: how often claims with and without them are false.",
    charts={
        "corner": "errors against power: the good corner is at the top left",
        "power": "how often a difference is found, by its size and the number of topics",
        "errors": "errors of each method in each world, with their Monte Carlo intervals",
    },
    needs_runs=False,
    documents="needed",
    unit="experiments",
)
