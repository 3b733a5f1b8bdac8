"""Which algorithm is better, or as good, when each run of it differs?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="instances",
    question="Which algorithm is better, or as good, when each run of it differs?",
    place=100,
    example="irgauge instances qrels.txt runs/ --pattern '{algorithm}.{seed}.run' --baseline exhaustive; runs that a "
    "file lists: irgauge instances qrels.txt runs/ --manifest runs.txt; scores with a column instance: irgauge "
    "instances scores.csv --baseline old --margin 0.01",
    first=("measures", "pattern", "manifest", "baseline", "margin", "by", "only", "model", "correction", "alpha"),
    about="For rankers that are random: sampled indexes, approximate nearest neighbours, seeds of neural rankers. Each "
    "pair of algorithms is better, worse, equivalent, not worse, not better or inconclusive against the margin. Runs "
    "need a manifest or a pattern, which says what each is an instance of. A table of scores has the columns "
    "algorithm, instance, topic and score, as in: irgauge instances scores.csv --baseline exhaustive",
    charts={
        "topics": "scores of two algorithms over their instances, topic by topic",
        "margins": "differences with their intervals, against the margin",
        "variance": "shares of topics, algorithms and instances in the variance of a score",
    },
    needs_runs=False,
    documents="judged",
)
