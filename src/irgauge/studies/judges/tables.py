"""Tables of judges: what becomes of people's claims, pairs that change, ranks of systems."""

from __future__ import annotations

from irgauge.inference.raters import STATISTICS
from irgauge.show.table import LEAST_P, Column, Record, Table
from irgauge.show.words import percent
from irgauge.studies.judges.grading import GradesCompared
from irgauge.studies.judges.records import judge_record, system_rows
from irgauge.studies.judges.study import Judged
from irgauge.studies.judges.variation import JudgeVariation


def tables(result: Judged) -> list[Table]:
    """Judges, pairs of which something else is said, systems."""
    of_systems = [judge_table(result), changed_table(result), system_table(result)] if result.each else []
    of_grades = [agreement_table(result), confusion_table(result)] if result.grading else []
    of_favour = [favour_table(result)] if result.favours else []
    of_both = [corrected_table(result)] if result.corrected else []
    of_both += [component_table(result.variation)] if result.variation is not None else []
    return [*of_systems[:1], *of_both, *of_grades, *of_favour, *of_systems[1:]]


def judge_table(result: Judged) -> Table:
    """What becomes of people's claims under each judge."""
    inside = percent(1 - result.alpha)
    return Table.of(
        "judges",
        f"What becomes of people's claims by {result.measure}",
        [judge_record(result, judged) for judged in result.each],
        [
            Column("judge"),
            Column("n", "topics", "that people and the judge judged"),
            Column("claims", explained="pairs of systems of which people's judgments support a claim"),
            Column("kept", explained="the judge says the same, or more"),
            Column("lost", explained="it does not"),
            Column("reversed", explained="it says the opposite"),
            Column("added", explained="claims that people's judgments do not support"),
            Column("same_best", "same best", "whether the best system is the same"),
            Column("tau", "τ", "Kendall's τ-b of the two orders of systems", decimals=3),
            Column("tau_low", "τ low", f"{inside} interval over topics", "low, high", decimals=3, is_minor=True),
            Column("tau_high", "τ high", decimals=3, is_minor=True),
            Column("tau_ap", "τ_AP", "τ that counts the top of the judge's order more", decimals=3),
            Column("tau_ap_low", "τ_AP low", decimals=3, is_minor=True),
            Column("tau_ap_high", "τ_AP high", decimals=3, is_minor=True),
            Column("both", "judged by both", "pairs of topic and document", is_minor=True),
        ],
        is_main=True,
    )


_ORDER = ("reversed", "lost", "added")


def changed_table(result: Judged) -> Table:
    """The pairs of which the judge says something else, reversed claims first."""
    records: list[Record] = [
        {
            "judge": judged.judge,
            "system": pair.system,
            "against": pair.against,
            "people": pair.people,
            "by_judge": pair.judge,
            "people_difference": pair.people_difference,
            "difference": pair.judge_difference,
            "outcome": pair.outcome,
        }
        for outcome in _ORDER
        for judged in result.each
        for pair in judged.with_outcome(outcome)
    ]
    return Table.of(
        "changed",
        f"Pairs of systems of which a judge says something else by {result.measure}",
        records,
        [
            Column("judge"),
            Column("outcome"),
            Column("system", role="system"),
            Column("against"),
            Column("people", explained="the verdict by people's judgments"),
            Column("by_judge", "by the judge"),
            Column("people_difference", "difference, people", "of the means: system − against"),
            Column("difference", "difference, judge"),
        ],
        is_long=True,
    )


def system_table(result: Judged) -> Table:
    """Means and ranks of systems by people and by each judge."""
    return Table.of(
        "systems",
        f"Systems by {result.measure}, by people's judgments and by each judge's",
        [row for judged in result.each for row in system_rows(result, judged)],
        [
            Column("judge"),
            Column("system", role="system"),
            Column("people_mean", "mean, people"),
            Column("mean", "mean, judge"),
            Column("people_rank", "rank, people"),
            Column("rank", "rank, judge"),
            Column("change", explained="how many ranks it falls; below 0 it rises"),
            Column("change_low", "low", "the range of the change over most draws of topics", "low, high"),
            Column("change_high", "high"),
        ],
        is_long=True,
    )


def agreement_table(result: Judged) -> Table:
    """How well each judge agrees with people, and with other judges."""
    inside = percent(1 - result.alpha)
    shown = [Column(name, own.title, own.explained, decimals=3) for name, own in STATISTICS.items()]
    ends = [
        Column(f"{name}_{end}", f"{STATISTICS[name].title} {end}", decimals=3, is_minor=True)
        for name in STATISTICS
        for end in ("low", "high")
    ]
    records: list[Record] = [
        {"judge": compared.judge, "against": compared.against, "pairs": compared.pairs, **_estimates(compared)}
        for compared in result.grading
    ]
    return Table.of(
        "agreement",
        "Agreement on grades, document by document",
        records,
        [Column("judge"), Column("against"), Column("pairs", explained="that both judged"), *shown, *ends],
        [f"low, high: the {inside} interval over topics."],
        is_main=not result.each,
        is_long=True,
    )


def _estimates(compared: GradesCompared) -> dict[str, float]:
    return {
        f"{name}{end}": getattr(estimate, field)
        for name, estimate in compared.estimates.items()
        for end, field in (("", "value"), ("_low", "low"), ("_high", "high"))
    }


def confusion_table(result: Judged) -> Table:
    """What judges say of the documents of each grade by people."""
    grades = sorted({grade for compared in result.with_people for grade in compared.grades})
    records: list[Record] = [
        {"judge": compared.judge, "people": grade, **_row(compared, g, grades)}
        for compared in result.with_people
        for g, grade in enumerate(compared.grades)
    ]
    return Table.of(
        "confusion",
        "Grades by judges for the documents of each grade by people",
        records,
        [
            Column("judge"),
            Column("people", "people's grade"),
            *(Column(f"grade_{grade}", f"judge's {grade}") for grade in grades),
            Column("same", explained="the share that the judge grades as people do", decimals=3),
        ],
        group_by="judge",
    )


def _row(compared: GradesCompared, g: int, grades: list[int]) -> dict[str, int | float | None]:
    counts = dict(zip(compared.grades, compared.confusion[g].tolist(), strict=True))
    total = sum(counts.values())
    same = counts[compared.grades[g]] / total if total else None
    return {**{f"grade_{grade}": counts.get(grade, 0) for grade in grades}, "same": same}


def favour_table(result: Judged) -> Table:
    """What each judge adds to systems and groups against all, the largest first."""
    records: list[Record] = [
        {
            **favour.row(result.measure, result.alpha),
            "name": favour.name,
            "kind": "system" if favour.system else "group",
        }
        for favour in sorted(result.favours, key=lambda favour: (favour.group is None, -abs(favour.difference)))
    ]
    together = "for all judges, systems and groups together"
    has_groups = any(favour.group is not None for favour in result.favours)
    return Table.of(
        "favour",
        f"Whom judges favour by {result.measure}",
        records,
        [
            Column("judge"),
            *([Column("kind")] if has_groups else []),
            Column("name", "system or group" if has_groups else "system", role="system"),
            Column("difference", "favour", "what the judge adds to people's mean, less what it adds to all systems"),
            Column("low", "", f"{percent(1 - result.alpha)} interval, {together}", "low, high"),
            Column("high"),
            Column("p_adjusted", "adjusted p", together, below=LEAST_P),
        ],
        is_long=True,
    )


def corrected_table(result: Judged) -> Table:
    """The pairs by people's topics and a judge's others together."""
    inside = percent(1 - result.alpha)
    rows = [row for claims in result.corrected for row in claims.rows(result.measure, result.alpha)]
    rows.sort(key=lambda row: row["p"])
    own = "documents" if result.sampled else "topics"
    records: list[Record] = list(rows)
    return Table.of(
        "corrected",
        f"Pairs by {result.measure}, by people's {own} and by a judge's others, corrected",
        records,
        [
            Column("judge"),
            Column("system", role="system"),
            Column("against"),
            Column("difference", explained="of the means: system − against, by both"),
            Column("low", "", f"{inside} interval, for all pairs together", "low, high"),
            Column("high"),
            Column("p_adjusted", "adjusted p", below=LEAST_P),
            Column("verdict"),
            Column("people_difference", "people alone", is_minor=True),
            Column("people_low", "people low", is_minor=True),
            Column("people_high", "people high", is_minor=True),
            Column("weight", "λ", "how far the judge is followed, from 0 to 1", decimals=2),
            Column("worth", explained="topics by people alone that would tell as much", decimals=1),
        ],
        is_long=True,
    )


def component_table(variation: JudgeVariation) -> Table:
    """Where the variance of a score by several judges comes from."""
    records: list[Record] = list(variation.component_rows())
    columns = [
        Column("component"),
        Column("variance", decimals=5),
        Column("share", explained="of the variance of a score"),
    ]
    title = f"Where scores by {len(variation.judges)} judges on {variation.topics} topics vary"
    return Table.of("components", title, records, columns, ["The last component holds what nothing else explains."])
