"""How precise is each measure?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="bootstrap",
    question="How precise is each measure?",
    place=80,
    example="irgauge bootstrap qrels.txt runs/ -m AP -m 'RBP(p=0.95)' --keep-systems 50 --corpus-size 528155",
    first=("measures", "images", "pairs", "per_topic", "keep_systems", "keep", "corpus_size", "alpha"),
    about="Scores, differences and ranks in bootstrap images of the corpus. An image is a sample of all documents with "
    "replacement, the same for every system and topic; runs and judgments are adjusted to it, nothing is retrieved "
    "again. Zobel and Rashidi (CIKM 2020). "
    "Give the size of the corpus where runs and judgments do not name every document.",
    charts={
        "systems": "means of systems over images",
        "ranks": "their ranks",
        "deviations": "standard deviations of means, by rank",
        "topics": "scores of one system on each topic",
        "spread": "how much scores vary on each topic",
    },
    unit="images",
    runs_for="documents are drawn with replacement",
)
