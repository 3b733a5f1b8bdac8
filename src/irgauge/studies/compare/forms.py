"""Forms that only a comparison has: the table for a paper, a comment on GitHub, and fields of ir_metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import TESTS
from irgauge.scoring.direction import LOWER
from irgauge.show.arranging import with_best_bold
from irgauge.show.marks import Marked, Noted
from irgauge.show.table import Column, Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import capital, counted, differing
from irgauge.studies.compare.github import github
from irgauge.studies.compare.study import Compared, MeasureCompared

_DECIMALS = 3
_DAGGER = "†"
_MOST_LETTERS = 6  # of the groups that a system is in; more cannot be read


def paper(result: Compared) -> Table:
    """Means of all systems by all measures, best first by the first measure.

    With a baseline, † marks systems that differ significantly from it; else systems that share a letter do not differ
    significantly. The caption says the test and its correction, α, the topics and the population.
    """
    first, compared = result.comparison, [measure_compared.comparison for measure_compared in result.each]
    marks = _readable([_marks(comparison) for comparison in compared])
    cells = [_cells(comparison, mark) for comparison, mark in zip(compared, marks, strict=True)]
    table = Table(
        "paper",
        f"Means over {_topics(result)}, best in bold",
        (Column("system", role="system"), *map(_column, result.each)),
        tuple((_named(system, result), *(each[system] for each in cells)) for system in first.systems),
        (
            _note(
                compared,
                result.first.scored.drawn(compared[0].population),
                has_marks=any(any(each.values()) for each in marks),
            ),
            *_lower_note(result),
        ),
        decimals=_DECIMALS,
        in_column=True,
    )
    return with_best_bold(table)


def _column(compared: MeasureCompared) -> Column:
    return Column(compared.measure, is_lower=compared.direction == LOWER)


def _lower_note(result: Compared) -> Iterator[str]:
    lower = [compared.measure for compared in result.each if compared.direction == LOWER]
    if lower:
        yield f"Lower is better: {', '.join(lower)}."


def _named(system: str, result: Compared) -> Noted:
    """A system, whether it is the baseline, and how many topics it does not answer."""
    lacking = result.first.whole.missing.counts.get(system, 0)
    notes = ("baseline" if system == result.comparison.baseline else "", f"{lacking:,} missing" if lacking else "")
    return Noted(system, ", ".join(filter(None, notes)))


def _cells(comparison: Comparison, marks: Mapping[str, str]) -> dict[str, Marked]:
    """The means of systems, with their marks."""
    means = zip(comparison.systems, comparison.means.tolist(), strict=True)
    return {system: Marked(mean, marks[system]) for system, mean in means}


def _marks(comparison: Comparison) -> dict[str, str]:
    """Of each system: whether it differs from the baseline, or the letters of the groups that it is in."""
    if comparison.baseline is not None:
        differing = {comparison.systems[system] for system in comparison.first[comparison.significant].tolist()}
        return {system: _DAGGER if system in differing else "" for system in comparison.systems}
    return dict(zip(comparison.systems, comparison.groups.texts, strict=True))


def _readable(marks: list[dict[str, str]]) -> list[dict[str, str]]:
    """The marks of each measure; none where some system has too many letters."""
    longest = max(len(mark) for each in marks for mark in each.values())
    return marks if longest <= _MOST_LETTERS else [dict.fromkeys(each, "") for each in marks]


def _topics(result: Compared) -> str:
    """How many topics, and what became of those that runs do not answer."""
    counts = sorted({compared.comparison.topics for compared in result.each})
    count = counted(counts[0], "topic") if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,} topics"
    shards = result.comparison.shards
    count += f" and {shards:,} shards" if shards > 1 else ""
    missing = result.first.whole.missing
    if not missing.topics_of:
        return count
    done = "left out" if missing.rule == "drop" else "scored 0"
    return f"{count} ({len(missing.topics):,} missing, {done})"


def _note(compared: Sequence[Comparison], population: str, *, has_marks: bool) -> str:
    """What the marks mean, and how they were found."""
    first = compared[0]
    covers = FOR[population]
    if first.baseline is not None:
        who = _DAGGER if has_marks else "No system"
        what = "differs significantly from" if first.sides == 2 else "is significantly better than"
        return f"{who} {what} the baseline {covers} ({_test(first)})."
    if has_marks:
        return f"Shared letter: no significant difference {covers} ({_test(first)})."
    count, pairs = sum(each.significant_count for each in compared), sum(len(each.first) for each in compared)
    return f"{capital(differing(count, pairs, 'pair'))} {covers} ({_test(first)}); too many systems for letters."


def _test(comparison: Comparison) -> str:
    """The test, its correction and its level, in few words."""
    over = f" over {comparison.families} comparisons" if comparison.families > 1 else ""
    correction = f"{comparison.corrected_by.short}{over}".strip()
    parts = (
        TESTS[comparison.test].title,
        "one-sided" if comparison.sides == 1 else "",
        correction,
        f"α = {comparison.alpha:g}",
    )
    return ", ".join(filter(None, parts))


def metadata(result: Compared) -> str:
    """The fields `research goal: evaluation:` of ir_metadata (Breuer, Keller and Schaer 2022), as YAML.

    They stand in a file beside a run, or, each line after `# `, in the header of a run between
    `# ir_metadata.start` and `# ir_metadata.end`.
    """
    import yaml

    return yaml.safe_dump(fields_of(result), sort_keys=False, allow_unicode=True)


def fields_of(result: Compared) -> dict[str, Any]:
    """Measures, baseline and significance test under the names of ir_metadata; what else a claim rests on beside."""
    comparison = result.comparison
    test: dict[str, Any] = {
        "name": TESTS[comparison.test].title,
        "correction method": comparison.corrected_by.title,
    }
    test |= {"alpha": comparison.alpha, "population": comparison.population}
    evaluation: dict[str, Any] = {"reported measures": [each.measure for each in result.each]}
    if comparison.baseline is not None:
        evaluation["baseline"] = [comparison.baseline]
    return {"research goal": {"evaluation": evaluation | {"significance test": [test]}}}


FORMS: Mapping[str, Callable[[Compared], str | bytes]] = {"metadata": metadata, "github": github}
LAYOUTS: Mapping[str, Callable[[Compared], Table]] = {"paper": paper}
