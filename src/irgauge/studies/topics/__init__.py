"""Which topics are hard, and which separate systems?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="topics",
    question="Which topics are hard, and which separate systems?",
    place=37,
    example="irgauge topics qrels.txt runs/ -m AP --chart topics.svg",
    about="The difficulty of a topic is the mean of its scores over systems, its separation their standard deviation. "
    "Its discrimination is the correlation, over systems, of its scores with the means of the other topics: below 0 it "
    "orders systems against them. These describe the systems at hand, and claim nothing of others.",
    charts={
        "difficulty": "topics by difficulty and separation",
        "scores": "the score of every system on every topic, the hardest first",
    },
    needs_runs=False,
    documents="judged",
)
