"""Drawings of what a claim covers, in docs/: topics across, documents down; python -m website.pictures writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from irgauge.show.verdicts import SHORT

DOCS = Path(__file__).parent.parent / "docs"

SIDE = 14  # pixels of a cell
COLUMNS, ROWS = 16, 9  # topics, documents
TOPICS, DOCUMENTS = 8, 5  # those that were measured
COLOURS = {"measured": "#2f5d8a", "covered": "#9cc3e6", "outside": "#e9ebee"}
LEGEND = {"measured": "measured", "covered": "also covered by the claim", "outside": "not covered"}
# population -> whether it reaches topics and documents that were not measured
REACH = {"topics": (True, False), "documents": (False, True), "both": (True, True)}
# population -> whether it reaches topics of these collections, and other collections
OVER = {"same collections": (True, False), "collections": (True, True)}
COLLECTIONS, HERE = 5, 3  # drawn, and of these measured


def pictures() -> Mapping[str, str]:
    """The drawings, by the names of their files."""
    grids = {name: _grid(name, *reach) for name, reach in REACH.items()}
    strips = {name.replace(" ", "-"): _strip(name, *reach) for name, reach in OVER.items()}
    return {f"populations-{name}.svg": drawing for name, drawing in {**grids, **strips}.items()}


def _grid(name: str, other_topics: bool, other_documents: bool) -> str:  # noqa: FBT001  # a row of the table above
    """Topics across, documents down."""
    cells = [
        _cell(column, row, _state(column < TOPICS, row < DOCUMENTS, other_topics, other_documents))
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]
    labels = [
        _text(0, -8, "these topics"),
        _text(TOPICS * SIDE + 6, -8, "other topics"),
        _text(COLUMNS * SIDE + 10, 2.6 * SIDE, "these documents"),
        _text(COLUMNS * SIDE + 10, 7.2 * SIDE, "other documents"),
    ]
    return _drawing(name, [*cells, *labels], COLUMNS * SIDE + 130, ROWS * SIDE)


def _state(is_topic: bool, is_document: bool, other_topics: bool, other_documents: bool) -> str:  # noqa: FBT001  # a cell
    if is_topic and is_document:
        return "measured"
    return "covered" if (is_topic or other_topics) and (is_document or other_documents) else "outside"


def _strip(name: str, other_topics: bool, other_collections: bool) -> str:  # noqa: FBT001  # a row of the table above
    """A row of topics for each collection."""
    cells, labels = [], [_text(0, -8, "these topics"), _text(TOPICS * SIDE + 6, -8, "other topics")]
    for row in range(COLLECTIONS):
        is_here = row < HERE
        for column in range(COLUMNS):
            covered = (is_here or other_collections) and other_topics
            state = "measured" if is_here and column < TOPICS else "covered" if covered else "outside"
            cells.append(_cell(column, row * 1.3, state))
        named = f"collection {row + 1}" if is_here else "another collection"
        labels.append(_text(COLUMNS * SIDE + 10, (row * 1.3 + 0.75) * SIDE, named))
    return _drawing(name, [*cells, *labels], COLUMNS * SIDE + 130, COLLECTIONS * 1.3 * SIDE)


def _cell(column: int, row: float, state: str) -> str:
    place = f'x="{column * SIDE}" y="{row * SIDE:g}" width="{SIDE - 2}" height="{SIDE - 2}"'
    return f'<rect {place} rx="2" fill="{COLOURS[state]}"/>'


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{words}</text>'


def _legend(y: float, states: Sequence[str]) -> Iterator[str]:
    for state, x in zip(states, (0, 90, 260), strict=False):
        yield f'<rect x="{x}" y="{y:g}" width="{SIDE - 2}" height="{SIDE - 2}" rx="2" fill="{COLOURS[state]}"/>'
        yield _text(x + SIDE + 3, y + 10, LEGEND[state])


def _drawing(name: str, parts: Sequence[str], width: float, height: float) -> str:
    """A picture with its legend, on white, so that it reads in dark colours too."""
    title = f"{name}: {SHORT[name]}"
    states = [state for state, colour in COLOURS.items() if any(colour in one for one in parts)]
    body = "".join([*parts, *_legend(height + 14, states)])
    wide, high = max(width, 410) + 24, height + 72
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -28 {wide:g} {high:g}" width="{wide:g}" '
        f'height="{high:g}" font-family="sans-serif" font-size="11" fill="#333" role="img"><title>{title}</title>'
        f'<rect x="-12" y="-28" width="{wide:g}" height="{high:g}" fill="#fff"/>{body}</svg>\n'
    )


if __name__ == "__main__":
    for name, drawing in pictures().items():
        (DOCS / name).write_text(drawing)
