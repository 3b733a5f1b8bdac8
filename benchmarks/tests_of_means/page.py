"""The page docs/tests-of-means.md, from the table of what was counted and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.tests_of_means import ROOT, chart
from benchmarks.tests_of_means.conclusions import CONCLUSIONS, Conclusion, Found
from benchmarks.tests_of_means.decisions import TESTS
from benchmarks.tests_of_means.published import ALPHA, AT, PUBLISHED
from benchmarks.tests_of_means.table import FITTING, POWER, RUNNING, SAME_MARGIN, SAME_MEAN, TIES_LOST, TYPE_III, Row

PAGE = ROOT / "docs" / "tests-of-means.md"
_METHOD = Path(__file__).with_name("method.md").read_text().strip()
_BEYOND = 3  # Monte Carlo errors


def write(rows: Sequence[Row]) -> None:
    """Write the page and its chart."""
    PAGE.write_text(text(rows))
    chart.write(rows)


def text(rows: Sequence[Row]) -> str:
    """The page."""
    return "\n\n".join([*_head(rows), *_agreement(rows), *_equal(rows), *_unequal(rows), _METHOD, _time(rows)]) + "\n"


def ours(rows: Sequence[Row]) -> Found:
    """What we found where they published numbers; percent."""
    return {
        what: {
            (row.measure, row.topics, test): 100 * row.share(test)
            for row in _of(rows, what, AT[what], ALPHA)
            for test in TESTS
        }
        for what in PUBLISHED
    }


def _of(rows: Sequence[Row], what: str, difference: float, alpha: float) -> list[Row]:
    return [row for row in rows if (row.what, row.difference, row.alpha) == (what, difference, alpha)]


def _head(rows: Sequence[Row]) -> Iterator[str]:
    found = ours(rows)
    agreed = sum(not one.exceptions(found) for one in CONCLUSIONS)
    yield "# Tests of two means: which to trust?"
    yield (
        "Urbano, Lima and Hanjalic ([SIGIR 2019](https://doi.org/10.1145/3331184.3331259)) drew topics whose truth is "
        "known from distributions fitted to TREC scores, and counted how often five tests err and how much they find. "
        "By their README the R code runs for months. This page has our equivalent on the same scores of TREC 5 to 8, "
        f"{_minutes(rows)} of CPU time in all, with irgauge's `skewed-t` beside the five."
    )
    yield (
        f"Of {len(CONCLUSIONS)} conclusions, our numbers bear out {agreed} for all measures and numbers of topics. "
        f"Where systems are equal, our rates of error differ from theirs by at most {_apart(found, SAME_MARGIN):.2f} "
        f"points; the power at δ = {AT[POWER]:g} by at most {_apart(found, POWER):.2f} points. "
        "Use the t-test, or the permutation test (`randomization`), which is conservative where ties are many; for "
        "means, neither "
        "Wilcoxon's nor the sign test, and the "
        "bootstrap with a mean shifted to 0 only with many topics."
    )
    yield (
        "Every number, also for smaller α and for every δ, is in [tests-of-means.csv](tests-of-means.csv); "
        "`make tests-of-means` writes this page."
    )
    yield f"![Rates of error of six tests, for AP, P@10 and RR with 25, 50 and 100 topics]({chart.NAME})"


def _apart(found: Found, what: str) -> float:
    """The largest difference between their numbers and ours."""
    return max(abs(rate - found[what][key]) for key, rate in PUBLISHED[what].items())


def _agreement(rows: Sequence[Row]) -> Iterator[str]:
    found = ours(rows)
    yield "## Where we agree, and where not"
    yield (
        "Conclusions of theirs, or what their published numbers show, as rules for each measure and number of topics. "
        "How near is near is our choice, made so that their own numbers keep every rule. Ranges are over "
        f"measures and 25 to 100 topics, in percent: of type I errors at α = {ALPHA:g}, of power at "
        f"δ = {AT[POWER]:g}, of type III errors at δ = {AT[TYPE_III]:g}."
    )
    head = ("conclusion", "numbers", "theirs", "ours", "agree")
    yield _table(head, [_compared(one, found) for one in CONCLUSIONS])
    yield "\n".join(f"- {_gap(found, what)}" for what in (SAME_MARGIN, POWER, TYPE_III))
    yield from _ties(rows)
    yield (
        "The rest is small. With AP our power is a little lower, and that of Wilcoxon's test falls below that of t "
        'with 100 topics, where theirs are equal; which of the differences listed under "How it was done" makes it, '
        "we do not know."
    )
    yield _guard(rows)


def _compared(one: Conclusion, found: Found) -> tuple[str, ...]:
    ranges = [f"{min(rates):.1f} to {max(rates):.1f}" for rates in (one.rates(PUBLISHED), one.rates(found))]
    broken = ", ".join(f"{measure} {topics}" for measure, topics in one.exceptions(found))
    verdict = f"**not** in {broken}" if broken else "yes"
    return one.text, f"{one.what}: {one.test}, {', '.join(one.measures)}", *ranges, verdict


def _gap(found: Found, what: str) -> str:
    """Where they and we differ most."""
    published = PUBLISHED[what]
    key = max(published, key=lambda key: abs(published[key] - found[what][key]))
    measure, topics, test = key
    return (
        f"Largest gap, {what}: {test}, {measure}, {topics} topics, {published[key]:.2f} % there and "
        f"{found[what][key]:.2f} % here."
    )


def _ties(rows: Sequence[Row]) -> Iterator[str]:
    """Why the permutation test errs less often here."""
    yield (
        "**Ties.** With P@10 the permutation test is conservative here, and near 5 % there. A resample that is exactly "
        "as extreme as the data counts against the difference. Sums of P@10 tie often, but in floating point equal "
        "sums may differ in the last digit. The published code compares them as they are, so that some ties are lost; "
        "in its bootstrap also as it takes away the mean of the resamples. This study allows for rounding, as irgauge "
        f"does. Without that, our rates for P@10 come near theirs (type I, α = {ALPHA:g}, percent):"
    )
    head = ("test", "topics", "ties counted", "ties lost to rounding", "theirs")
    pairs = zip(_of(rows, TIES_LOST, 0.0, ALPHA), _tied(rows), strict=True)
    lines = [
        (test, str(lost.topics), _cell(kept, test).split(" (")[0], _plain(lost, test), _theirs(kept, test))
        for lost, kept in pairs
        for test in ("permutation", "bootstrap")
    ]
    yield _table(head, sorted(lines, key=lambda line: line[0], reverse=True))


def _tied(rows: Sequence[Row]) -> list[Row]:
    """The same experiments with ties counted."""
    lost = {(row.measure, row.topics) for row in rows if row.what == TIES_LOST}
    return [row for row in _of(rows, SAME_MARGIN, 0.0, ALPHA) if (row.measure, row.topics) in lost]


def _theirs(row: Row, test: str) -> str:
    return f"{PUBLISHED[SAME_MARGIN][row.measure, row.topics, test]:.2f}"


def _guard(rows: Sequence[Row]) -> str:
    """What skewed-t does."""
    equal = [*_of(rows, SAME_MARGIN, 0.0, ALPHA), *_of(rows, SAME_MEAN, 0.0, ALPHA)]
    most = {test: max(100 * row.share(test) for row in equal) for test in ("t", "skewed-t")}
    lost = max(
        100 * (row.share("t") - row.share("skewed-t")) for row in rows if (row.what, row.alpha) == (POWER, ALPHA)
    )
    return (
        f"irgauge's `skewed-t` errs in at most {most['skewed-t']:.2f} % of experiments with equal systems, where t "
        f"errs in up to {most['t']:.2f} %; it finds up to {lost:.1f} points less."
    )


def _equal(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Equal systems that are called different (type I errors)"
    yield (
        f"Both systems have the same margin, as in their study; α = {ALPHA:g}, in percent, ± one Monte Carlo error; "
        "theirs in brackets. **Bold**: too often, _italic_: too seldom, by more than three Monte Carlo errors."
    )
    yield _rates(rows, SAME_MARGIN, 0.0, ALPHA)
    pairs = zip(_of(rows, SAME_MARGIN, 0.0, ALPHA), _of(rows, SAME_MEAN, 0.0, ALPHA), strict=True)
    apart = [{test: abs(one.share(test) - other.share(test)) for test in TESTS} for one, other in pairs]
    sign = max(row.pop("sign") for row in apart)
    most = max(max(row.values()) for row in apart)
    yield (
        "With equal means and unequal margins, which they did not try, rates are within "
        f"{100 * most:.2f} points of these, those of the sign test within {100 * sign:.2f}."
    )


def _unequal(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Unequal systems (power, and type III errors)"
    yield (
        f"How often systems whose means differ by δ = {AT[POWER]:g} are found to differ, and how often the worse "
        f"one is called better where means differ by δ = {AT[TYPE_III]:g}; from the least to the most over measures "
        f"and numbers of topics, α = {ALPHA:g}, in percent."
    )
    head = ("test", f"found, δ = {AT[POWER]:g}", f"wrong direction, δ = {AT[TYPE_III]:g}")
    yield _table(head, [(test, *(_range(rows, what, test) for what in (POWER, TYPE_III))) for test in TESTS])
    last = max(row.share(test) for row in _of(rows, TYPE_III, AT[POWER], ALPHA) for test in TESTS)
    yield f"At δ = {AT[POWER]:g}, no test makes such an error in more than {100 * last:.2f} % of experiments."


def _range(rows: Sequence[Row], what: str, test: str) -> str:
    shares = [100 * row.share(test) for row in _of(rows, what, AT[what], ALPHA)]
    return f"{min(shares):.2f} to {max(shares):.2f}"


def _rates(rows: Sequence[Row], what: str, difference: float, alpha: float) -> str:
    own = _of(rows, what, difference, alpha)
    lines = [(row.measure, str(row.topics), *(_cell(row, test) for test in TESTS)) for row in own]
    return _table(("measure", "topics", *TESTS), lines)


def _cell(row: Row, test: str) -> str:
    share, error, shown = row.share(test), row.error(test), _plain(row, test)
    if row.what in (SAME_MARGIN, SAME_MEAN) and abs(share - row.alpha) > _BEYOND * error:
        shown = f"**{shown}**" if share > row.alpha else f"_{shown}_"
    published = PUBLISHED.get(row.what, {}).get((row.measure, row.topics, test))
    return shown if published is None or row.alpha != ALPHA else f"{shown} ({published:.2f})"


def _plain(row: Row, test: str) -> str:
    return f"{100 * row.share(test):.2f} ± {100 * row.error(test):.2f}"


def _minutes(rows: Sequence[Row]) -> str:
    (whole,) = (row for row in rows if row.what == RUNNING)
    return f"{whole.cpu_seconds / 60:.1f} minutes"


def _time(rows: Sequence[Row]) -> str:
    (whole,) = (row for row in rows if row.what == RUNNING)
    fitting = sum(row.cpu_seconds for row in rows if row.what == FITTING)
    trials = sum(row.trials for row in rows if row.what != TYPE_III and row.alpha == ALPHA)
    alone = fitting + (whole.cpu_seconds - fitting) / 2
    return (
        f"## Time\n\n{trials:,} experiments, {len(TESTS)} tests of each: {_minutes(rows)} of CPU time. Margins and "
        f"copulas take {fitting / 60:.1f} of them, on one core; all else runs on two. On two idle cores that makes "
        f"{alone / 60:.1f} minutes, computed and not measured: this run shared its two cores with other work, and took "
        f"{whole.seconds / 60:.1f} minutes."
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
