"""How large must the next experiment be?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="plan",
    question="How large must the next experiment be?",
    place=120,
    example="irgauge plan qrels.txt runs/ -m nDCG@10 --difference 0.02; "
    "without data: irgauge plan --components topic:system=0.01 --difference 0.02; what scores of any tool can find: "
    "irgauge plan scores.csv",
    first=(
        "measures",
        "difference",
        "margin",
        "width",
        "power",
        "baseline",
        "shards",
        "cluster",
        "judge",
        "components",
    ),
    about="Topics, and shards or instances, that the next experiment needs for an interval of a width (--width), to "
    "find a difference (--difference), or to show that two systems differ by less than a margin (--margin); the "
    "cheapest such experiment, where costs are given. It rests on pilot data: runs, a table of scores, runs that are "
    "instances (--manifest or --pattern); or on variance components that are typed in (--components), and no files. "
    "With --judge, topics by people and others that a judge alone judges, such as a language model, are planned for "
    "together, and the topics to give to people next are named. "
    "Without a goal it tells what the data at hand can find, and what it would take to halve their intervals. It also "
    "tells how reliable the ranking of systems is (Eρ², Φ, Kendall's τ), and how many topics would make it so.",
    charts={
        "goal": "what is reached with more topics, against the goal",
        "reliability": "how reliable the ranking of systems is, by the number of topics",
        "designs": "topics that are needed, by the number of shards or instances",
    },
    forms={"next": "the topics to give to people next, with --judge"},
    pages={"next": "With --judge, also write the topics to give to people next to this CSV file."},
    needs_runs=False,
    documents="needed",
    reads_with="judge",
    instead_of_data="components",
)
