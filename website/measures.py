"""The page of measures: each with its formula, from the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from latex2mathml.converter import convert

from irgauge.cli.commands.measures import explained
from irgauge.scoring.catalogue import FAMILIES, Record
from irgauge.show.words import capital
from website.markup import anchor, code, prose, table, text

LETTERS = {
    "i, k, n": "a rank; the cut-off (the end of the list where there is none); the length of the list",
    "r_i, R": "1 if the document at rank i is relevant, else 0; the number of relevant documents of the topic",
    "F_i": "the relevant documents found down to rank i",
    "g_i, g^*_i": "the gain of the document at rank i; of that at rank i of the ideal list, gains in falling order",
    "g_{\\max}": "the highest grade: max_rel",
    "a_i, b_i, p_i": "above rank i (in NumNonrelRet: down to the cut-off) the documents judged relevant, those judged "
    "not relevant, and all of the pool",
    "N, \\epsilon": "the documents of the topic that are judged not relevant; 0.00001",
    "s, S": "a subtopic, or a stratum of the pool; the number of subtopics with a relevant document",
    "w_s": "the documents of stratum s over those of them that were judged",
    "r_{is}, c_{is}": "1 if the document at rank i is relevant to subtopic s; how many above it are",
    "c_j": "the probability that a reader at rank j goes on to the next; sums end at rank 1,000, as in cwl_eval",
    "t": "in Twist, the last rank before relevant documents come too late in all",
    "l_i, h_i": "the first and the last rank of the ideal list that holds the grade of the document at rank i",
    "v_i, \\pi_i": "how often a reader is expected at rank i; the share of time spent there in the long run",
    "L_d, I_d": "the top d of the list, and of the ideal list that is most like it",
}


def page(intro: str) -> str:
    """What is written by hand, then all measures by family."""
    letters = table(["in formulas", ""], [[formula(one), text(meaning)] for one, meaning in LETTERS.items()])
    return "\n".join([intro, "## What the letters mean\n", letters, *map(_family, FAMILIES)])


def _family(family: ModuleType) -> str:
    about = (family.__doc__ or "").strip().split("\n")[0]
    records: tuple[Record, ...] = family.RECORDS
    return "\n".join([f"## {capital(_short(family))}\n", f"{prose(about)}\n", *map(_measure, records)])


def _short(family: ModuleType) -> str:
    return family.__name__.rpartition(".")[2]


def _measure(record: Record) -> str:
    rows = [[text(fact), prose(meaning)] for fact, meaning in _facts(record)]
    shown = f'<div class="formula" tabindex="0">{formula(record.formula, "block")}</div>' if record.formula else ""
    title = f"### {text(record.name)}: {text(record.title)} {{ #{place(record)} }}\n"
    return "\n".join([title, f"{prose(record.explanation)}\n", f"{shown}\n", table(["", ""], rows)])


def _facts(record: Record) -> Iterator[tuple[str, str]]:
    """What `irgauge measures NAME` says, but for the explanation, which stands above."""
    for row in explained(record.name if record.at is None else f"{record.name}@0.1").records():
        if row["fact"] != "meaning":
            yield str(row["fact"]), str(row["meaning"])


def formula(latex: str, display: str = "inline") -> str:
    """A formula in MathML, which browsers show without a script."""
    return convert(latex, display=display)


def link(record: Record) -> str:
    """Where a measure is explained, from the top of the site."""
    return f"[{code(record.name)}](measures.md#{place(record)})"


def place(record: Record) -> str:
    """The heading of a measure on the page."""
    return anchor(f"measure-{record.name}")
