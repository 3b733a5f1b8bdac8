"""What makes scores vary?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="anova",
    question="What makes scores vary?",
    place=40,
    example="irgauge anova qrels.txt runs/ -m AP --shards even:5 --model MD6 --against MD4",
    about="The ANOVA table of topics, systems, shards and their interactions; replicates of a table of scores are "
    "taken as shards.",
    charts={
        "main": "means of topics, systems and shards",
        "topic:system": "how systems compare from topic to topic",
        "system:shard": "how systems compare from shard to shard",
        "topic:shard": "how topics compare from shard to shard",
        "residuals": "quantiles of residuals against those of normal ones",
    },
    needs_runs=False,
    documents="needed",
)
