"""What a check says of shards and images before they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irgauge.replicates.sparseness import MANY_UNDEFINED
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, listed
from irgauge.studies.check.judged import LITTLE_JUDGED, TOP
from irgauge.studies.check.naming import whole_percent
from irgauge.studies.check.prospects import Prospect, Prospects


def findings_of_prospects(ahead: Prospects) -> Iterator[Finding]:
    """Too many undefined cells, and cut-offs that reach below the judged depth."""
    if found := ahead.sparse:
        yield sparse(shares={replicates(one): one.undefined for one in found}, most_shards=ahead.most_defined)
    if below := ahead.unjudged:
        yield below_judged(
            shards=below.shards or 1, reach=below.reach, judged=below.judged, most_shards=ahead.most_judged
        )


def replicates(one: Prospect) -> str:
    """Shards or images, by their name."""
    return "images" if one.shards is None else f"{one.shards} shards"


@sentence("sparse", "warning")
def sparse(*, shares: Mapping[str, float], most_shards: int) -> str:
    """Shards or images that would leave many cells undefined."""
    told = listed([f"{whole_percent(share)} in {what}" for what, share in shares.items()])
    most = whole_percent(MANY_UNDEFINED)
    if most_shards == 1:
        fine = f"Any split leaves more than {most}; use the whole corpus"
    else:
        fine = f"Up to {most_shards} shards leave at most {most}"
    return f"Topics would be left without a relevant document: {told}. {fine}."


@sentence("below-judged", "warning")
def below_judged(*, shards: int, reach: int, judged: float, most_shards: int) -> str:
    """Shards whose cut-off reaches below the judged depth."""
    fine = "only the whole corpus stays" if most_shards == 1 else f"up to {counted(most_shards, 'shard')} stay"
    return (
        f"In {shards} shards a top {TOP} reaches to rank {reach} of the list, down to which {whole_percent(judged)} is "
        f"judged in the median run; {fine} above {whole_percent(LITTLE_JUDGED)}."
    )
