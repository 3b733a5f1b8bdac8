"""Which systems differ by random splits of the documents?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="partition",
    question="Which systems differ by random splits of the documents (the partition method)?",
    place=70,
    example="irgauge partition qrels.txt runs/ -m AP --splits 11; agreement of two measures: irgauge partition "
    "qrels.txt runs/ -m AP -m P@10 --chart agreement.png --chart-of agreement; as in the paper: irgauge "
    "partition qrels.txt runs/ --p paper",
    first=("measures", "parts", "splits", "p", "fill", "tests", "groups", "pair", "correction", "alpha"),
    about="An ANOVA of each of many random splits: it divides the documents into parts, and runs and judgments are "
    "restricted to each part; nothing is retrieved again. After Voorhees, Samarov and Soboroff (TOIS 2017); --p paper "
    "gives their p: a ranking of evidence, not an error rate. CSV has every pair and every split. Two "
    "measures stand in the two halves of the chart of agreement. A table of scores with replicates is one split, whose "
    "parts they are.",
    charts={
        "effects": "effects of systems in one split, with their intervals",
        "densities": "the difference of two systems, and what its p is",
        "decisions": "pairs by the tests that find them different; the tests must be asked for",
        "agreement": "pairs by how many splits disagree with the majority",
    },
    needs_runs=False,
)
