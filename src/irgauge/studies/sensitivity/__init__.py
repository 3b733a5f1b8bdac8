"""How many pairs of systems does each measure tell apart?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="sensitivity",
    question="How many pairs of systems does each measure tell apart?",
    place=45,
    example="irgauge sensitivity qrels.txt runs/ -m AP -m nDCG@10 -m P@10 --chart curves.svg",
    about="The discriminative power of measures: the share of pairs of systems whose p is at most α, and the "
    "difference of means that this takes, by Sakai's paired bootstrap test of each pair (SIGIR 2006) and by the "
    "randomised Tukey test of all pairs together (WWW 2012). It describes measures, and says nothing of a single pair: "
    "`compare` does.",
    charts={
        "bootstrap": "p of all pairs by the paired bootstrap test, the smallest first, for each measure",
        "hsd": "the same by the randomised Tukey test",
    },
    needs_runs=False,
    documents="judged",
    has_section=False,
)
