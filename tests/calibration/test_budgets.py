"""Budgets of errors keep what they promise over nights of gates that err together; in short what docs have in full."""

from __future__ import annotations

from benchmarks.budgets import errors


def test_of_what_a_budget_reports_little_is_false() -> None:
    without, fdr, monthly = (errors(20, asked, shared=0.5, trials=12) for asked in (None, "fdr", "1/month"))
    assert without.false_share > 0.2  # what a budget is for
    assert fdr.false_share <= 0.05
    assert monthly.two_a_month <= 0.05
    assert monthly.false_alarms < without.false_alarms / 4
    assert min(fdr.power, monthly.power) > 0.5


def test_without_regressions_there_is_hardly_an_alarm() -> None:
    assert errors(0, "fdr", shared=0.0, trials=8).any_false == 0
