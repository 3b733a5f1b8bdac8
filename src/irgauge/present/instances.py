"""Tables and the JSON object of a comparison of random algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from irgauge.models.mixed.posterior import Summary
from irgauge.present.instance_findings import PARTS, Answer, findings, measure, setting, share, warnings
from irgauge.present.precision_findings import percent
from irgauge.present.tables import Cell, Table
from irgauge.studies.instances import NOT_WORSE, Instances

Record = dict[str, Cell]


def instance_tables(answer: Answer) -> list[Table]:
    """Differences, what they are against the margin, algorithms, components, single instances, sizes, diagnostics."""
    return [
        _difference_table(answer),
        _margin_table(answer),
        _algorithm_table(answer),
        _component_table(answer),
        *_single_tables(answer),
        _needed_table(answer),
        *_diagnostic_tables(answer),
    ]


def _caption(answer: Answer, *explained: str) -> str:
    return f"{'; '.join(explained)}. {'; '.join(setting(answer))}."


def _table(answer: Answer, title: str, records: Sequence[Record], *explained: str, decimals: int = 4) -> Table:
    return Table(
        title=title,
        columns=tuple(records[0]),
        rows=tuple(tuple(record.values()) for record in records),
        caption=_caption(answer, *explained),
        decimals=decimals,
    )


# pairs


def pair_table(answer: Answer) -> Table:
    """All of every pair in one table, for CSV."""
    records = [dict(pair) for pair in _pairs(answer.found)]
    return _table(answer, "Pairs of algorithms", records)


def _pairs(found: Instances) -> Iterator[Record]:
    """Every number of every pair."""
    tests = found.tests
    by_hpd = found.hpd_verdicts or (None,) * len(found.pairs)
    for i, (pair, one) in enumerate(zip(found.pairs, found.contrasts, strict=True)):
        low, high = found.intervals[:, i].tolist()
        hpd = [None, None] if found.hpd is None else found.hpd[:, i].tolist()
        probable = [None] * 3 if found.probabilities is None else found.probabilities[:, i].tolist()
        yield {
            "first": pair.first,
            "second": pair.second,
            "difference": one.estimate,
            "se": one.se,
            "df": one.df,
            "t": one.t,
            "p": one.p,
            "se_alone": None if (alone := found.alone[i]) is None else alone.se,
            "p_adjusted": float(tests.p_difference[i]),
            "low": low,
            "high": high,
            "p_not_worse": float(tests.p_not_worse[i]),
            "p_not_better": float(tests.p_not_better[i]),
            "p_equivalent": float(tests.p_equivalent[i]),
            "verdict": found.verdicts[i],
            "hpd_low": hpd[0],
            "hpd_high": hpd[1],
            "probability_better": probable[0],
            "probability_within": probable[1],
            "probability_worse": probable[2],
            "hpd_verdict": by_hpd[i],
        }


def _chosen(found: Instances, names: dict[str, str]) -> list[Record]:
    """Some of the numbers of each pair, under shorter names."""
    records: list[Record] = []
    for pair in _pairs(found):
        record: Record = _named(found, str(pair["first"]), str(pair["second"]))
        records.append(record | {short: pair[name] for name, short in names.items()})
    return records


def _named(found: Instances, first: str, second: str) -> Record:
    """A pair in a table: the first alone where the second is the baseline."""
    return {"pair": f"{first} − {second}"} if found.baseline is None else {"algorithm": first}


def _from(found: Instances) -> str:
    return "" if found.baseline is None else f" from {found.baseline}"


def _difference_table(answer: Answer) -> Table:
    found, inside = answer.found, percent(1 - answer.found.alpha)
    names = {
        "difference": "difference",
        "se": "se",
        "df": "df",
        "t": "t",
        "p": "p",
        "p_adjusted": "adjusted p",
        "low": "low",
        "high": "high",
        "verdict": "verdict",
    }
    alone = ""
    if len(found.scores.algorithms) > 2:
        names = {"difference": "difference", "se": "se", "se_alone": "se alone"} | names
        alone = "; se alone: by the model fitted to the two algorithms alone"
    return _table(
        answer,
        f"Differences in {measure(found)}{_from(found)}",
        _chosen(found, names),
        f"difference: of the fitted means, with its standard error{alone}",
        "p: two-sided, against 0, before and after correction",
        f"low, high: {inside} interval by t, for each pair alone",
        "verdict: of the first by the tests, against 0 and against the margin",
    )


def _margin_table(answer: Answer) -> Table:
    found, inside, margin = answer.found, percent(1 - answer.found.alpha), f"{answer.found.margin:g}"
    names = {"p_not_worse": "p not worse", "p_not_better": "p not better", "p_equivalent": "p equivalent"}
    explained = [f"p: adjusted, of two one-sided tests, against being worse or better by {margin}; the larger of both"]
    if found.hpd is not None:
        names |= {
            "hpd_low": "HPD low",
            "hpd_high": "HPD high",
            "probability_worse": f"P(< −{margin})",
            "probability_within": "P(within)",
            "probability_better": f"P(> {margin})",
            "hpd_verdict": "by HPD",
        }
        explained.append(f"HPD: {inside} interval of highest posterior density, and the verdict by it alone")
        explained.append(f"P: posterior probability that the difference is below −{margin}, within it, above {margin}")
    return _table(
        answer, f"Differences{_from(found)} against the margin of {margin}", _chosen(found, names), *explained
    )


# algorithms and components


def _algorithms(found: Instances) -> list[Record]:
    counts = dict(zip(found.scores.algorithms, found.scores.instance_counts.tolist(), strict=True))
    rows = [
        {"algorithm": name, "instances": counts[name], "mean": mean, "se": se}
        for name, (mean, se) in found.means.items()
    ]
    return sorted(rows, key=lambda row: -found.means[str(row["algorithm"])][0])


def _algorithm_table(answer: Answer) -> Table:
    title = f"Algorithms by mean {measure(answer.found)}, best first"
    return _table(answer, title, _algorithms(answer.found), "mean: fitted, with its standard error")


def _shares(found: Instances) -> dict[str, Summary]:
    """The posterior of the share of each component."""
    if found.posterior is None:
        return {}
    return {one.name: one for one in found.posterior.shares(alpha=found.alpha)}


def _components(found: Instances) -> list[Record]:
    drawn = _shares(found)
    rows = []
    for one in found.fit.components:
        ends = (drawn[one.name].low, drawn[one.name].high) if drawn else (None, None)
        row: Record = {"component": one.name, "levels": one.levels, "variance": one.variance, "sd": one.sd}
        rows.append(row | {"share": one.share, "share_low": ends[0], "share_high": ends[1]})
    return rows


def _component_table(answer: Answer) -> Table:
    found, inside = answer.found, percent(1 - answer.found.alpha)
    explained = [f"variance: by REML, of one {measure(found)}, and its share"]
    rows = [dict(row) for row in _components(found)]
    for row in rows:
        low, high = row.pop("share_low"), row.pop("share_high")
        row["share"] = share(float(row["share"] or 0))
        if found.posterior is not None:
            row["share, HPD"] = f"{share(float(low or 0))} to {share(float(high or 0))}"
    if found.posterior is not None:
        explained.append(f"HPD: {inside} interval of highest posterior density of the share")
    told = "; ".join(f"{row['component']}: {PARTS[str(row['component'])]}" for row in rows[:-1])
    title = "Where the noise comes from"
    return _table(
        answer, title, rows, *explained, told, "levels: those of a factor, for the residual values", decimals=6
    )


# single instances


def _against(found: Instances) -> str:
    return "" if found.baseline is None else f" against {found.baseline}"


def _single_tables(answer: Answer) -> list[Table]:
    if not answer.singles:
        return []
    rows: list[Record] = []
    for one in answer.singles:
        size: Record = {"tests": one.tests, "topics": one.topics, "level": f"p ≤ {one.alpha:g}"}
        said: Record = {"significant": one.significant, "better": one.better, "worse": one.worse}
        rows.append(_named(answer.found, one.first, one.second) | size | said | {"contradict": one.contradict})
    table = _table(
        answer,
        f"What single instances would have said{_against(answer.found)}",
        rows,
        "paired t-tests over topics of every instance of the first against every one of the second, without correction",
        "tests: how many, and the fewest topics that one has",
        "significant: share that is so at the level, for better or worse",
        "contradict: chance that two of them, drawn at random, do not say the same",
        "the population of these tests alone: other topics, the two instances at hand",
    )
    return [replace(table, group_by=0, decimals=3)]


# sizes


def _needed(answer: Answer) -> Iterator[Record]:
    for plan in answer.plans:
        for one in plan.needed:
            yield {"comparison": plan.kind, "instances": one.instances, "topics": one.topics}


def _needed_table(answer: Answer) -> Table:
    inside = percent(1 - answer.found.alpha)
    table = _table(
        answer,
        f"What an interval of ± {answer.width:g} needs",
        list(_needed(answer)),
        f"topics: the fewest for a {inside} interval of a difference within ± {answer.width:g}, by the normal "
        "distribution, from the fitted components; – where no number is enough",
        "instances: of each random algorithm",
    )
    return replace(table, group_by=0)


# diagnostics


def _diagnostics(found: Instances) -> list[Record]:
    if found.posterior is None:
        return []
    names = [
        *(f"mean of {name}" for name in found.scores.algorithms),
        *(f"sd of {name}" for name in found.posterior.names),
    ]
    return [
        {"parameter": name, "r_hat": one.r_hat, "ess_bulk": one.ess_bulk, "ess_tail": one.ess_tail}
        for name, one in zip(names, found.posterior.diagnostics, strict=True)
    ]


def _diagnostic_tables(answer: Answer) -> list[Table]:
    rows = [
        {"parameter": row["parameter"], "R-hat": row["r_hat"]}
        | {name: round(float(row[key] or 0)) for name, key in (("ESS bulk", "ess_bulk"), ("ESS tail", "ess_tail"))}
        for row in _diagnostics(answer.found)
    ]
    if not rows:
        return []
    explained = "R-hat: rank-normalised, of split chains, at most 1.01", "ESS: effective sample size, at least 400"
    return [_table(answer, "How far the draws can be relied upon", rows, *explained)]


# the object


def instance_json(answer: Answer) -> dict[str, Any]:
    """The result as an object: settings, findings, and every table in full precision."""
    found = answer.found
    return {
        "settings": _settings(answer),
        "findings": findings(answer),
        "warnings": warnings(answer),
        "pairs": list(_pairs(found)),
        "algorithms": _algorithms(found),
        "components": _components(found),
        "series": _series(found),
        "single_instances": [
            asdict(one) | {"significant": one.significant, "contradict": one.contradict} for one in answer.singles
        ],
        "needed": [asdict(plan) for plan in answer.plans],
        "diagnostics": _diagnostics(found),
        "fit": {
            "criterion": found.fit.criterion,
            "is_singular": found.fit.is_singular,
            **asdict(found.fit.convergence),
        },
        "notes": list(found.scores.notes),
    }


def _settings(answer: Answer) -> dict[str, Any]:
    found = answer.found
    scores, drawn = found.scores, found.posterior
    return {
        "measure": scores.measure,
        "model": found.model,
        "formula": found.formula,
        "population": found.population,
        "baseline": found.baseline,
        "margin": found.margin,
        "alpha": found.alpha,
        "correction": found.tests.correction,
        "df": found.freedom,
        "width": answer.width,
        "posterior": drawn is not None,
        "prior": None if drawn is None else asdict(drawn.prior) | {"text": str(drawn.prior)},
        "chains": None if drawn is None else drawn.beta.shape[0],
        "draws": None if drawn is None else drawn.beta.shape[1],
        "warmup": None if drawn is None else drawn.warmup,
        "seed": found.seed,
        "topics": list(scores.topics),
        "instances": len(scores.instances),
        "missing": scores.missing,
        "filled": scores.filled,
        "fill": answer.fill,
        "precision": answer.precision,
        "deterministic": list(scores.deterministic),
        "unchanging": list(scores.unchanging),
    }


def _series(found: Instances) -> dict[str, Any] | None:
    rows = found.series()
    if not rows:
        return None
    claims = {"not_worse": NOT_WORSE, "equivalent": ("equivalent",)}
    return {
        "baseline": found.baseline,
        "settings": [row._asdict() for row in rows],
        "smallest": {name: found.smallest(allowed) for name, allowed in claims.items()},
        "smallest_by_hpd": None
        if found.hpd is None
        else {name: found.smallest(allowed, by_hpd=True) for name, allowed in claims.items()},
    }
