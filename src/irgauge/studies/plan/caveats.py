"""What to know where a plan is set beside a comparison, or its pairs beside each other."""

from __future__ import annotations

import math
from collections.abc import Iterator

from irgauge.inference.tests.paired_t import PAIRED_T
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import percent
from irgauge.studies.plan.looks import looks_told
from irgauge.studies.plan.pair_plan import PairPlan
from irgauge.studies.plan.pilot import PlannedPair
from irgauge.studies.plan.study import Planned
from irgauge.studies.plan.words import of_ratios, shown_size
from irgauge.studies.slices_told import notes_of

_ALIKE = 1.05  # the ratio of what two tests find, up to which they find the same


def caveats(result: Planned) -> Iterator[Finding]:
    """What many looks take; that comparisons find less where differences are skewed; why a noisy pair needs less."""
    yield from looks_told(result)
    reach, guarded = result.first.now, result.guarded
    if reach is not None and guarded is not None and guarded > _ALIKE * reach.difference:
        yield guarded_reach(pair=result.first.pair, guarded=guarded, power=result.power, measure=result.measure)
    yield from notes_of(result.no_kind)
    plans = result.parts
    if "noisiest" in plans and _topics(plans["noisiest"]) < _topics(plans["typical"]):
        yield noisiest_needs_fewer(pair=plans["noisiest"].pair)


def _topics(plan: PairPlan) -> float:
    return min((design.topics or math.inf for design in plan.designs), default=math.inf)


@sentence("guarded-reach", tone="note", claims=("forecast",))
def guarded_reach(*, pair: PlannedPair, guarded: float, power: float, measure: str | None = None) -> str:
    """What the usual test of comparisons finds, where it finds less than the test that is planned for."""
    if math.isinf(guarded):
        finds = "no difference can be found"
    else:
        what = "ratio" if of_ratios(measure) else "difference"
        finds = f"a true {what} of {shown_size(guarded, measure):.3g} is found with a power of {percent(power)}"
    return (
        f"Plans are by the {PAIRED_T.title}. By the {SKEWED_T.title}, which comparisons use, {finds} with these topics,"
        f" as differences of {pair.system} and {pair.against} are skewed."
    )


@sentence("noisiest-needs-fewer", tone="note", claims=())
def noisiest_needs_fewer(*, pair: PlannedPair) -> str:
    """Why a pair that varies more needs fewer topics."""
    return (
        f"The noisiest pair ({pair.system} − {pair.against}) needs fewer topics than the typical one, as its variance "
        "is better known: fewer topics differ much from the others, so that less is added to be sure of the goal."
    )
