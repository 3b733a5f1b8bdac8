"""Hints at commands and options: of use at a terminal, code on a page, and not in the text of a paper."""

from __future__ import annotations

import html
import re

from irgauge.visible import visible

_HINT = r"(?:see `irgauge [^`]*`|add --[a-z-]+)"
_IN_BRACKETS = re.compile(rf" \({_HINT}\)|; {_HINT}(?=\))")
_OPTION = r"--?[a-z-]+ [^.:]+"
_ADVICE = re.compile(rf"(?<=\.) Compare [^.:]*: {_OPTION}\.$|: {_OPTION}(?=\.$)")
_SENTENCE = re.compile(r"(?<=\.) `irgauge [a-z]+` has [^.]*\.$|; `irgauge [a-z]+` has [^.]*(?=\.$)")
_COMMAND = re.compile(r"`(irgauge [^`]*)`")


def in_html(text: str) -> str:
    """The HTML of a sentence, commands in it as code.

    >>> in_html("a < b is open: `irgauge plan` says what would decide.")
    'a &lt; b is open: <code>irgauge plan</code> says what would decide.'
    """
    return _COMMAND.sub(r"<code>\1</code>", html.escape(visible(text, keep="\n")))


def without_hints(text: str) -> str:
    """A sentence without the hints in it.

    >>> without_hints("They find 0.071 with a power of 80 % (see `irgauge plan`).")
    'They find 0.071 with a power of 80 %.'
    >>> without_hints("60 new topics would (likely; see `irgauge plan`). `irgauge holes` has bounds.")
    '60 new topics would (likely).'
    >>> without_hints("The deeper run may gain. Compare all down to rank 100: --depth 100.")
    'The deeper run may gain.'
    >>> without_hints("AP counts grade 1 and above; TREC Deep Learning counts 2 and above: -m 'AP(rel=2)'.")
    'AP counts grade 1 and above; TREC Deep Learning counts 2 and above.'
    """
    return _SENTENCE.sub("", _ADVICE.sub("", _IN_BRACKETS.sub("", text)))
