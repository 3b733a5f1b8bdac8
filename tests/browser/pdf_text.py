"""The text of a PDF as Chromium writes it: its fonts say which letter a glyph is."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator

_OBJECT = re.compile(rb"(\d+) 0 obj(.*?)endobj", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_RANGE = re.compile(r"<([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)>")
_LETTER = re.compile(r"<([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)>\s")
_NUMBER = r"(-?[\d.]+) "
_SCALED = re.compile(rf"(?P<push>q)\n|(?P<pop>Q)\n|{6 * _NUMBER}(?P<cm>cm|Tm)|/F\d+ {_NUMBER}Tf|(?P<shown>T[jJ])\n")
_SHOWN = re.compile(r"/F(\d+) [-\d.]+ Tf|<([0-9A-Fa-f]+)>")


def pages(pdf: bytes) -> list[str]:
    """The text of each page, without spaces between what stands apart."""
    objects = _objects(pdf)
    letters = {number: _letters(objects, one) for number, one in objects.items() if b"/ToUnicode" in one}
    return [_text(content, letters) for content in _contents(objects)]


def smallest(pdf: bytes) -> float:
    """The size in points of the smallest letters, as they come out on paper."""
    return min(size for content in _contents(_objects(pdf)) for size in _sizes(content))


def _objects(pdf: bytes) -> dict[int, bytes]:
    return {int(found[1]): found[2] for found in _OBJECT.finditer(pdf)}


def _contents(objects: dict[int, bytes]) -> list[str]:
    """What draws each page."""
    places = (re.search(rb"/Contents (\d+) 0 R", one) for one in objects.values() if b"/Type /Page\n" in one)
    return [_stream(objects[int(place[1])]) for place in places if place]


def _sizes(content: str) -> Iterator[float]:
    """The size of each text: that of its font, scaled by all that it stands in."""
    scales, own, font = [1.0], 1.0, 0.0
    for step in _SCALED.finditer(content):
        if step["push"]:
            scales.append(scales[-1])
        elif step["pop"]:
            scales.pop()
        elif step["cm"]:
            a, b, c, d = (float(step[i]) for i in range(3, 7))
            scale = abs(a * d - b * c) ** 0.5
            own = scale if step["cm"] == "Tm" else own
            scales[-1] *= scale if step["cm"] == "cm" else 1
        elif step["shown"]:
            yield scales[-1] * own * font
        else:
            font = float(step[10])


def _stream(one: bytes) -> str:
    found = _STREAM.search(one)
    if found is None:
        return ""
    return (zlib.decompressobj().decompress(found[1]) if b"/FlateDecode" in one else found[1]).decode("latin-1")


def _letters(objects: dict[int, bytes], font: bytes) -> dict[str, str]:
    """Glyph -> letters."""
    found = re.search(rb"/ToUnicode (\d+) 0 R", font)
    table = _stream(objects[int(found[1])]) if found else ""
    letters = {}
    for part in re.findall("beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for first, last, start in _RANGE.findall(part):
            for i in range(int(last, 16) - int(first, 16) + 1):
                letters[f"{int(first, 16) + i:0{len(first)}X}"] = chr(int(start, 16) + i)
    for part in re.findall("beginbfchar(.*?)endbfchar", table, re.DOTALL):
        letters |= {glyph.upper(): _decoded(letter) for glyph, letter in _LETTER.findall(part)}
    return letters


def _decoded(letter: str) -> str:
    return bytes.fromhex(letter).decode("utf-16-be")


def _text(content: str, letters: dict[int, dict[str, str]]) -> str:
    own: dict[str, str] = {}
    text = []
    for font, glyphs in _SHOWN.findall(content):
        if font:
            own = letters.get(int(font), {})
            continue
        size = len(next(iter(own), "0000"))
        text += [own.get(glyphs[i : i + size].upper(), "") for i in range(0, len(glyphs), size)]
    return unicodedata.normalize("NFKC", "".join(text))  # ligatures are letters
