"""Which systems are better over many collections?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="suite",
    question="Which systems are better over many collections?",
    place=32,
    example="irgauge suite collections/ -m nDCG@10 --baseline bm25 -o suite.html",
    first=("measures", "baseline", "margin", "weights", "by", "alpha"),
    about="For suites of test collections such as BEIR. Each collection is a folder in DIR with the judgments, `qrels` "
    "(qrels.txt, qrels.tsv.gz, qrels/test.tsv, ...), and a folder `runs`; or a table of scores in DIR, named after the "
    "collection. Systems are matched by the names of their runs; those that are missing somewhere are left out, and "
    "named. Each collection counts the same, or by its topics (--weights topics). Results of MTEB, by their "
    "folder or files, are means of tasks: claims are for other tasks alone.\n\n"
    "Systems are compared on each collection, and over all of them, for two populations:\n\n"
    "- same collections: other topics of these collections, by a t-test stratified by collection.\n\n"
    "- collections: other collections, of which these are a sample, by how far collections disagree; its error is "
    "never below that for the same ones.\n\n"
    "All claims are corrected over the pairs. -o suite.html writes one page with everything.",
    charts={
        "systems": "differences from the best, or from the baseline, over collections and on each of them",
        "ranks": "the ranks that each system may have, for each population",
        "collections": "every system on every collection, by what is said of it there",
    },
    forms={"html": "one page with everything"},
    needs_runs=False,
    documents="judged",
    reads=("DIR...",),
    reads_told="A folder of collections; or several, or the collections themselves.",
    has_section=False,
)
