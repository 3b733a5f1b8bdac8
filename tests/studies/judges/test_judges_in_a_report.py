"""The part of a report on judges: it describes, claims nothing, and says why judgments cannot be used."""

from __future__ import annotations

import irgauge as ig
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import parse_measures
from irgauge.studies.judges.section import PART
from irgauge.studies.report_part import Reporting

SIMULATED = ig.simulate(topics=20, systems=4, families=2, depth=30, corpus_size=300, judge="noise=0.3", seed=4)


def of_report(judges: object) -> Reporting:
    bench = Bench(SIMULATED.collection())
    return Reporting(bench, parse_measures(["AP", "nDCG@10"]), judges=judges)  # type: ignore[arg-type]  # any judgments


def test_a_section_describes_what_becomes_of_claims() -> None:
    reporting = of_report({"model": SIMULATED.judgments()})
    ran = PART.run(reporting)
    section = PART.section(ran, reporting)
    assert [result.measure for result in ran.results] == ["AP", "nDCG@10"]
    kinds = [finding.kind for finding in section.told]
    assert kinds.count("survival") == 2
    assert not {"favour", "corrected", "other-judges"} & set(kinds)
    assert not any(finding.claims for finding in section.told)
    assert [panel.key for panel in section.panels] == ["judges-survival", "judges-table", "judges-grades"]
    assert "lost where they do not" in dict(PART.methods(ran, reporting))["Judges"]


def test_without_judges_there_is_no_section_and_bad_judgments_are_a_reason() -> None:
    assert not PART.run(of_report(None)).results
    judgments = SIMULATED.judgments() or {}
    first = next(iter(judgments))
    off_scale = judgments | {first: dict.fromkeys(judgments[first], 9)}
    ran = PART.run(of_report({"model": off_scale}))
    assert (ran.results, "off people's scale" in ran.missing["judges"]) == ((), True)
