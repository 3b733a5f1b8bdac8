"""The pages of studies: what is written by hand comes first, then what follows from the study itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from irgauge.show.references import REFERENCES
from irgauge.show.table import Table
from irgauge.show.words import capital
from irgauge.studies.registry import Study, studies
from irgauge.studies.result import Result
from website.commands import example, options
from website.examples import results
from website.markup import code, prose, table, text

ROWS = 6  # of a table that are shown


def overview(intro: str) -> str:
    """The page that lists all questions."""
    rows = [[f"[{text(one.question)}]({one.name}.md)", code(f"irgauge {one.name}")] for one in studies().values()]
    return f"{intro}\n\n{table(['question', 'command'], rows)}"


def heading(study: Study) -> str:
    """What a page starts with where nothing is written by hand."""
    return f"# {text(study.question)}\n\n{prose(study.about + study.more_about())}\n"


def appendix(study: Study) -> str:
    """What follows from the study: its example, tables, charts, options and references."""
    result = results().get(study.name)
    parts = ["## The command\n", example(study.name)]
    if result is not None:
        parts += ["## Its tables\n", EXAMPLE, *map(_table, result.tables())]
    if result is not None and study.charts:
        parts += ["## Its charts\n", *(_chart(study, result, name) for name in study.charts)]
    parts += ["## Its options\n", options(study.name), _python(study)]
    cited = list(references(study))
    parts += ["## References\n", "".join(f"- {text(one)}\n" for one in cited)] if cited else []
    return "\n".join(parts)


EXAMPLE = (
    "Of a small simulated collection, so that numbers are there to show how a table reads, not to be believed. A table "
    f"with more than {ROWS} rows is cut.\n"
)


def drawings(study: Study) -> Mapping[str, str]:
    """The charts of the example, by their places in the site; their captions are on the page."""
    result = results().get(study.name)
    if result is None:
        return {}
    figures = {name: replace(result.chart(name), caption=(), provenance=None) for name in study.charts}
    return {f"questions/{_file(study, name)}": figure.to_svg() for name, figure in figures.items()}


def _file(study: Study, chart: str) -> str:
    return f"{study.name}-{re.sub(r'[^a-z]+', '-', chart)}.svg"


def _chart(study: Study, result: Result, name: str) -> str:
    figure = result.chart(name)
    return (
        f"### Chart: {name}\n\n{prose(capital(study.charts[name]))}: {code(f'--chart-of {name}')}.\n\n"
        f"![{text(figure.alternative or figure.title)}]({_file(study, name)})\n\n"
        f"How to read it. {prose(' '.join(figure.sentences))}\n"
    )


def _table(shown: Table) -> str:
    return f"### Table: {text(shown.title)}\n\n{_cut(shown).partition(chr(10))[2]}\n"


def _cut(shown: Table) -> str:
    """The first rows, and what the columns mean; the title is the first line."""
    return shown.with_rows(shown.rows[:ROWS]).to_markdown()


def _python(study: Study) -> str:
    verb = f"[{code(f'irgauge.{study.name}')}](../reference.md#{study.name})"
    return f"From Python it is {verb}. [What its JSON holds](../json.md#{study.name}).\n"


def references(study: Study) -> Iterator[str]:
    """The papers that the study's part of the report names, and others of its methods."""
    named: Sequence[str] = study.part("section").PART.references if study.has_section else ()
    yield from (REFERENCES[key] for key in dict.fromkeys((*named, *BESIDE.get(study.name, ()))))


# papers behind what a report does not show, or shows only where it is asked for
BESIDE: Mapping[str, Sequence[str]] = {
    "compare": ("schuirmann-1987",),
    "gate": ("student-1908", "holm-1979", "schuirmann-1987", "banerjee-1960", "ramdas-2017"),
    "history": ("frick-2014",),
    "instances": ("schuirmann-1987",),
    "score": ("student-1908",),
    "suite": ("student-1908", "holm-1979", "welch-1947", "satterthwaite-1946", "al-mohamad-2022"),
}
