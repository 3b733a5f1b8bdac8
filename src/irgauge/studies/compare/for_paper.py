"""A comparison for a paper, as a folder: table, figure, caption, sentences, references, and scripts that repeat it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from irgauge.files.writing import filling, write
from irgauge.inference.scripts import LANGUAGES
from irgauge.inference.tests.registry import TESTS
from irgauge.provenance import package_versions
from irgauge.show.bibtex import entry, software
from irgauge.show.column import in_column
from irgauge.show.escapes import latex_text, markdown_text
from irgauge.show.figure import Figure
from irgauge.show.references import REFERENCES
from irgauge.show.vega import of_svg
from irgauge.show.words import ended, listed, method_sentence
from irgauge.studies.compare.paper_options import check_paper_folder
from irgauge.studies.compare.paper_sentences import is_corrected
from irgauge.studies.compare.paper_text import Part, in_latex, in_markdown, parts_of
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


def _files(result: Compared) -> Iterator[tuple[str, str | bytes]]:
    figure, drawing = result.chart(), in_column(result.chart(title=False))
    yield "table.tex", result.to_latex("paper")
    yield "figure.svg", of_svg(drawing, ".svg")
    yield "figure.pdf", of_svg(drawing, ".pdf")
    caption = _caption(result, figure)
    yield "caption.txt", f"{caption}\n"
    yield "caption.tex", f"\\caption{{{latex_text(caption)}}}\n\\label{{{_LABEL}}}\n"
    parts = list(parts_of(result))
    yield "sentences.md", "\n".join(_sentences(result, parts))
    yield "sentences.tex", "\n".join(in_latex(parts))
    yield "references.bib", "\n\n".join(_references(result)) + "\n"
    for language, ending in LANGUAGES.items():
        if not without_script(result, language):
            yield f"recompute{ending}", recomputing(result, language)


def _caption(result: Compared, figure: Figure) -> str:
    """What is drawn under the figure otherwise, but for what is said elsewhere in it, and why the test is the usual."""
    provenance = result.provenance if figure.provenance is None else figure.provenance
    families = list(_families(result))
    left = ["usual", *(["family"] if families else [])]
    left += [] if is_corrected(result.comparison) else ["family", "correction"]
    left += ["margins"] if sum(text.startswith("Dashed lines") for text in figure.caption) == 1 else []
    method = method_sentence(provenance.without(*left))
    texts = (figure.title, *figure.sentences, method, *families)
    return result.nouns.said(" ".join(ended(text) for text in texts if text))


def _families(result: Compared) -> Iterator[str]:
    """What is corrected together by which measure, where they differ in that."""
    families = {compared.measure: compared.comparison.family for compared in result.each}
    if len(set(families.values())) > 1:
        for family in dict.fromkeys(families.values()):
            names = [name for name, own in families.items() if own == family]
            yield f"Tested together by {'each of ' * (len(names) > 1)}{listed(names)}: {family}"


def _references(result: Compared) -> Iterator[str]:
    """What the comparison rests on, in BibTeX."""
    yield software(package_versions()["irgauge"])
    yield from (entry(key, REFERENCES[key]) for key in cited(result))


def cited(result: Compared) -> list[str]:
    """The papers behind the tests and corrections that were used, by their keys."""
    comparisons = [comparison for compared in result.each for comparison in compared.comparisons]
    tests = (key for comparison in comparisons for key in TESTS[comparison.test].references)
    corrected = (comparison.corrected_by for comparison in comparisons if is_corrected(comparison))
    corrections = (key for correction in corrected for key in correction.references)
    keys = dict.fromkeys([*tests, *corrections, *(_OF_MARGINS if result.margins is not None else ())])
    return [key for key in keys if key in REFERENCES]  # those of tests that others add are their own


def _sentences(result: Compared, parts: Sequence[Part]) -> Iterator[str]:
    """What one may write and what not, what to cite and what repeats it, in Markdown."""
    yield from in_markdown(parts)
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
