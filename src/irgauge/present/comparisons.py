"""Tables of comparisons: which systems differ, what makes scores vary, and whether it holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any

from irgauge.inference.comparison import Comparison
from irgauge.inference.studentized import ppf
from irgauge.models.anova import Row
from irgauge.present.tables import Cell, Table
from irgauge.studies.effects import Effects
from irgauge.studies.robustness import Robustness, Spread, Stability
from irgauge.studies.significance import COVERS, Significance
from irgauge.studies.variance import Variance

_CHANGED = ("omega2", "significant", "not_significant", "top_group")


def significance_tables(result: Significance) -> list[Table]:
    """Systems with their intervals and groups, what each population says, then the pairs."""
    populations = [_population_table(result)] if len(result.comparisons) > 1 else []
    return [_system_table(result), *populations, _pair_table(result.comparison)]


def _data(result: Significance | Variance) -> str:
    shape = result.shape
    shards = f"{shape.shards} shards ({result.shards}, seed {result.seed})" if shape.shards > 1 else "the whole corpus"
    return (
        f"{result.measure} of {shape.systems} systems (kept: {result.kept}) on {shape.topics} topics and {shards}; "
        f"{result.undefined} undefined scores, fill {result.fill}"
    )


def _method(comparison: Comparison) -> str:
    drawn = "" if comparison.draws is None else f", {comparison.draws} draws (seed {comparison.seed})"
    return (
        f"test {comparison.test}{drawn}; family: {comparison.family}; correction: {comparison.correction}; "
        f"α {comparison.alpha:g}; population: {comparison.population}"
    )


def _system_table(result: Significance) -> Table:
    comparison = result.comparison
    place = {system: i for i, system in enumerate(result.systems)}
    letters = result.letters() if comparison.baseline is None else dict.fromkeys(comparison.systems, "")
    top = set(comparison.top_group) if comparison.baseline is None else set()
    names = [f"{interval.name} {end}" for interval in result.intervals for end in ("low", "high")]
    rows = []
    for system, mean in zip(comparison.systems, comparison.means.tolist(), strict=True):
        ends = [float(end[place[system]]) for interval in result.intervals for end in (interval.low, interval.high)]
        rows.append((system, mean, *ends, "top" if system in top else "", letters[system]))
    group = f"{len(top)} of {len(comparison.systems)} systems are in the top group. " if top else ""
    return Table(
        title=f"Systems by {result.measure} ({result.model})",
        columns=("system", "mean", *names, "group", "letters"),
        rows=tuple(rows),
        caption=f"{group}Systems that share a letter cannot be told apart. {_data(result)}; {_method(comparison)}; "
        "intervals of the mean: Tukey, SEM and ANOVA (Ferro and Sanderson 2019, eq. 3 to 5).",
    )


def pair_records(comparison: Comparison) -> list[dict[str, Cell]]:
    """The pairs as objects."""
    return [
        {
            "first": comparison.systems[first],
            "second": comparison.systems[second],
            "difference": float(comparison.difference[i]),
            "low": float(comparison.low[i]),
            "high": float(comparison.high[i]),
            "statistic": float(comparison.statistic[i]),
            "p": float(comparison.p[i]),
            "p_single": float(comparison.p_single[i]),
            "effect": float(comparison.effect[i]),
            "verdict": "different" if comparison.significant[i] else "cannot be told apart",
        }
        for i, (first, second) in enumerate(zip(comparison.first, comparison.second, strict=True))
    ]


def _pair_table(comparison: Comparison) -> Table:
    records = pair_records(comparison)
    counts = f"{comparison.significant_count} of {len(records)} pairs differ"
    return Table(
        title=f"Pairs: {counts}",
        columns=tuple(records[0]),
        rows=tuple(tuple(record.values()) for record in records),
        caption=f"{_method(comparison)}; low and high bound the difference, {comparison.interval}. "
        f"{COVERS[comparison.population]}",
    )


def _population_table(result: Significance) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            one.population,
            one.significant_count,
            one.not_significant_count,
            len(one.top_group) if one.baseline is None else None,
            COVERS[one.population],
        )
        for one in result.comparisons
    ]
    return Table(
        title="What the claim covers",
        columns=("population", "significant", "not significant", "top group", "covers"),
        rows=tuple(rows),
        caption="The same test with the error term of each population. Documents: the residual; topics: the mean "
        "square of topic:system; both: that and system:shard less the residual, with Satterthwaite's df.",
    )


def significance_json(result: Significance) -> dict[str, Any]:
    """The result as an object: systems, pairs, and the counts under each population."""
    comparison = result.comparison
    place = {system: i for i, system in enumerate(result.systems)}
    letters = result.letters() if comparison.baseline is None else {}
    return {
        **_settings(result),
        "test": comparison.test,
        "correction": comparison.correction,
        "family": comparison.family,
        "population": comparison.population,
        "covers": COVERS[comparison.population],
        "alpha": comparison.alpha,
        "draws": comparison.draws,
        **_counts(comparison),
        "interval_width": float(result.intervals[0].high[0] - result.intervals[0].low[0]),
        "systems": [
            {
                "system": system,
                "mean": float(mean),
                **{
                    interval.name.lower(): {
                        "low": float(interval.low[place[system]]),
                        "high": float(interval.high[place[system]]),
                    }
                    for interval in result.intervals
                },
                "letters": letters.get(system),
            }
            for system, mean in zip(comparison.systems, comparison.means, strict=True)
        ],
        "pairs": pair_records(comparison),
        "populations": {
            one.population: {**_counts(one), "covers": COVERS[one.population]} for one in result.comparisons
        },
    }


def _counts(comparison: Comparison) -> dict[str, Any]:
    return {
        "significant": comparison.significant_count,
        "not_significant": comparison.not_significant_count,
        "top_group": len(comparison.top_group) if comparison.baseline is None else None,
        "top_group_systems": list(comparison.top_group) if comparison.baseline is None else None,
    }


def _settings(result: Significance) -> dict[str, Any]:
    return {
        "measure": result.measure,
        "model": result.model,
        "shape": asdict(result.shape),
        "shards": result.shards,
        "seed": result.seed,
        "fill": result.fill,
        "undefined": result.undefined,
        "keep_systems": result.kept,
    }


def variance_tables(result: Variance) -> list[Table]:
    """The ANOVA table, the tests of the system factor under each population, and the checks."""
    return [_anova_table(result), *_error_tables(result), _check_table(result)]


def _anova_table(result: Variance) -> Table:
    rows: list[tuple[Cell, ...]] = [_anova_row(row) for row in result.rows]
    rows.append(("error", result.error.ss, result.error.df, result.error.ms, None, None, None, ""))
    rows.append(("total", result.total.ss, result.total.df, None, None, None, None, ""))
    return Table(
        title=f"{result.model}: {result.formula}",
        columns=("source", "SS", "df", "MS", "F", "p", "ω²", "size"),
        rows=tuple(rows),
        caption=f"{_data(result)}. F and p against the residual (population: documents on shards, topics on the whole "
        "corpus); ω² = df(F − 1) / (df(F − 1) + N), large from 0.14, medium from 0.06, small from 0.01.",
    )


def _anova_row(row: Row) -> tuple[Cell, ...]:
    return (row.source, row.ss, row.df, row.ms, row.f, _p(row.p), row.omega2, row.size)


def _p(p: float) -> str:
    """A p-value to four digits; 0 is what a double holds of those below some 1e-308."""
    return f"{p:.4g}" if p > 0 else "< 1e-300"


def _error_tables(result: Variance) -> list[Table]:
    if not result.populations:
        return []
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.population, one.source, one.ms, one.df, one.f, _p(one.p), COVERS[one.population])
        for one in result.populations
    )
    caption = f"F = MS(system) over the error term, of {result.model}. {_data(result)}."
    columns = ("population", "error term", "MS", "df", "F(system)", "p", "covers")
    return [Table("The system factor under each population", columns, rows, caption, 6)]


def _check_table(result: Variance) -> Table:
    checks = {"residuals normal (Jarque-Bera)": result.checks.jarque_bera} | {
        f"equal variance over {factor}s (Levene)": check for factor, check in result.checks.levene.items()
    }
    rows: list[tuple[Cell, ...]] = [(name, check.statistic, _p(check.p)) for name, check in checks.items()]
    columns, against = ("check", "statistic", "p"), "Small p-values speak against the assumption"
    nested = result.comparison
    if nested is None:
        return Table("Checks", columns, tuple(rows), f"{against}. Residuals of {result.model}; {_data(result)}.")
    name = f"F_model against {nested.against}, df {nested.df} and {nested.df_error}"
    rows = [*((*row, None) for row in rows), (name, nested.f, _p(nested.p), nested.critical)]
    caption = f"{against}, or for the larger model; critical value at α {result.alpha:g}. {_data(result)}."
    return Table("Checks and comparison", (*columns, "critical"), tuple(rows), caption)


def variance_json(result: Variance) -> dict[str, Any]:
    """The result as an object."""
    shown = [field.name for field in fields(result) if field.name not in ("fit", "labels")]
    return {name: _object(getattr(result, name)) for name in shown}


def _object(value: Any) -> Any:  # noqa: ANN401  # whatever a field holds
    """Dataclasses as objects, at any depth."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return [_object(one) for one in value] if isinstance(value, tuple) else value


def robustness_tables(result: Robustness) -> list[Table]:
    """Outcomes by number of shards and model, and their stability over resamples."""
    return [_outcome_table(result), _stability_table(result)]


def _outcome_table(result: Robustness) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for outcome in (result.whole, *result.outcomes):
        rows.append((outcome.shards, outcome.model, "", *(_whole(getattr(outcome, name)) for name in _CHANGED)))
        for other, changes in outcome.changes.items():
            rows.append((outcome.shards, outcome.model, other, *(f"{changes[name]:+.2f} %" for name in _CHANGED)))
    return Table(
        title=f"{result.measure}: models and numbers of shards",
        columns=("shards", "model", "against", "ω² of system", "significant", "not significant", "top group"),
        rows=tuple(rows),
        caption=f"{_splits(result)} (MD1, on the whole corpus: topics). Lines with `against`: changes.",
        group_by=0,
    )


def _splits(result: Robustness) -> str:
    return (
        f"Means over {result.resamples} random even splits (seed {result.seed}); Tukey, all {result.pairs:,} "
        f"pairs of {result.systems} systems (kept: {result.kept}) on {result.topics} topics, α {result.alpha:g}, "
        f"fill {result.fill}; population: {result.population}"
    )


def _whole(mean: float) -> Cell:
    """A mean of counts; a number without decimals where it has none."""
    return int(mean) if mean == int(mean) else mean


def _stability_table(result: Robustness) -> Table:
    rows = tuple(_stability_row(one) for one in result.stability)
    return Table(
        title="Over resamples",
        columns=(
            "shards",
            "model",
            "τ",
            "95 % of τ",
            "width",
            "95 % of width",
            "pairs",
            "95 % of pairs",
            "in every one",
        ),
        rows=rows,
        caption=f"{_splits(result)}. τ: Kendall's, against the order on the whole corpus; width: of the Tukey "
        "interval; pairs: significant ones; 95 %: t intervals of means over splits; in every one: share of all pairs.",
        group_by=0,
    )


def _stability_row(one: Stability) -> tuple[Cell, ...]:
    return (
        one.shards,
        one.model,
        one.tau.mean,
        _ends(one.tau, 4),
        one.width.mean,
        _ends(one.width, 4),
        one.significant.mean,
        _ends(one.significant, 1),
        one.common,
    )


def _ends(spread: Spread, decimals: int) -> str:
    if math.isnan(spread.low):
        return "–"
    return f"{spread.low:.{decimals}f} – {spread.high:.{decimals}f}"


def effects_tables(result: Effects) -> list[Table]:
    """ω² of every source by measure and sharding, and how many are of each size."""
    sources = tuple(dict.fromkeys(effect.source for effect in result.effects))
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for effect in result.effects:
        mark = "" if effect.significant else " ns"
        cells.setdefault((effect.shards, effect.measure), {})[effect.source] = f"{effect.omega2:.4f}{mark}"
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (shards, measure, *(of.get(source, "") for source in sources)) for (shards, measure), of in cells.items()
    )
    caption = (
        f"{result.model} on {result.topics} topics and {result.systems} systems (kept: {result.kept}), "
        f"α {result.alpha:g}, seed {result.seed}, fill {result.fill}; population: {result.population}; "
        "ns: not significant."
    )
    table = Table("Effect sizes ω²", ("shards", "measure", *sources), rows, caption, group_by=0)
    return [table, _size_table(result)]


def _size_table(result: Effects) -> Table:
    sizes = ("large", "medium", "small", "negligible", "not significant")
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (source, *(counts.get(size, 0) for size in sizes)) for source, counts in result.counts().items()
    )
    caption = "How many measures and shardings; large: ω² from 0.14, medium from 0.06, small from 0.01."
    return Table("Sizes of effects", ("source", *sizes), rows, caption)


def effects_json(result: Effects) -> dict[str, Any]:
    """The result as an object, with the counts of sizes."""
    return {**asdict(result), "counts": result.counts()}


def robustness_json(result: Robustness) -> dict[str, Any]:
    """The result as an object."""
    return asdict(result)


def critical_table(systems: Sequence[int], freedoms: Sequence[int], alpha: float) -> Table:
    """Critical values Q of the studentized range by numbers of systems and degrees of freedom."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (count, df, float(ppf(1 - alpha, count, df))) for count in systems for df in freedoms
    )
    caption = f"Tukey's test tells two systems apart whose means differ by more than Q √(MS / n), α {alpha:g}."
    return Table("Critical values of the studentized range", ("systems", "df", "Q"), rows, caption)
