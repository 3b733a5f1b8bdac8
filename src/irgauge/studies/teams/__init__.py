"""Which team's best run is best?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="teams",
    question="Which team's best run is best?",
    place=36,
    example="irgauge teams qrels.txt runs/ -m AP --groups teams.txt",
    about="Teams by the mean of their best run, with its interval for other topics, and which of these runs do not "
    "differ significantly from the best. A best run was chosen by the scores that it is judged by, so that its mean is "
    "a little too high; the test is that of all pairs of runs, whose correction covers the choice.",
    charts={"best": "the best run of each team with its interval, and its other runs"},
    needs_runs=False,
    documents="judged",
)
