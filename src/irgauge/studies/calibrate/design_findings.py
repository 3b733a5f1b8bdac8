"""What clusters, weights, shares and kinds of topics are worth: how often claims with and without them are false."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.calibrating.methods import AS_ASKED, EACH_KIND_ALONE, KINDS_TOGETHER, ONE_BY_ONE, Way
from irgauge.inference.corrections import DEFAULT, NONE
from irgauge.inference.sampling import SamplingColumns
from irgauge.inference.tests.registry import default_test
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import capital, listed, percent
from irgauge.studies.calibrate.calibration import KEEPING, Calibration, MethodPromise
from irgauge.studies.calibrate.study import Calibrated
from irgauge.studies.calibrate.words import share, the, the_test
from irgauge.studies.sampling_findings import sampling_told


def design_told(result: Calibrated, calibration: Calibration) -> Iterator[Finding]:
    """What is to be known of clusters and weights; then the usual test with and without them, and on kinds."""
    if calibration.population != "topics":
        return
    if result.sampling is not None:
        yield from sampling_told(result.sampling)
        yield from _two_ways(calibration, (AS_ASKED, ONE_BY_ONE), result.sampling.columns, result.by)
    if result.by:
        yield from _two_ways(calibration, (KINDS_TOGETHER, EACH_KIND_ALONE), SamplingColumns(), result.by)


def _two_ways(
    calibration: Calibration, ways: tuple[Way, Way], columns: SamplingColumns, by: tuple[str, ...]
) -> Iterator[Finding]:
    right, wrong = (_usual(calibration, way) for way in ways)
    if right is None or wrong is None:
        return
    if ways[0] == KINDS_TOGETHER:
        yield on_kinds(together=right, alone=wrong, by=by)
    else:
        yield with_and_without(known=right, ignored=wrong, columns=columns, pairs=calibration.pairs)


def _usual(calibration: Calibration, way: Way) -> MethodPromise | None:
    """The usual test for other topics as `compare` has it: with its correction, where there are several pairs."""
    test = default_test("topics").name
    own = {
        kept.method.correction: kept for kept in calibration.kept if (kept.method.test, kept.method.way) == (test, way)
    }
    return own.get(DEFAULT.name, own.get(NONE.name))


@sentence("design", claims=("trust",))
def with_and_without(*, known: MethodPromise, ignored: MethodPromise, columns: SamplingColumns, pairs: int) -> str:
    """How often the usual test errs that knows how topics came together, and where it takes them one by one."""
    test = the_test(known.method.test) if pairs == 1 else the(known.method)
    by = listed([text for text in map(_told, ("cluster", "weights", "shares"), _names(columns)) if text])
    return (
        f"{capital(test)} errs in {_rate(known)} by {by}, and in {_rate(ignored)} if topics are taken one by one, "
        f"where {percent(known.worst.nominal)} is promised: {_advice(known, ignored)}."
    )


def _names(columns: SamplingColumns) -> tuple[str | None, str | None, str | None]:
    return columns.cluster, columns.weights, columns.shares


def _told(what: str, column: str | None) -> str:
    words = {"cluster": "clusters of {}", "weights": "weights of {}", "shares": "shares of {}"}
    return "" if column is None else words[what].format(column)


def _rate(kept: MethodPromise) -> str:
    return f"{share(kept.worst.rate)} of experiments"


def _advice(known: MethodPromise, ignored: MethodPromise) -> str:
    """What to do."""
    if ignored.verdict == "liberal" and known.verdict != "liberal":
        return "do not leave them out"
    if known.verdict == "liberal":
        return (
            "both err too often here" if ignored.verdict == "liberal" else "the test that knows of them errs too often"
        )
    if ignored.verdict in KEEPING:
        return "here it would not matter for errors"
    return "more experiments (--trials) would tell whether it matters"


@sentence("kinds", claims=("trust",))
def on_kinds(*, together: MethodPromise, alone: MethodPromise, by: tuple[str, ...]) -> str:
    """How often anything is found on any kind of topics where systems are equally good on each."""
    keeps = {
        "liberal": "more than promised",
        "unclear": "which may be more than promised",
        "cannot be judged": "which may be more than promised",
    }.get(together.verdict, "as promised" if together.verdict == "keeps its promise" else "fewer than promised")
    return (
        f"On kinds of topics by {listed(by)}, {the(together.method)} finds something false on any kind in "
        f"{_rate(together)}, where at most {percent(together.worst.nominal)} is promised: {keeps}. With each kind "
        f"tested by itself it would be {share(alone.worst.rate)}."
    )
