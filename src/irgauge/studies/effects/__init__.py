"""How much do topic, system, shard and their interactions matter?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="effects",
    question="How much do topic, system, shard and their interactions matter?",
    place=50,
    example="irgauge effects qrels.txt runs/ -m AP -m P@10 --shards even:5 --shards die:5",
    about="Effect sizes ω² by measure and by way to split the documents; replicates of a table of scores are taken as "
    "shards.",
    charts={
        "sizes": "ω² of each factor and interaction, by measure",
        "curves": "ω² against the cut-offs of measures",
        "residuals": "quantiles of residuals against those of normal ones, by measure and way to split",
    },
    needs_runs=False,
)
