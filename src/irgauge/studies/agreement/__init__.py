"""Do measures agree on the order of systems?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="agreement",
    question="Do measures agree on the order of systems?",
    place=38,
    example="irgauge agreement qrels.txt runs/ -m AP -m nDCG@10 -m RR",
    about="Kendall's τ-b between the orders of systems by the means of each two measures, and the systems whose rank "
    "depends most on the measure. It describes these systems.",
    charts={"measures": "systems by both measures; of more than two measures, how well each pair agrees"},
    needs_runs=False,
    documents="judged",
)
