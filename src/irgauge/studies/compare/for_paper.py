"""A comparison for a paper, as a folder: table, figure, caption, sentences, references, and scripts that repeat it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from irgauge.files.writing import check_free, filling, write
from irgauge.inference.scripts import LANGUAGES
from irgauge.inference.tests.registry import TESTS
from irgauge.provenance import package_versions
from irgauge.show.bibtex import entry, software
from irgauge.show.escapes import latex_text, markdown_text
from irgauge.show.figure import Figure
from irgauge.show.references import REFERENCES
from irgauge.show.words import ended
from irgauge.studies.compare.paper_text import in_latex, in_markdown, parts_of
from irgauge.studies.compare.recompute import left_out, recomputing, without_script
from irgauge.studies.compare.study import Compared

_LABEL = "fig:compare"
_OF_MARGINS = ("schuirmann-1987",)


def write_for_paper(result: Compared, folder: str | os.PathLike[str]) -> None:
    """Write all files, or none."""
    check_paper_folder(folder)
    files = dict(_files(result))
    with filling(folder) as temporary:
        for name, content in files.items():
            write(temporary / name, content)


def check_paper_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder that holds something, and a file."""
    check_free(folder, "files for a paper need")


def _files(result: Compared) -> Iterator[tuple[str, str | bytes]]:
    figure, bare = result.chart(), result.chart(title=False)
    yield "table.tex", result.to_latex("paper")
    yield "figure.svg", bare.drawn(".svg")
    yield "figure.pdf", bare.drawn(".pdf")
    yield "caption.txt", f"{_caption(figure)}\n"
    yield "caption.tex", f"\\caption{{{latex_text(_caption(figure))}}}\n\\label{{{_LABEL}}}\n"
    yield "sentences.md", "\n".join(_sentences(result))
    yield "sentences.tex", "\n".join(in_latex(parts_of(result)))
    yield "references.bib", "\n\n".join(_references(result)) + "\n"
    for language, ending in LANGUAGES.items():
        if not without_script(result, language):
            yield f"recompute{ending}", recomputing(result, language)


def _caption(figure: Figure) -> str:
    """What is drawn under the figure otherwise."""
    return " ".join(ended(text) for text in (figure.title, *figure.sentences, figure.method) if text)


def _references(result: Compared) -> Iterator[str]:
    """What the comparison rests on, in BibTeX."""
    yield software(package_versions()["irgauge"])
    yield from (entry(key, REFERENCES[key]) for key in cited(result))


def cited(result: Compared) -> list[str]:
    """The papers behind the tests and corrections that were used, by their keys."""
    comparisons = [comparison for compared in result.each for comparison in compared.comparisons]
    tests = (key for comparison in comparisons for key in TESTS[comparison.test].references)
    corrections = (key for comparison in comparisons for key in comparison.corrected_by.references)
    keys = dict.fromkeys([*tests, *corrections, *(_OF_MARGINS if result.margins is not None else ())])
    return [key for key in keys if key in REFERENCES]  # those of tests that others add are their own


def _sentences(result: Compared) -> Iterator[str]:
    """What one may write and what not, what to cite and what repeats it, in Markdown."""
    yield from in_markdown(parts_of(result))
    yield from ("# What to cite\n", *_citations(result))
    yield from ("# What repeats it\n", *_repeated(result))


def _citations(result: Compared) -> Iterator[str]:
    """The keys in references.bib."""
    yield f"- irgauge {package_versions()['irgauge']} (`irgauge`)"
    yield from (f"- {markdown_text(REFERENCES[key])} (`{key}`)" for key in cited(result))
    yield ""


def _repeated(result: Compared) -> Iterator[str]:
    """Which scripts there are, and what they leave out."""
    for language, ending in LANGUAGES.items():
        reason, left = without_script(result, language), left_out(result, language)
        if reason:
            yield f"- There is no `recompute{ending}`: {markdown_text(reason)}."
        else:
            has = f"all but {markdown_text(left)}" if left else "every claim about pairs"
            yield f"- `recompute{ending}`: {has}."
    yield ""
