"""From a text to a measure: its name in the catalogue or elsewhere, its parameters, and its cut-off.

Another name of a measure is in its record. Here are the names in trec_eval, ranx, ir_measures, BEIR and MTEB that set
parameters, name several measures, or mean one thing in one tool and another in the next. The last are refused, with
what to write in place of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from irgauge.choices import advice, nearest
from irgauge.errors import DesignError, InputError
from irgauge.extensions.registry import Registry
from irgauge.scoring.catalogue import RECORDS, Record

TREC_EVAL, RANX, IR_MEASURES, BEIR, MTEB = "trec_eval", "ranx", "ir_measures", "BEIR", "MTEB"
_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)  # trec_eval's, where none is given
_TENTHS = tuple(f"{tenth / 10:.1f}" for tenth in range(11))
_NUMBERS = r"[0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*"
_NUMBERED = re.compile(rf"(?P<name>.+?)(?P<mark>[_.=])(?P<numbers>{_NUMBERS})")  # P_10, P.5,10, rbp.p=0.8
_AT = re.compile(r"(?P<name>.+)_at_(?P<number>[0-9]+)", re.IGNORECASE)  # MTEB: ndcg_at_10
_SYNTAX = re.compile(
    r"(?P<head>[^\s()@]+?)\s*(\((?P<parameters>[^()#]*)\))?\s*(@\s*(?P<at>\S+?))?(-l(?P<level>[0-9]{1,4}))?"
)
_GLUED = re.compile(r"(?P<name>[A-Za-z_]*[A-Za-z])[_-]?(?P<number>[0-9]+)")  # NDCG10
_OUTER_COMMA = re.compile(r",(?![^(]*\))")
_NEAR = 0.65  # of so many names, one is half like nearly anything
_LONGEST = 3000  # characters; a longer text may have a number of more digits than Python prints
_SETS_REL = re.compile(r"\brel\s*=|-l[0-9]+$")
Given = tuple[tuple[str, Any], ...]


class Spelling(NamedTuple):
    """A name elsewhere, in which `{k}` stands for a number."""

    owner: str
    name: str
    means: tuple[str, ...]  # as irgauge writes it
    unclear: str = ""  # why it is refused, and what to write


def _family(name: str, measure: str, numbers: Iterable[object]) -> Spelling:
    """A name of trec_eval that stands for several measures."""
    return Spelling(TREC_EVAL, name, tuple(measure.format(k=number) for number in numbers))


_RBP = (
    "in trec_eval it has p = 0.9 and divides grades by the highest of the topic, in ranx it needs p, as in rbp.95; "
    "write RBP(p=0.9, rel=1), or with max_rel= for graded gains"
)
_OF_PREFERENCES = (
    "prefs all_prefs prefs_simp prefs_pair prefs_avgjg prefs_avgjg_Rnonrel prefs_simp_ret prefs_pair_ret "
    "prefs_avgjg_ret prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp prefs_avgjg_imp prefs_num_prefs_poss "
    "prefs_num_prefs_ful prefs_num_prefs_ful_ret"
)


def _refused(names: str, unclear: str) -> Iterator[Spelling]:
    """Names of trec_eval for which there is nothing to write instead."""
    return (Spelling(TREC_EVAL, name, (), unclear) for name in names.split())


OTHERS: tuple[Spelling, ...] = (
    _family("P", "P@{k}", _CUTOFFS),
    _family("map_cut", "AP@{k}", _CUTOFFS),
    _family("ndcg_cut", "nDCG@{k}", _CUTOFFS),
    _family("relative_P", "R_cap@{k}", _CUTOFFS),
    _family("success", "Success@{k}", (1, 5, 10)),
    _family("unj", "Unjudged@{k}", (5, 10, 20)),
    _family("iprec_at_recall", "IPrec@{k}", _TENTHS),
    _family("Rprec_mult", "Rprec(multiple={k})", (f"{tenth / 5:.1f}" for tenth in range(1, 11))),
    Spelling(
        TREC_EVAL,
        "recall",
        (),
        "it is R@5, R@10, ... in trec_eval and SetR in ranx; write recall.5,10 with the cut-offs, or SetR",
    ),
    Spelling(TREC_EVAL, "rbp", (), _RBP),
    Spelling(TREC_EVAL, "rbp@{k}", (), _RBP),
    Spelling(TREC_EVAL, "rbp.p={k}", (), _RBP),
    Spelling(
        TREC_EVAL,
        "rbp_resid",
        (),
        "in trec_eval it is 0 where all documents are judged; write RBP(p=0.9, residual=True)",
    ),
    *_refused(_OF_PREFERENCES, "it needs preferences between documents, which irgauge does not read"),
    *_refused("qrels_jg map_avgjg P_avgjg Rprec_mult_avgjg", "it needs several groups of judgments; irgauge reads one"),
    *_refused("runid relstring", "it is a text, not a score"),
    Spelling(TREC_EVAL, "iprec_at_recall_{k}", ("IPrec@{k}",)),
    Spelling(TREC_EVAL, "Rprec_mult_{k}", ("Rprec(multiple={k})",)),
    Spelling(TREC_EVAL, "set_F_{k}", ("SetF(beta={k})",)),
    Spelling(TREC_EVAL, "set_relative_P", ("SetP(relative=True)",)),
    Spelling(TREC_EVAL, "num_rel_ret", ("NumRet(rel=1)",)),
    Spelling(RANX, "hits", ("NumRet(rel=1)",)),
    Spelling(RANX, "hits@{k}", ("NumRet(rel=1)@{k}",)),
    Spelling(RANX, "hit_rate", ("Success",)),
    Spelling(RANX, "hit_rate@{k}", ("Success@{k}",)),
    Spelling(RANX, "precision", ("SetP",)),
    Spelling(RANX, "precision@{k}", ("P@{k}",)),
    Spelling(RANX, "recall@{k}", ("R@{k}",)),
    Spelling(RANX, "f1", ("SetF",)),
    Spelling(RANX, "r-precision", ("Rprec",)),
    Spelling(RANX, "ndcg_burges", ("nDCG(dcg='exp-log2')",)),
    Spelling(RANX, "ndcg_burges@{k}", ("nDCG(dcg='exp-log2')@{k}",)),
    Spelling(RANX, "dcg_burges", ("DCG(dcg='exp-log2')",)),
    Spelling(RANX, "dcg_burges@{k}", ("DCG(dcg='exp-log2')@{k}",)),
    Spelling(RANX, "rbp.{k}", ("RBP(p=0.{k})",)),
    Spelling(IR_MEASURES, "Precision", ("P",)),
    Spelling(IR_MEASURES, "Recall", ("R",)),
    Spelling(IR_MEASURES, "NumRelRet", ("NumRet(rel=1)",)),
    Spelling(IR_MEASURES, "SetRelP", ("SetP(relative=True)",)),
    Spelling(BEIR, "recall_cap@{k}", ("R_cap@{k}",)),
    Spelling(BEIR, "top_k_accuracy@{k}", ("Success@{k}",)),
    Spelling(
        BEIR, "Accuracy@{k}", (), "it is Success@{k} in BEIR and PairAccuracy@{k} in ir_measures; write one of these"
    ),
    Spelling(MTEB, "accuracy", (), "it is R@1 in MTEB and PairAccuracy in ir_measures; write one of these"),
    Spelling(
        BEIR,
        "Hole@{k}",
        (),
        "in BEIR it counts documents that are judged for no topic at all; write Unjudged@{k} for those not "
        "judged for the topic",
    ),
)
_COUNTS = "num_q num_ret num_rel num_rel_ret"
_SETS = "set_P set_recall set_relative_P set_map set_F"
NICKNAMES: Mapping[str, Sequence[str]] = {  # trec_eval's, for several families
    "official": f"{_COUNTS} map gm_map Rprec bpref recip_rank iprec_at_recall P".split(),
    "set": f"{_COUNTS} utility {_SETS}".split(),
    "all_trec": f"{_COUNTS} map gm_map Rprec bpref recip_rank iprec_at_recall P "
    f"recall_{','.join(map(str, _CUTOFFS))} infAP gm_bpref Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg "
    f"ndcg_cut map_cut relative_P success {_SETS} num_nonrel_judged_ret".split(),
}
_OF_TREC_EVAL = {name.split("_5,")[0] for name in NICKNAMES["all_trec"]} | {"unj"}


def _of_records() -> Iterator[Spelling]:
    """The names and other names in the catalogue."""
    for record in RECORDS:
        yield Spelling("irgauge", record.name, (record.name,))
        for alias in record.aliases:
            owner = TREC_EVAL if alias.removesuffix("_{k}") in _OF_TREC_EVAL else "others"
            yield Spelling(owner, alias, (f"{record.name}@{{k}}" if "{k}" in alias else record.name,))


OWN: tuple[Spelling, ...] = tuple(_of_records())


class _Tables(NamedTuple):
    """Spellings by their names."""

    others: Mapping[str, Spelling]
    own: Mapping[str, Spelling]

    @classmethod
    def of(cls, fold: Callable[[str], str]) -> _Tables:
        return cls(
            *({fold(spelling.name): spelling for spelling in reversed(spellings)} for spellings in (OTHERS, OWN))
        )

    def numbered(self, name: str) -> Spelling | None:
        return self.others.get(name) or self.own.get(name)


def _check_added(record: Record) -> None:
    """Refuse a name that means something already."""
    meant = canonical(record.name, None, record.name)
    if meant is not None and meant != (record.name,):
        raise DesignError(f"the measure '{record.name}' means {meant[0]} already; give it another name")


MEASURES = Registry("measures", lambda: RECORDS, check=_check_added)
_TABLES = tuple((fold, _Tables.of(fold)) for fold in (str, str.lower))  # as it is written, then in any case


def canonical(head: str, at: str | None, text: str, *, is_bare: bool = True) -> tuple[str, ...] | None:
    """What a name, and what comes after @, mean to those who write it so; None if it is unknown.

    A name in front of brackets (not `is_bare`) is never that of a family, such as P.

    >>> canonical("map", None, "map"), canonical("ndcg_cut.5,10", None, "ndcg_cut.5,10")
    (('AP',), ('nDCG@5', 'nDCG@10'))
    """
    if head.lower() in NICKNAMES and at is None and is_bare:
        return tuple(name for member in NICKNAMES[head.lower()] for name in canonical(member, None, text) or ())
    names: list[str] = []
    for number in [None] if at is None else at.split(","):
        meant = _meant(head, number, text, is_bare=is_bare)
        if meant is None:
            return None
        names += meant
    return tuple(names)


def _meant(head: str, at: str | None, text: str, *, is_bare: bool) -> Sequence[str] | None:
    for fold, tables in _TABLES:
        spelling = tables.others.get(fold(head if at is None else f"{head}@{{k}}"))
        if spelling is not None and (is_bare or len(spelling.means) == 1):
            return _filled(spelling, [at or ""], text)
        if spelling := tables.own.get(fold(head)):
            return [name if at is None else f"{name}@{at}" for name in spelling.means]
        if at is None and (match := _NUMBERED.fullmatch(head)):
            for mark in (match["mark"], "_") if match["mark"] == "." else match["mark"]:
                if spelling := tables.numbered(fold(f"{match['name']}{mark}{{k}}")):
                    return _filled(spelling, match["numbers"].split(","), text)
    match = _AT.fullmatch(head) if at is None else None
    if match is not None:
        return _meant(match["name"], match["number"], text, is_bare=is_bare)
    added = next((name for name in MEASURES.homes() if name.lower() == head.lower()), None)
    return None if added is None else [added if at is None else f"{added}@{at}"]


def _filled(spelling: Spelling, numbers: Sequence[str], text: str) -> list[str]:
    """What a spelling means with these numbers."""
    if spelling.unclear:
        raise InputError(f"measure '{text}': {spelling.unclear.replace('{k}', numbers[0])}")
    return [name.replace("{k}", number) for number in numbers for name in spelling.means]


def trec_name(measure: str, numbers: Iterable[float | None]) -> str | None:
    """The name that trec_eval prints for a measure as irgauge writes it; `numbers` are those that the text has.

    >>> trec_name("nDCG@10", [10]), trec_name("IPrec@0.1", [0.1]), trec_name("RR@10", [10])
    ('ndcg_cut_10', 'iprec_at_recall_0.10', None)
    """
    for number, spelling in product((None, *numbers), (*OWN, *OTHERS)):
        if spelling.owner == TREC_EVAL and [name.replace("{k}", str(number)) for name in spelling.means] == [measure]:
            return spelling.name.replace("{k}", f"{number:.2f}" if isinstance(number, float) else str(number))
    return None


class Parsed(NamedTuple):
    """What a text says of one measure."""

    record: Record
    given: Given  # parameters that are not at their default, in the record's order
    cutoff: int | None


class _Written(NamedTuple):
    """The parts of a text."""

    head: str
    parameters: dict[str, Any] | None  # None without brackets
    at: str | None
    level: int | None  # the lowest relevant grade, as ranx writes it: map@10-l2


@lru_cache(maxsize=2048)
def parsed(text: str, rel: int | None = None) -> tuple[Parsed, ...]:
    """The measures that a text names; a cut-off that one needs may still lack.

    `rel` is the lowest relevant grade of measures whose text sets none.

    >>> [(one.record.name, one.cutoff) for one in parsed("P.5,10")]
    [('P', 5), ('P', 10)]
    """
    _refuse_several(text)
    written = _written(text, text)
    meant = canonical(written.head, written.at, text, is_bare=written.parameters is None)
    if meant is None:
        raise InputError(f"the measure '{text}' is unknown; {_advice(written.head)}")
    lowest = None if _SETS_REL.search(text) else rel
    return tuple(_parsed(name, written, text, lowest) for name in meant)


def _refuse_several(text: str) -> None:
    """Refuse measures in one text; P.5,10 has one name, and brackets their own commas."""
    parts = [part.strip() for part in _OUTER_COMMA.split(text)] if len(text) <= _LONGEST else []
    if len(parts) > 1 and all(part[:1].isalpha() for part in parts):
        raise InputError(f"'{text}' names several measures; give each by itself, as in -m {' -m '.join(parts)}")


def is_known(text: str) -> bool:
    """Whether a text names measures that there are, as far as can be told before its parameters are read.

    >>> is_known("map"), is_known("click rate")
    (True, False)
    """
    try:
        written = _written(text, text)
        return canonical(written.head, written.at, text, is_bare=written.parameters is None) is not None
    except InputError:
        return False


def _advice(head: str) -> str:
    if (match := _GLUED.fullmatch(head)) and is_known(cut := f"{match['name']}@{match['number']}"):
        meant = canonical(match["name"], match["number"], cut) or (cut,)
        return f"did you mean '{meant[0]}'? `irgauge measures` lists all"
    theirs = (
        spelling.name.format(k="10")
        for spelling in (*OTHERS, *OWN)
        if "@" not in spelling.name and not spelling.unclear
    )
    near = nearest(head, [*theirs, *MEASURES])  # of names alike but for case, ours
    is_near = SequenceMatcher(None, near.lower(), head.lower()).ratio() >= _NEAR
    return f"did you mean '{near}'? `irgauge measures` lists all" if is_near else "`irgauge measures` lists all"


def _written(text: str, shown: str) -> _Written:
    match = _SYNTAX.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        raise InputError(f"'{shown}' is not a measure; write it like AP, P@10, nDCG(dcg='exp-log2')@10 or map")
    level = None if match["level"] is None else int(match["level"])
    parameters = None if match["parameters"] is None else _literals(match["parameters"], shown)
    return _Written(match["head"], parameters, match["at"], level)


def _parsed(meant: str, written: _Written, text: str, rel: int | None) -> Parsed:
    """One measure of what a text means, with the parameters that the text has besides."""
    own = _written(meant, text)
    record = MEASURES[own.head]
    values = (own.parameters or {}) | (written.parameters or {})
    named = values.pop(record.at or "cutoff", None)  # as a parameter; what comes after @ goes first
    at = own.at if own.at is not None or named is None else str(named)
    values |= _levelled(record, values, written.level, text)
    if rel is not None and _has_rel(record, values):
        values["rel"] = rel
    if record.at is not None and at is not None:
        values[record.at], at = _number(at, record, text), None
    return Parsed(record, _given(record, values, text), _cutoff(record, at, text))


def _levelled(record: Record, values: dict[str, Any], level: int | None, text: str) -> dict[str, Any]:
    """What ranx's lowest grade sets: `rel`, or the gains of the grades below."""
    if level is None:
        return {}
    if _has_rel(record, values):
        return {"rel": level}
    if "gains" in record.parameters:
        return {"gains": dict.fromkeys(range(1, level), 0)} if level > 1 else {}
    raise InputError(f"measure '{text}': {record.name} has no lowest relevant grade; leave out -l{level}")


def _has_rel(record: Record, values: dict[str, Any]) -> bool:
    """Whether documents count as relevant from some grade on."""
    return "rel" in record.parameters and values.get("rel", record.parameters["rel"].default) is not None


def _number(at: str, record: Record, text: str) -> float:
    try:
        return float(at)
    except ValueError:
        raise InputError(f"measure '{text}': {record.at} '{at}' is not a number, as in {record.name}@0.1") from None


def _cutoff(record: Record, cutoff: str | None, text: str) -> int | None:
    if cutoff is None:
        return None
    if record.cutoff == "none":
        raise InputError(f"measure '{text}': {record.name} takes no cut-off; write {record.name}")
    if not re.fullmatch("0*[1-9][0-9]{0,8}", cutoff):
        raise InputError(f"measure '{text}': the cut-off '{cutoff}' is not a whole number from 1 to 999999999")
    return int(cutoff)


def _given(record: Record, values: dict[str, Any], text: str) -> Given:
    for name, value in values.items():
        _check_parameter(record, name, value, text)
    if "base" in values and values.get("dcg") != "jk":
        raise InputError(f"measure '{text}': base= is for dcg='jk' only; with other bases {record.name} stays the same")
    return tuple(
        (name, tuple(sorted(values[name].items())) if isinstance(values[name], dict) else values[name])
        for name, parameter in record.parameters.items()
        if name in values and values[name] != parameter.default
    )


def _check_parameter(record: Record, name: str, value: object, text: str) -> None:
    if not record.parameters:
        raise InputError(f"measure '{text}': {record.name} takes no parameters")
    if name not in record.parameters:
        takes = f"it takes {', '.join(f'{parameter}=' for parameter in record.parameters)}"
        raise InputError(f"measure '{text}': parameter '{name}' is unknown; {advice(name, record.parameters, takes)}")
    parameter = record.parameters[name]
    if not (value is None and parameter.default is None) and not parameter.accepts(value):
        raise InputError(f"measure '{text}': {name}={value!r} is not allowed; {name} is {parameter.allowed}")


def _literals(parameters: str, text: str) -> dict[str, Any]:
    """The keyword arguments in the brackets, which must be literals."""
    try:
        call = ast.parse(f"f({parameters})", mode="eval").body
        if isinstance(call, ast.Call) and not call.args and all(k.arg for k in call.keywords):
            values = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
            if len(values) == len(call.keywords):
                return values
    except (SyntaxError, TypeError, ValueError, RecursionError):
        pass
    raise InputError(f"measure '{text}': write parameters like (name=value), such as RBP(p=0.8) or nDCG(dcg='jk')")
