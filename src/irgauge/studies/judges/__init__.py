"""What is a conclusion worth that rests on other judgments, such as a language model's?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="judges",
    question="What is a conclusion worth that rests on a model's judgments?",
    place=39,
    example="irgauge judges qrels.txt runs/ --judge gpt-4o=gpt-4o.qrels --judge llama=llama.qrels -m nDCG@10",
    first=("measures", "judges", "baseline", "margin", "groups", "sampled", "test", "alpha"),
    about="People's judgments come first, then runs; each --judge is a file of judgments by someone else, such as a "
    "language model, or a folder of them. For each judge: how many of the claims that people's judgments support it "
    "keeps, loses, adds and reverses, whether the best system is the same, how well the orders of systems agree, and "
    "how well the grades do, document by document. Judgments without runs give the last of these. "
    "Tables of scores may stand in place of people's judgments and runs: then each judge is a table, too.",
    charts={
        "survival": "how many of people's claims each judge keeps, loses and reverses, and how many it adds",
        "means": "systems by people's judgments and by those of each judge",
        "confusion": "grades by people and by each judge",
        "favour": "the systems and groups that each judge favours and disfavours most",
        "worth": "how many topics by people the topics are worth that only a judge judged",
    },
    layouts={"paper": "a row a judge: claims kept, lost, added and reversed, τ and κ with intervals"},
    needs_runs=False,
    documents="judged",  # scores are of the whole corpus, though runs are read with all documents
    reads=("PEOPLE RUN...|SCORES",),
    reads_told="People's judgments (topic 0 docno grade), then run files, folders of runs, or glob patterns. Or a "
    "table of the scores that people's judgments give.",
)
