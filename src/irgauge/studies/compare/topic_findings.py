"""What happened per topic, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.inference.by_topic import Loss, PairOnTopics, pairs_told
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, over_shards, signed
from irgauge.studies.compare.study import Compared

_FEW = 3  # sentences; where there would be more, of the best system by each measure only


def topics_told(result: Compared) -> Iterator[Finding]:
    """Wins, ties and losses against the baseline, or of the best system against the runner-up, unless all are ties."""
    by_measure = [pairs_told(one.basis, one.comparison) for one in result.each]
    is_much = sum(map(len, by_measure)) > _FEW
    for pairs in by_measure:
        for pair in pairs[:1] if is_much else pairs:
            if pair.wins or pair.losses:
                yield _told(pair).about(measure=pair.measure)


def _told(pair: PairOnTopics) -> Finding:
    return on_topics_told(
        measure=over_shards(pair.measure, pair.shards),
        system=pair.system,
        against=pair.against,
        wins=pair.wins,
        ties=pair.ties,
        losses=pair.losses,
        worst=pair.worst,
    )


@sentence("topics")
def on_topics_told(
    *, measure: str, system: str, against: str, wins: int, ties: int, losses: int, worst: Loss | None
) -> str:
    """On how many topics a system wins, and where it loses most."""
    text = (
        f"By {measure}, {system} scores higher than {against} on {wins:,} of {counted(wins + ties + losses, 'topic')}"
        + (f", the same on {ties:,}" if ties else "")
        + (f" and lower on {losses:,}" if losses else "")
    )
    if worst is None:
        return f"{text}."
    missing = ", which it does not answer" if worst.is_missing else ""
    return f"{text}; its largest loss is on topic {worst.topic} ({signed(worst.difference)}){missing}."
