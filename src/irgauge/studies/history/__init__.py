"""Since when does it differ?"""

from irgauge.studies.registry import Study

STUDY = Study(
    name="history",
    question="How did scores develop, and since when do they differ?",
    place=34,
    example="irgauge history nights.sqlite --chart nights.svg",
    about="FILE is what `gate --history` or `compare --history` wrote. Each measure has a line: the difference of the "
    "candidate from the baseline at each gate, with its interval; or of --system from --reference, in gates and "
    "comparisons. It says where the mean over topics changed, with an interval of the time, and on which topics. Where "
    "the judgments, the topics or the way of reading changed, scores cannot be compared: the line is cut there, and "
    "starts anew. -o history.parquet has all points, -o history.html is one page with everything.",
    charts={"development": "the difference from the reference over time, and where it changed"},
    forms={"html": "one page with everything"},
    needs_runs=False,
    documents="judged",
    reads_runs=False,
    reads=("FILE",),
    reads_told="A history, as `gate --history` writes it.",
    has_section=False,
)
