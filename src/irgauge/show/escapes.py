"""Texts in other languages: what Markdown and LaTeX would take as commands is written out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from irgauge.visible import visible

_LINKED = re.compile(  # what GitHub makes links, mentions, pictures or formulas of, wherever it stands in a text
    r"\w://|\bwww\.|\b(?:mailto|xmpp):"
    r"|[^\s@]@[^\s@.]*\.[^\s@]*?[^\W\d]"  # a@b.c
    r"|(?<![^\W_])@[^\W_]"  # @user; no measure such as nDCG@10
    r"|#\d|\bGH-\d"  # owner/repo#3
    r"|\b(?:[0-9a-f]{40}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40})\b"  # a commit
    r"|:[\w+-]+:|\$",
    re.IGNORECASE | re.ASCII,
)
_BEFORE, _BEHIND = "([{\"'“‘", ".,;:!?)]}\"'”’"  # what encloses or ends a word


def markdown_text(text: str) -> str:
    r"""Text in one line, with what Markdown, also GitHub's, would take as marks written out.

    What GitHub would make a link of stands in a code span: no sign keeps it from that.

    >>> markdown_text("a_b|<c>"), markdown_text("&lt; R&D"), markdown_text("- no item"), markdown_text("1. no list")
    ('a\\_b\\|\\<c\\>', '\\&lt; R&D', '\\- no item', '1\\. no list')
    >>> markdown_text("nDCG@10 of (@user), see x/y#3.")
    'nDCG@10 of (`@user`), see `x/y#3`.'
    """
    shown = visible(re.sub(r"\s", " ", text).strip())
    marks = " ".join(map(_markdown_word, shown.split(" ")))
    return re.sub(r"^(\d{0,9})(?=([-+]|#+|-+|(?<=\d)[.)])( |$))", r"\1\\", marks)


def markdown_code(text: str) -> str:
    """Text as code in a line; it shows all signs as they are.

    >>> markdown_code("a`b")
    '``a`b``'
    """
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def markdown_block(text: str, language: str) -> str:
    """Lines of code; what is not seen is written out, and no line ends the block."""
    fence = "`" * (1 + max(2, *map(len, re.findall("`+", text)), 0))
    return f"{fence}{language}\n{visible(text, keep=chr(10))}\n{fence}"


def _markdown_word(word: str) -> str:
    """The cells of tables are cut at each |, also in code, so that none stands there."""
    return r"\|".join(map(_without_links, word.split("|")))


def _without_links(word: str) -> str:
    if not _LINKED.search(word):
        return _marked_out(word)
    core = word.lstrip(_BEFORE).rstrip(_BEHIND)
    if not _LINKED.search(core):
        return markdown_code(word)
    before, _, behind = word.partition(core)
    return f"{_marked_out(before)}{markdown_code(core)}{_marked_out(behind)}"


def _marked_out(text: str) -> str:
    return re.sub(r"[<>*_`\\\[\]~]|&(?=#?\w+;)", r"\\\g<0>", text)


_COMMANDS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\`{}",
    '"': "''",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\t": " ",
    "\n": " ",
    "\xa0": "~",
    "\xad": r"\-",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "•": r"\textbullet{}",
    "§": r"\S{}",
    "¶": r"\P{}",
    "©": r"\copyright{}",
    "°": r"$^\circ$",
    "½": r"$\frac12$",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
}
_MATHS = {
    "†": r"\dagger",
    "‡": r"\ddagger",
    "−": "-",
    "±": r"\pm",
    "∓": r"\mp",
    "×": r"\times",
    "÷": r"\div",
    "·": r"\cdot",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "≈": r"\approx",
    "∝": r"\propto",
    "√": r"\surd",
    "∞": r"\infty",
    "∂": r"\partial",
    "∫": r"\int",
    "→": r"\to",
    "←": r"\leftarrow",
    "↔": r"\leftrightarrow",
    "‖": r"\|",
    "⌈": r"\lceil",
    "⌉": r"\rceil",
    "⌊": r"\lfloor",
    "⌋": r"\rfloor",
    "⁻": "^-",
    "ⁿ": "^n",
    "₋": "_-",
    "µ": r"\mu",
}
_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"),
    *("xi", "omicron", "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
)
_AS_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))  # Greek letters that LaTeX has no command for
_ACCENTS = {
    "\u0300": r"\`",
    "\u0301": r"\'",
    "\u0302": r"\^",
    "\u0303": r"\~",
    "\u0304": r"\=",
    "\u0306": r"\u",
    "\u0307": r"\.",
    "\u0308": r"\"",
    "\u030a": r"\r",
    "\u030b": r"\H",
    "\u030c": r"\v",
    "\u0327": r"\c",
}


def _letters() -> Iterator[tuple[str, str]]:
    """Greek letters, letters with accents, and digits that are raised or lowered."""
    for place, name in enumerate(_GREEK):
        small, capital = chr(0x3B1 + place), chr(0x391 + place)
        yield small, _AS_LATIN.get(small, rf"$\{name}$")
        if name != "varsigma":
            yield capital, _AS_LATIN.get(capital, rf"$\{name.capitalize()}$")
    for letter in map(chr, range(0xC0, 0x180)):
        parts = unicodedata.normalize("NFD", letter)
        if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
            yield letter, f"{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    for digit, (raised, lowered) in enumerate(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉", strict=True)):
        yield raised, f"$^{digit}$"
        yield lowered, f"$_{digit}$"


LATEX = _COMMANDS | {sign: f"${command}$" for sign, command in _MATHS.items()} | dict(_letters())


def latex_text(text: str) -> str:
    r"""Text with what LaTeX would take as commands written out, for pdfLaTeX and any encoding of fonts.

    Letters of other scripts stay as they are: a document with them is set up for them. Other signs that have no
    command here, such as pictures, are told by their numbers.

    >>> latex_text("a_b ≤ ω²"), latex_text("café--x")
    ('a\\_b $\\leq$ $\\omega$$^2$', "caf\\'{e}-{}-x")
    """
    hyphens = re.sub("-(?=-)", "-{}", printable(text).translate(_TRANSLATED))  # two hyphens are no dash
    return re.sub(r"^[\[*]", r"{\g<0>}", hyphens)  # which \\ and \item before it would take as theirs


_TRANSLATED = str.maketrans(LATEX)


def printable(text: str) -> str:
    """Text with signs that LaTeX cannot print told by their numbers.

    >>> printable("a ☃")
    'a U+2603'
    """
    return re.sub("[^ -~]", lambda sign: _told(sign[0]), unicodedata.normalize("NFC", text))


def _told(sign: str) -> str:
    is_known = sign in LATEX or (unicodedata.category(sign)[0] in "LM" and visible(sign) == sign)
    return sign if is_known else f"U+{ord(sign):04X}"
