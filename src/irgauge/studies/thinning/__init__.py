"""Does the order of systems hold with fewer judgments?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="thinning",
    question="Does the order of systems hold with fewer judgments?",
    place=94,
    example="irgauge thinning qrels.txt runs/ -m AP -m Bpref -m infAP --way stratified --sizes 50,10,1",
    about="Judgments are thinned: to a share of each grade (Buckley and Voorhees, SIGIR 2004), to a share at random "
    "(Yilmaz and Aslam, CIKM 2006), or to the top documents of all runs. At each size: τ and τ_AP with the order by "
    "all judgments, τ between measures, how far effects move, and how many pairs a measure tells apart. It describes "
    "these systems; `pools` looks at pairs under pools of their own.",
    charts={
        "order": "τ with the order by all judgments, by what is judged",
        "power": "discriminative power, by what is judged",
    },
    runs_for="judgments are left out",
    unit="sets of judgments",
    has_section=False,
)
