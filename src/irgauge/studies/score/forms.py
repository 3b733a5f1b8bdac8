"""Forms that only scores have: the lines of trec_eval, and the long table that irgauge reads again."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping

from irgauge.scoring.measures import Measure
from irgauge.studies.means import SystemMean
from irgauge.studies.score.study import Scored

_ONLY_OF_ALL = "NumQ"  # of which trec_eval prints nothing for single topics


def trec_lines(result: Scored) -> str:
    """The lines of `trec_eval -q -c`: the topics that a run answers in byte order, then `all` topics.

    Where there are several runs a line with the name of each comes before its scores.
    """
    lines: list[str] = []
    several = len(result.scores.systems) > 1
    means = {(mean.system, mean.measure): mean for mean in result.means}
    for s, system in enumerate(result.scores.systems):
        lines += [f"{'runid':<22}\tall\t{system}"] if several else []
        lines += _of_topics(result, s)
        lines += [_line(measure, "all", _over_all(measure, means[system, str(measure)])) for measure in result.measures]
    return "\n".join(lines) + "\n"


def _over_all(measure: Measure, mean: SystemMean) -> float:
    """The mean, or of counts the sum, as trec_eval sums topics up."""
    return mean.mean * mean.topics if measure.over_topics == "sum" else mean.mean


def _of_topics(result: Scored, s: int) -> Iterator[str]:
    """The lines of the topics that a run answers."""
    scores = result.filled_scores
    values = scores.values[:, :, s].mean(axis=2)  # measure, topic
    missing = set(result.missing.topics_of.get(scores.systems[s], ()))
    for topic, t in sorted((topic.encode(), t) for t, topic in enumerate(scores.topics) if topic not in missing):
        for measure, value in zip(scores.measures, values[:, t], strict=True):
            if measure.name != _ONLY_OF_ALL:
                yield _line(measure, topic.decode(), value)


def _line(measure: Measure, topic: str, value: float) -> str:
    shown = f"{value:.0f}" if measure.over_topics == "sum" else f"{value:6.4f}"
    return f"{measure.trec_name:<22}\t{topic}\t{shown}"


def parquet(result: Scored) -> bytes:
    """The long table `measure, topic, system, replicate, score`, with undefined scores as they are."""
    out = io.BytesIO()
    result.scores.frame().write_parquet(out)
    return out.getvalue()


FORMS: Mapping[str, Callable[[Scored], str | bytes]] = {"trec": trec_lines, "parquet": parquet}
