"""Who is the best is said alike by every study: ties share the first place, geometric means are shown as such."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irgauge.inference.leaders import Leaders
from irgauge.replicates.instances import InstanceScores
from irgauge.reporting.report import report
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import Scores
from irgauge.studies.compare.study import compare
from irgauge.studies.instances.study import instances
from irgauge.studies.score.study import score
from irgauge.studies.suite.study import suite

TIED = np.array([[0.1, 0.3, 0.0], [0.3, 0.1, 0.1], [0.5, 0.5, 0.0], [0.2, 0.2, 0.1]])  # topic, system
SYSTEMS = ("x", "y", "z")


def table(values: Any = TIED, measure: str = "AP") -> Scores:  # noqa: ANN401  # an array
    topics = tuple(map(str, range(len(values))))
    return Scores(np.asarray(values)[None, :, :, None], parse_measures([measure]), topics, SYSTEMS, ("all",))


def algorithms(values: Any, measure: str) -> InstanceScores:  # noqa: ANN401  # an array
    """Two instances of each system, which lie as far above as below its scores."""
    import polars as pl

    shifts = np.random.default_rng(1).uniform(0, 0.02, values.shape)
    rows = [
        {"algorithm": system, "instance": str(i), "topic": str(t), "score": float(values[t, s] + side * shifts[t, s])}
        for t in range(len(values))
        for s, system in enumerate(SYSTEMS)
        for i, side in enumerate((-1, 1))
    ]
    return InstanceScores.from_frame(pl.DataFrame(rows), measure=measure)


def said(values: Any, measure: str) -> dict[str, str]:  # noqa: ANN401  # an array
    """The sentence of each study on who is best; a report's first, and that on teams."""
    made = report(table(values, measure), groups=dict(zip(SYSTEMS, "rst", strict=True)))
    texts = [claim.text for claim in made.page.claims]
    return {
        "score": score(table(values, measure)).findings()[0].text,
        "compare": compare(table(values, measure)).findings().of("best")[0].text,
        "suite": suite({"p": table(values, measure), "q": table(values[::-1], measure)}).findings()[0].text,
        "instances": instances(algorithms(values, measure), measures=measure, posterior=False).findings()[0].text,
        "report": made.page.front.headlines[0].text,
        "teams": next(text for text in texts if "teams' best runs" in text),
    }


def test_systems_with_the_same_mean_share_the_first_place_everywhere() -> None:
    texts = said(TIED, "AP")
    assert texts.pop("score") == "x and y share the highest mean AP of 3 systems, 0.2750."
    assert texts.pop("teams").startswith(
        "By AP, x of r and y of s share the first place among 3 teams' best runs (mean"
    )
    for study, text in texts.items():
        assert "x and y share the first place among 3" in text, study
        assert "mean 0.275" in text, study
        assert "it differs" not in text, study


def test_a_geometric_mean_is_shown_as_one_everywhere() -> None:
    logs = np.log(np.random.default_rng(5).uniform(0.1, 0.6, (8, 3)) + np.array([0.3, 0.1, 0.0]))
    shown = float(np.prod(np.exp(logs[:, 0])) ** (1 / 8))  # the definition
    for study, text in said(logs, "GMAP").items():
        assert (f"{shown:.4f}" if study == "score" else f"mean {shown:.3f}") in text, study
    finding = compare(table(logs, "GMAP")).findings().of("best")[0]
    assert finding.fields["mean"] == pytest.approx(shown)
    note = "Scores by GMAP are logarithms; e to the power of their mean is the geometric mean."
    assert all(note in one.notes for one in compare(table(logs, "GMAP")).tables())
    assert not any(note in one.notes for one in score(table(logs, "GMAP")).tables())


def test_systems_that_are_all_the_same_are_said_to_be_so() -> None:
    same = TIED[:, :1] + np.array([[0, 0.1, 0.2], [0, 0, 0], [0.2, 0.1, 0], [0, 0, 0]])
    assert compare(table(same)).findings()[0].text == "By AP, all 3 systems have the same mean (0.325)."
    assert "all 3 systems have the same mean (0.325)." in suite({"p": table(same), "q": table(same)}).findings()[0].text


@pytest.mark.parametrize("gap", [0.0, 1e-12, 1e-3])
def test_leaders_are_those_whose_means_are_the_same(gap: float) -> None:
    found = Leaders.of(SYSTEMS, [0.5, 0.5 - gap, 0.1], ("x", "y"))
    assert (found.best, found.alike) == ((("x",), ("y",)) if gap > 1e-9 else (("x", "y"), ()))
    assert (found.tied, found.systems, found.mean) == (found.best[1:], 3, 0.5)
