"""Can these data be used?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="check",
    question="Can these data be used?",
    place=10,
    example="irgauge check qrels.txt runs/",
    about="What a careful colleague would point out before any statistic: topics, depth, judged share, ties, "
    "suspicious runs. Exits with 2 if the data cannot be used as they are.",
    charts={"judged": "how many of the documents that each run ranks first are judged"},
    reads=("QRELS", "RUN..."),
    runs_for="these are what it looks at",
)
