"""How often may a claim err, and still keep its promise? Exact binomial limits."""

from __future__ import annotations

from scipy import stats

_CHANCE = 1e-3  # that a method which keeps its promise exactly fails a test here


def assert_at_most(errors: int, trials: int, nominal: float = 0.05) -> None:
    """Errors occur no more often than the nominal rate allows."""
    most = int(stats.binom.isf(_CHANCE, trials, nominal))
    assert errors <= most, (
        f"{errors} of {trials} trials err ({errors / trials:.1%}); at {nominal:.0%} at most {most} may"
    )


def assert_at_least(covered: int, trials: int, nominal: float = 0.95) -> None:
    """What an interval promises to hold, it holds."""
    assert_at_most(trials - covered, trials, 1 - nominal)


def assert_about(count: int, trials: int, nominal: float) -> None:
    """Neither more nor less often than nominal."""
    assert_at_most(count, trials, nominal)
    assert_at_most(trials - count, trials, 1 - nominal)
