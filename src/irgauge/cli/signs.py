"""Signs that a terminal or a pipe cannot encode: what is printed has others that mean the same."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from io import TextIOWrapper

_REPLACED = "irgauge.replaced"  # the name of the rule among Python's, such as "strict"
_ALIKE = {
    **dict.fromkeys("\xa0\u2009\u202f", " "),
    **dict.fromkeys("–—−‐‑─━╌╸╺╴╶", "-"),
    **dict.fromkeys("│┃║╎", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬┏┓┗┛┡┩", "+"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”", '"'),
    **dict.fromkeys("•●", "*"),
    "…": "...",
    "±": "+-",
    "∓": "-+",
    "×": "x",
    "÷": "/",
    "·": ".",
    "√": "sqrt",
    "∞": "inf",
    "½": "1/2",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "→": "->",
    "←": "<-",
    "↔": "<->",
    "†": "+",
    "‡": "++",
    "✅": "[passes]",
    "❌": "[fails]",
    "❔": "[open]",
    "§": "section ",
}


def replace_unknown_signs() -> None:
    """Let what is printed hold no sign that its stream cannot encode."""
    codecs.register_error(_REPLACED, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_REPLACED)


def plain_sign(sign: str) -> str:
    r"""A sign in ASCII: one that looks or means alike, the name of a Greek letter, or how Python writes it.

    >>> "".join(map(plain_sign, "ω² ≥ 5 ± 1 – é"))
    'omega^2 >= 5 +- 1 - \\xe9'
    """
    if sign.isascii() or sign in _ALIKE:
        return _ALIKE.get(sign, sign)
    name = unicodedata.name(sign, "")
    if name.startswith("GREEK") and "LETTER" in name and " WITH " not in name:
        letter = name.split()[-1]
        return letter.capitalize() if "CAPITAL" in name else letter.lower()
    if name.startswith(("SUPERSCRIPT", "SUBSCRIPT")):
        kept = unicodedata.normalize("NFKD", sign).replace("−", "-")
        return f"{'^' if name.startswith('SUPER') else '_'}{kept}"
    return sign.encode("unicode_escape").decode()


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain_sign, error.object[error.start : error.end])), error.end
