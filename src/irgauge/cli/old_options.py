"""The options that commands share, with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Form(StrEnum):
    """How results are printed."""

    table = "table"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"
    json = "json"


class ScoreForm(StrEnum):
    """How scores are printed; trec: the lines of trec_eval -q."""

    table = "table"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"
    json = "json"
    trec = "trec"
    parquet = "parquet"


class PageForm(StrEnum):
    """How a whole comparison is printed; html: a page."""

    table = "table"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"
    json = "json"
    html = "html"


class PrecisionOption(StrEnum):
    """Bits of scores when documents are put in order."""

    double = "double"
    single = "single"


class PopulationChoice(StrEnum):
    """What a claim generalises to."""

    documents = "documents"
    topics = "topics"
    both = "both"


class ResampleChoice(StrEnum):
    """What images are drawn from."""

    documents = "documents"
    topics = "topics"
    both = "both"


class UndefinedChoice(StrEnum):
    """What becomes of a topic without relevant documents in an image."""

    zero = "zero"
    skip = "skip"


class TestChoice(StrEnum):
    """Tests of pairs of systems."""

    tukey = "tukey"
    randomised_tukey = "randomised-tukey"
    t = "t"
    unpaired_t = "unpaired-t"
    wilcoxon = "wilcoxon"
    randomization = "randomization"


class CorrectionChoice(StrEnum):
    """Corrections of p-values for the family of pairs."""

    none = "none"
    bonferroni = "bonferroni"
    holm = "holm"
    bh = "bh"


Qrels = Annotated[str, typer.Argument(metavar="QRELS", help="Judgments: topic 0 docno grade. Plain or compressed.")]
Runs = Annotated[list[str], typer.Argument(metavar="RUN...", help="Run files, folders of runs, or glob patterns.")]
Measures = Annotated[
    list[str], typer.Option("--measure", "-m", help="A measure, such as AP, nDCG@10 or map; repeatable.")
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to this file; its extension chooses the format.")
]
Precision = Annotated[
    PrecisionOption, typer.Option(help="Precision of scores in the order; single orders as older trec_eval does.")
]
FillOption = Annotated[
    str, typer.Option("--fill", help="Value of undefined scores: zero, lq, med, mean, uq, one or a number.")
]
Alpha = Annotated[float, typer.Option(help="Intervals have confidence 1 − alpha.")]
OneMeasure = Annotated[list[str], typer.Option("--measure", "-m", help="The measure, one, such as AP or nDCG@10.")]
ShardsOption = Annotated[
    str | None,
    typer.Option("--shards", help="even:S, die:S, map:FILE, sizes:FILE, ordered:FILE:S or match:REGEX; else whole."),
]
ModelOption = Annotated[
    str | None, typer.Option("--model", help="MD1 to MD6 or a formula; MD6 with shards, MD1 without, if not given.")
]
CorpusSize = Annotated[int | None, typer.Option(help="Documents in the corpus; those seen if not given.")]
UndefinedOption = Annotated[
    str,
    typer.Option("--fill", help="Undefined scores: zero, lq, med, mean, uq, one, a number, drop topics, or resample."),
]
KeepSystems = Annotated[str, typer.Option("--keep-systems", help="all, a number, or a share such as top75%.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same numbers.")]
PopulationOption = Annotated[
    PopulationChoice | None,
    typer.Option("--population", help="What claims cover; documents with shards, topics without, if not given."),
]
FormOption = Annotated[Form | None, typer.Option("--format", "-f", help="How to print.")]
ChartOption = Annotated[Path | None, typer.Option("--chart", help="Draw to this .html, .svg, .png or .pdf file.")]
ChartOf = Annotated[
    str | None,
    typer.Option(
        "--chart-of",
        help="What to draw. compare: intervals, pairs, models; anova: main, or an interaction such as topic:system; "
        "robustness: stability, intervals; effects: sizes, curves; bootstrap: systems, ranks, topics, spread, "
        "deviations.",
    ),
]
Manifest = Annotated[
    Path | None,
    typer.Option(help="For runs: a file with run, algorithm and, if there are several, instance on each line."),
]
Pattern = Annotated[
    list[str] | None,
    typer.Option(help="For runs: what their names are like, such as '{algorithm}.{seed}.run'; repeatable."),
]
Workers = Annotated[int | None, typer.Option(min=1, help="Threads; all cores if not given.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")]
