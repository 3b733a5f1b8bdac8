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
)
OF_SCRIPTS = ("日本語", "עברית", "naïve–café", "😀")

SEEN = (*OF_OBJECTS, *OF_PAGES, *OF_CHARTS, *OF_SPREADSHEETS, *OF_MARKDOWN, *OF_LATEX, *OF_SCRIPTS)  # as they are
NAMES = (*SEEN, *OF_TERMINALS)


def unseen(text: str) -> set[str]:
    """The signs of a text that a reader does not see, besides ends of lines."""
    return {sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") and sign != "\n"}


def written(name: str) -> str:
    """A name as readers see it: what is not seen as Python writes it."""
    return "".join(ascii(sign)[1:-1] if unseen(sign) or sign == "\n" else sign for sign in name)
