"""Forms that only scores have: the lines of trec_eval, and the long table that irgauge reads again."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

from irgauge.studies.score.study import Scored


def trec_lines(result: Scored) -> str:
    """The lines of `trec_eval -q -c`: every topic, then `all`; a line with the run's name if there are several."""
    scores = result.filled_scores
    lines = []
    names = [f"{measure.trec_name:<22}" for measure in scores.measures]
    values = scores.values.mean(axis=3)  # measure, topic, system
    for s, system in enumerate(scores.systems):
        if len(scores.systems) > 1:
            lines.append(f"{'runid':<22}\tall\t{system}")
        for topic, of_topic in zip(
            (*scores.topics, "all"), (*values[:, :, s].T, values[:, :, s].mean(axis=1)), strict=True
        ):
            lines += [f"{name}\t{topic}\t{value:6.4f}" for name, value in zip(names, of_topic, strict=True)]
    return "\n".join(lines) + "\n"


def parquet(result: Scored) -> bytes:
    """The long table `measure, topic, system, replicate, score`, with undefined scores as they are."""
    out = io.BytesIO()
    result.scores.frame().write_parquet(out)
    return out.getvalue()


FORMS: Mapping[str, Callable[[Scored], str | bytes]] = {"trec": trec_lines, "parquet": parquet}
