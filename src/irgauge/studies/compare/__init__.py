"""Which systems differ, and what does the claim cover?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="compare",
    question="Which systems differ, and what does the claim cover?",
    place=30,
    example="irgauge compare qrels.txt runs/ -m nDCG@10 -m AP --baseline bm25 --margin 2%",
    about="All pairs of systems, or each system against a baseline, each with a verdict.\n\n"
    "Which test? If none is named, it is the right one for most: t with Holm's correction, for other topics.\n\n"
    "- t, holm: keeps its error rate where systems vary differently, as they do; a baseline gives it more power.\n\n"
    "- skewed-t, holm: where a few topics have large gains or losses, or topics are few; costs little power.\n\n"
    "- dunnett: against a baseline; a little more power with few topics, if all systems vary alike.\n\n"
    "- max-t: many systems that are much alike; its intervals fit its decisions exactly.\n\n"
    "- tukey, randomised-tukey: to repeat papers; they take it for granted that systems vary alike.\n\n"
    "- correction bh: to screen many systems; it limits the share of false findings, not the chance of one.",
    charts={
        "intervals": "means of systems with their intervals; with a baseline, differences from it and verdicts",
        "topics": "differences on each topic, from the largest gain to the largest loss",
        "pairs": "every pair, coloured by its p",
        "models": "intervals by model, on the shards asked for",
    },
    layouts={"paper": "systems by measures, the best in bold, significant differences marked, to fit a column"},
    forms={"metadata": "measures, baseline and test as fields of ir_metadata"},
    pages={"metadata": "Also write measures, baseline and test as fields of ir_metadata to this YAML file."},
    needs_runs=False,
)
