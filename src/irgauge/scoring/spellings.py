"""How others write measures, and what they mean by it: trec_eval, ranx, ir_measures, BEIR, MTEB.

Another name of a measure is in its record. Here are the names that set parameters, name several measures, or mean one
thing in one tool and another in the next. The last are refused, with what to write in place of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from irgauge.errors import InputError
from irgauge.scoring.catalogue import RECORDS

TREC_EVAL, RANX, IR_MEASURES, BEIR, MTEB = "trec_eval", "ranx", "ir_measures", "BEIR", "MTEB"
_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)  # trec_eval's, where none is given
_TENTHS = tuple(f"{tenth / 10:.1f}" for tenth in range(11))
_NUMBERS = r"[0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*"
_NUMBERED = re.compile(rf"(?P<name>.+?)(?P<mark>[_.=])(?P<numbers>{_NUMBERS})")  # P_10, P.5,10, rbp.p=0.8
_AT = re.compile(r"(?P<name>.+)_at_(?P<number>[0-9]+)", re.IGNORECASE)  # MTEB: ndcg_at_10


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


_TABLES = tuple((fold, _Tables.of(fold)) for fold in (str, str.lower))  # as it is written, then in any case


def canonical(head: str, at: str | None, text: str, *, is_bare: bool = True) -> tuple[str, ...] | None:
    """What a name, and what comes after @, mean to those who write it so; None if it is unknown.

    A name in front of brackets (not `is_bare`) is never that of a family, such as P.

    >>> canonical("map", None, "map"), canonical("ndcg_cut.5,10", None, "ndcg_cut.5,10")
    (('AP',), ('nDCG@5', 'nDCG@10'))
    """
    if head.lower() in NICKNAMES and at is None and is_bare:
        return tuple(name for one in NICKNAMES[head.lower()] for name in canonical(one, None, text) or ())
    found: list[str] = []
    for number in [None] if at is None else at.split(","):
        meant = _meant(head, number, text, is_bare=is_bare)
        if meant is None:
            return None
        found += meant
    return tuple(found)


def _meant(head: str, at: str | None, text: str, *, is_bare: bool) -> Sequence[str] | None:
    for fold, tables in _TABLES:
        one = tables.others.get(fold(head if at is None else f"{head}@{{k}}"))
        if one is not None and (is_bare or len(one.means) == 1):
            return _filled(one, [at or ""], text)
        if one := tables.own.get(fold(head)):
            return [name if at is None else f"{name}@{at}" for name in one.means]
        if at is None and (match := _NUMBERED.fullmatch(head)):
            for mark in (match["mark"], "_") if match["mark"] == "." else match["mark"]:
                if one := tables.numbered(fold(f"{match['name']}{mark}{{k}}")):
                    return _filled(one, match["numbers"].split(","), text)
    match = _AT.fullmatch(head) if at is None else None
    return None if match is None else _meant(match["name"], match["number"], text, is_bare=is_bare)


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
    for number, one in product((None, *numbers), (*OWN, *OTHERS)):
        if one.owner == TREC_EVAL and [name.replace("{k}", str(number)) for name in one.means] == [measure]:
            return one.name.replace("{k}", f"{number:.2f}" if isinstance(number, float) else str(number))
    return None
