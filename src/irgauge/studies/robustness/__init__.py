"""Do conclusions hold whatever the model, the number of shards and the split?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="robustness",
    question="Do conclusions hold whatever the model, the number of shards and the split?",
    place=60,
    example="irgauge robustness qrels.txt runs/ -m AP --shards 2,5,10 --resamples 10",
    about="Systems are compared on the whole corpus, and on several random even splits of the documents into each "
    "number of shards.",
    charts={
        "stability": "significant pairs and Kendall's τ by number of shards and method",
        "intervals": "Tukey's intervals of a model by number of shards, on the first split of each",
    },
    runs_for="documents are split again and again, into more and fewer parts",
)
