"""Random texts of measures: as irgauge, trec_eval, ranx and others write them, with odd parameters and cut-offs."""

from __future__ import annotations

from random import Random

from fuzz.odd_values import NUMBERS, odd_text
from irgauge.scoring.catalogue import RECORDS, Record
from irgauge.scoring.parsing import NICKNAMES, OTHERS

VALUES = (
    *("0.5", "1", "0", "-1", "'jk'", "'log2'", "'exp-log2'", "None", "True", "{1: 2}", "{}", "[1]", "(1, 2)", "1j"),
    *("''", "b''", "1e999", "-1e999", "...", "f()", "2**9", "1_0", "0x10", "{1: 'a'}", "{'a': 1}", "9" * 400, "x"),
)
CUTOFFS = ("1", "5", "10", "0", "-1", "1.5", "0.1", "5,10", "x", "", "999999999", "9999999999", "１", "5,", "007")


def known_measure(rng: Random) -> str:
    """A measure that is right."""
    return rng.choice(("AP", "P@10", "nDCG@10", "nDCG@3", "RR", "RBP(p=0.8)", "map", "P@1", "R@5", "bpref", "ERR@5"))


def expression(rng: Random) -> str:
    """A measure, which may be wrong in any part."""
    kind = rng.random()
    if kind < 0.3:
        return known_measure(rng)
    if kind < 0.75:
        return _of_record(rng.choice(RECORDS), rng)
    if kind < 0.9:
        name = rng.choice((*(one.name for one in OTHERS), *NICKNAMES))
        return name.replace("{k}", rng.choice(CUTOFFS if rng.random() < 0.5 else ("1", "5", "10")))
    return _edited(_of_record(rng.choice(RECORDS), rng), rng)


def _of_record(record: Record, rng: Random) -> str:
    """With some parameters and a cut-off."""
    names = [*record.parameters, *rng.choice(([], [], [], ["rel", "cutoff", "x"]))]
    chosen = rng.sample(names, min(len(names), rng.choice((0, 0, 1, 1, 2))))
    parameters = ", ".join(f"{name}={rng.choice(VALUES)}" for name in chosen)
    brackets = f"({parameters})" if chosen or rng.random() < 0.05 else ""
    cutoff = rng.choice(("", "@10", "@2", f"@{rng.choice(CUTOFFS)}"))
    return f"{record.name}{brackets}{cutoff}{rng.choice(('', '', '', '', '-l2', '-l0', '-l9999'))}"


def _edited(text: str, rng: Random) -> str:
    """With something odd somewhere."""
    at = rng.randrange(len(text) + 1)
    odd = rng.choice((odd_text(rng), rng.choice(NUMBERS), *"()@,=_-.'\"# \t\n", "((", "@@", "=="))
    return text[:at] + odd + text[at + rng.choice((0, 0, 1, 3)) :]
