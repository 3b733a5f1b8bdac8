"""Voorhees, Samarov and Soboroff, "Using replicates in information retrieval evaluation" (TOIS 2017)."""

from __future__ import annotations

from irgauge.papers.entry import Entry, Reason
from irgauge.papers.voorhees_2017 import figures, tables
from irgauge.papers.voorhees_2017.studies import (
    DRAWS,
    RELATED_DRAWS,
    REPETITIONS,
    SPLITS,
    THIRDS,
)
from irgauge.studies.partition.options import CAUTION

_PAPER = "voorhees-2017"
_ONE, _AD_HOC, _ALL = ("trec3",), ("trec3", "trec8"), ("trec3", "trec8", "trec15")
_GROUPS = {"groups": "a line `run group` for each run: which participant submitted it"}

_P = (
    f"p {CAUTION}; two-sided, twice the share of a system's draws that reach the better one's effect, "
    "Benjamini-Hochberg over all pairs"
)
_WHY_TWO = (
    "Section 3.1 shows the share itself as p; but the introduction says that intervals decide, those of section 3.1 "
    "leave α k/2N of the draws out on each side, and only doubled p-values give all counts within sampling"
)
_AGAIN = "splits are drawn again until every topic has relevant documents in every part"
_SPLIT = (
    f"bootstrap ANOVA (MD3, {DRAWS:,} draws of residuals) of random splits of the documents; {_P}; {_AGAIN}; "
    "population documents"
)
_INTERVALS = (
    "intervals of system effects by bootstrap ANOVA of residuals without (MD2) and with (MD3) topic:system; population "
    "documents"
)
_PER_CENT = (
    "they leave α k/N per cent of the draws out on each side, where k of N pairs differ (3 or 4 of 10,000 draws, none "
    "of 1,000). Section 3.1 has α k/2N for a (1-α)% interval; read as a share it gives 0.6 times the printed lengths, "
    "in per cent, 2 draws, lengths above the printed ones; α k/N per cent gives all"
)
_LENGTHS = (
    f"{_INTERVALS}; {_PER_CENT}; {DRAWS:,} draws; with interactions {REPETITIONS * SPLITS} splits into 2 parts and "
    f"{THIRDS} into 3, else {SPLITS}; splits into 2 and 3 parts are drawn again until every topic has relevant "
    "documents in every part, for 5 parts topics that have not are left out"
)
_TOPIC_TESTS = (
    "unpaired t-test, two-sided, on scores of four decimals, as trec_eval prints them, and "
    "randomization test of paired differences, one-sided, "
    f"{DRAWS:,} draws with {REPETITIONS} seeds, ties count as reached; both without correction, population topics"
)
_COUNTS = (
    f"{_TOPIC_TESTS}; {_SPLIT}; α = 0.05 and 0.01; 3 parts: {THIRDS} splits, 2 parts: {REPETITIONS * SPLITS} splits, "
    f"multiple: {REPETITIONS} repetitions of {SPLITS} splits that must all reject. {_WHY_TWO}"
)
_AGREEMENT = f"{_SPLIT}; 2 parts, {REPETITIONS} repetitions of {SPLITS} splits, a seed each"
_SIDE_BY_SIDE = (
    "unpaired t-test, two-sided, and randomization test, one-sided, both without correction, population topics; "
    f"{_SPLIT}; α = 0.05, one split into each number of parts"
)

_TIES = (
    "P10 has many ties between draws and the observed difference, which count as reached here; means compared in "
    "floating point let rounding errors decide them: with four seeds of 10,000 draws that gave 5,656 to 5,663 pairs at "
    "α = 0.05 and 4,901 to 4,907 at 0.01"
)
_COUNT_REASONS = (
    *(
        Reason(("trec8", measure, f"{test}, α = {alpha:g}"), why)
        for alpha in (0.05, 0.01)
        for measure, test, why in (("P10", "randomization", _TIES),)
    ),
)
_RELATED_REASONS = (
    Reason(
        ("trec8", "related"),
        "the file of groups differs from the paper's: without 8manexT3D1N0, whose name is unlike the others of its "
        "group of five, there are 180 pairs",
    ),
    Reason(("trec8", "decided alike"), "there are 184 related pairs here, and 180 in the paper"),
    Reason(
        ("trec8", tables.ACROSS_MORE),
        "here only the model within finds a difference in two pairs of very ineffective runs in every split "
        "(isa50 with isa25t and isa50t; the paper has one such pair), and one to four other pairs",
    ),
)


def _needs(collections: tuple[str, ...], *files: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(collections, files)


ENTRIES: tuple[Entry, ...] = (
    Entry(f"{_PAPER}/table-1", _LENGTHS, _needs(_ONE), tables.interval_table),
    Entry(f"{_PAPER}/table-2", _COUNTS, _needs(_ONE), tables.count_table),
    Entry(f"{_PAPER}/table-3", _LENGTHS, _needs(_ALL), tables.interval_table),
    Entry(f"{_PAPER}/table-4", _COUNTS, _needs(_ALL), tables.count_table, reasons=_COUNT_REASONS),
    Entry(f"{_PAPER}/table-5", f"{_AGREEMENT}; α = 0.05 and 0.01", _needs(_ALL), tables.disagreement_table),
    Entry(
        f"{_PAPER}/table-6",
        f"{_INTERVALS}; {_PER_CENT}; 3 parts, {RELATED_DRAWS:,} draws, {REPETITIONS} splits; AP of all runs and of "
        f"each group of related runs, groups of one left out; decisions by MD3 at α = 0.05, {_P} of a model; {_AGAIN}; "
        "a statement holds if it does in most splits",
        _needs(_AD_HOC, "groups"),
        tables.related_table,
        files=_GROUPS,
        reasons=_RELATED_REASONS,
    ),
    Entry(
        f"{_PAPER}/figure-2",
        f"95 % percentile {_INTERVALS}; {DRAWS:,} draws, one split into 3 parts",
        _needs(_ONE),
        figures.effect_figure,
    ),
    Entry(
        f"{_PAPER}/figure-3",
        f"{_SPLIT}; the first split into 2 parts, AP; Gaussian kernel density of the draws of the best neighbours in "
        f"the ranking of whom one reaches the other; area and p are the same within {figures.AREA_ERROR}",
        _needs(_AD_HOC),
        figures.density_figure,
    ),
    Entry(f"{_PAPER}/figure-4", _SIDE_BY_SIDE, _needs(_ONE), figures.tests_figure),
    Entry(f"{_PAPER}/figure-5", _SIDE_BY_SIDE, _needs(("trec15",)), figures.parts_figure),
    Entry(
        f"{_PAPER}/figure-6",
        f"{_AGREEMENT}; a statement holds if it does in most repetitions; farther apart: mean number of ranks (by AP) "
        "between the two; α = 0.05",
        _needs(_ALL),
        figures.agreement_figure,
    ),
)
