"""What if fewer documents had been judged?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="pools",
    question="What if fewer documents had been judged?",
    place=90,
    example="irgauge pools qrels.txt a.run b.run -m AP -m 'RBP(p=0.95)' --depths 10,25,100",
    about="Two runs under pools of their own top documents, in bootstrap images of the corpus; or every pair of any "
    "number of runs. A measure that is surer of a difference with fewer judgments is not to be trusted on shallow "
    "pools. Zobel and Rashidi (CIKM 2020).",
    charts={
        "p-values": "p-values against differences; of many pairs, with a pool against all judgments",
        "topics": "differences on topics, of one pair",
    },
    unit="pairs",
    runs_for="judgments are left out",
)
