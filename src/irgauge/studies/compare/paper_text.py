"""The sentences of a comparison for a paper, in Markdown and in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from irgauge.show.escapes import markdown_text
from irgauge.show.finding import Finding
from irgauge.show.fitting import breakable
from irgauge.show.hints import without_hints
from irgauge.show.words import counted
from irgauge.studies.compare.paper_sentences import allowed, not_allowed, of_all_together, of_whole_page, warnings_of
from irgauge.studies.compare.study import Compared

_HEADS = ("section", "subsection")  # of LaTeX, by level


class Part(NamedTuple):
    """A heading and what stands under it, as plain text."""

    level: int  # 0: what one may do; 1: of one comparison
    title: str
    paragraph: str = ""
    items: tuple[str, ...] = ()
    rest: str = ""


def parts_of(result: Compared) -> Iterator[Part]:
    """What one may write, what must be said with it, and what one may not write, with the nouns of the data."""
    said = result.nouns.said
    for part in _parts(result):
        yield Part(part.level, said(part.title), said(part.paragraph), tuple(map(said, part.items)), part.rest)


def _parts(result: Compared) -> Iterator[Part]:
    yield Part(0, "What you may write")
    for own in allowed(result):
        rest = f"{counted(own.left, 'more pair')}: irgauge compare … --table pairs." if own.left else ""
        yield Part(1, own.title, f"{own.method.text} {own.rate.text}", _items(own.pairs), rest)
    if together := _items([*of_whole_page(result), *of_all_together(result)]):
        yield Part(1, "All together", items=together)
    if warnings := _items(warnings_of(result.findings())):
        yield Part(0, "What you must say with it", items=warnings)
    yield Part(0, "What you may not write", items=tuple(dict.fromkeys(own.text for own in not_allowed(result))))


def _items(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(without_hints(finding.text) for finding in findings))


def in_markdown(parts: Iterable[Part]) -> Iterator[str]:
    """Lines of Markdown."""
    for part in parts:
        yield f"{'#' * (part.level + 1)} {markdown_text(part.title)}\n"
        items = "".join(f"- {markdown_text(text)}\n" for text in part.items)
        texts = (markdown_text(part.paragraph), items.rstrip("\n"), markdown_text(part.rest))
        yield from (f"{text}\n" for text in texts if text)


def in_latex(parts: Iterable[Part]) -> Iterator[str]:
    """Lines of LaTeX, to be set or copied from."""
    for part in parts:
        yield f"\\{_HEADS[part.level]}*{{{breakable(part.title)}}}"
        yield from filter(None, (breakable(part.paragraph),))
        if part.items:
            yield r"\begin{itemize} \sloppy"
            yield from (f"\\item {breakable(text)}" for text in part.items)
            yield r"\end{itemize}"
        yield from filter(None, (breakable(part.rest),))
        yield ""
