"""Names that whoever writes a run could give it, made to run, to hide, to compute or to break what shows them."""

from __future__ import annotations

import unicodedata

OF_OBJECTS = (  # of JavaScript
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "__defineGetter__",
)
OF_PAGES = (
    "</script><script>document.title='ran'</script>",
    "<img src=x onerror=\"document.title='ran'\">",
    "<!--<script>",
    '"><svg onload="document.title=\'ran\'">',
    "javascript:document.title='ran'",
    "{{7*7}}{%raw%}",
    "&lt;b&gt;&amp;",
)
OF_CHARTS = ("a.b[0]", "datum['x']", "white", "#d55e00", "null", "a\\u0041\\n", 'it\'s "quoted"')
OF_SPREADSHEETS = ("=1+1", "-x", "+x", "@SUM(A1)", "'-x", "-1.5")
OF_MARKDOWN = ("[a](javascript:alert(1))", "![x](//x.test/y)", "`code`", "a|b", "*a*_b_~~c~~", "# head", "1. x", "$x$")
OF_LATEX = (r"\input{/etc/passwd}", r"\write18{ls}", "%", "[x]", "*", "a&b", "#1{}$^~_", "--", "\\")
OF_TERMINALS = (
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "over\rwritten",
    "\x9b31m",
    "abc\u202edef",
    "\u2066x\u2069",
    "a\x00b",
    "two\nlines",
    "\u200bhidden",
    "line\u2028end",
    "\x7f",
    "end\uffff",
    "empty\u3164",
)
OF_GITHUB = (  # links, mentions, pictures and formulas that it makes of text
    *("https://x.test/a_b", "see HTTP://x.test.", "(www.x.test)", "mailto:a@b.test", "a.b+c@d.test", "ftp://x|y`z"),
    *(
        "@user",
        "by @org/team,",
        "RBP(p=0.8)@10",
        "#3",
        "owner/repo#3",
        "GH-3",
        "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
    ),
    *(
        "da39a3e",
        "x@da39a3e5e",
        ":smile:",
        ":+1:",
        "$x$",
        "$a b$",
        "`https://x.test`",
        "`@user",
        "@a`|`@b",
        "x\\|www.y",
    ),
)
OF_SCRIPTS = ("日本語", "עברית", "naïve–café", "😀")

SEEN = (*OF_OBJECTS, *OF_PAGES, *OF_CHARTS, *OF_SPREADSHEETS, *OF_MARKDOWN, *OF_LATEX, *OF_SCRIPTS)  # as they are
NAMES = (*SEEN, *OF_TERMINALS)


_WITHOUT_SHAPE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"  # Unicode says so


def is_unseen(sign: str) -> bool:
    """Whether a reader does not see a sign: a control, a mark, half a sign, none at all, or one without a shape."""
    number = ord(sign)
    is_no_sign = number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF
    is_variant = any(
        start <= number <= stop for start, stop in ((0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
    )
    is_odd = is_no_sign or is_variant or number == 0x2065 or sign in _WITHOUT_SHAPE
    return is_odd or unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def unseen(text: str) -> set[str]:
    """The signs of a text that a reader does not see, besides ends of lines."""
    return {sign for sign in text if is_unseen(sign) and sign != "\n"}


def written(name: str) -> str:
    """A name as readers see it: what is not seen as Python writes it."""
    return "".join(ascii(sign)[1:-1] if unseen(sign) or sign == "\n" else sign for sign in name)
