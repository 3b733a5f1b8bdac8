"""How effective is each system?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="score",
    question="How effective is each system?",
    place=20,
    example="irgauge score qrels.txt runs/ -m AP -m nDCG@10; every topic to a file: irgauge score qrels.txt runs/ "
    "--per-topic -o scores.parquet; as trec_eval -q: irgauge score qrels.txt a.run --format trec",
    first=("measures", "per_topic", "by", "cluster", "weights", "variants", "topics_table", "missing", "rel"),
    about="Means over topics with standard errors and intervals. With --per-topic -o scores.parquet the score of every "
    "topic is saved as a long table (measure, topic, system, replicate, score) that other tools, and irgauge, can "
    "read.",
    charts={"means": "means of systems with their intervals, for each measure"},
    needs_runs=False,
    documents="judged",
    form_reads={"trec": {"topics": "judged"}},
    forms={"trec": "the lines of trec_eval -q"},
)
