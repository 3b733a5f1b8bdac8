"""What a gate says of the error budget that it shares with all gates of a history."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import plain_name
from irgauge.show.words import counted, listed, percent
from irgauge.studies.gate.remembered import Budgeted
from irgauge.studies.gate.study import Gated


def budget_told(result: Gated) -> Iterator[Finding]:
    """What the budget gave, and what is left; nothing without one."""
    if result.budget is not None:
        yield budget(budget=result.budget)


def stricter_told(budget: Budgeted) -> str:
    """By which measures it is worse without the budget."""
    return f"without the budget it is worse in {listed(list(map(plain_name, budget.weakened)))}"


@sentence("budget", "note")
def budget(*, budget: Budgeted) -> str:
    """The level of this gate, and what is left of the budget."""
    share = percent(budget.alpha)
    if budget.until is None:
        promise = f"of all regressions reported at most {share} are false on average"
        rest = f"a wealth of {budget.left:.2g} is left"
    else:
        most, period = budget.budget.split("/")
        alarms = counted(int(most), "false alarm")
        promise = f"at most {alarms} in a {period}, with a chance of {percent(1 - budget.alpha)}"
        rest = f"{budget.left:.2g} is left until {budget.until}"
    again = "; the same data were gated before, so that nothing more was taken" if budget.is_repeated else ""
    gates = f"{counted(budget.before, 'gate')} before it, {budget.failed_before:,} of which failed"
    before = gates if budget.before else "no gate before it"
    stricter = f" ({stricter_told(budget)})" if budget.weakened else ""
    return (
        f"By the budget {budget.budget} ({promise}), it fails only with p of {budget.level:.2g} or less, and p is "
        f"{budget.p:.2g}{stricter}; {before}; {rest}{again}."
    )
