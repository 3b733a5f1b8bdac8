"""Can these data be used?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="check",
    question="Can these data be used?",
    place=10,
    example="irgauge check qrels.txt runs/; how a table was understood: irgauge check scores.csv",
    about="What a careful colleague would point out before any statistic: topics, depth, judged share, ties, "
    "suspicious runs. Of tables of scores it says how they were understood: systems, topics, measures, replicates, "
    "directions, columns of topics; and how to say it otherwise. Exits with 2 if the data cannot be used as they are.",
    charts={"judged": "how many of the documents that each run ranks first are judged"},
    needs_runs=False,
    reads=("QRELS", "RUN...|SCORES"),
)
