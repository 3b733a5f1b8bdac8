"""Could unjudged documents change the answer?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="holes",
    question="Could unjudged documents change the answer?",
    place=92,
    example="irgauge holes qrels.txt runs/ -m nDCG@10 --baseline bm25",
    about="The smallest and the largest mean of each system, and difference of each pair, that any grades of the "
    "documents that nobody judged allow, the same grade in both runs. What holds whatever they are needs no more "
    "judgments. It is certain, and of these topics. With groups: how far the runs of each fall where it is left out of "
    "the pool (Zobel 1998). With likely grades: what these make of it, for these topics and for others.",
    charts={
        "bounds": "the mean of each system, and how far unjudged documents could move it",
        "groups": "how far the runs of each group fall without what it alone brought to the pool",
        "calibration": "likely grades against hidden judgments",
    },
    forms={"queue": "the documents to judge next, as CSV"},
    pages={"queue": "Also write the documents to judge next to this CSV file."},
    has_section=False,
    unit="topics",
    runs_for="it looks at unjudged documents",
)
