"""A page has one error rate: where systems are equal, at most 2α of pages say something false, α in the first claim."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from calibration.rates import assert_at_most
from calibration.worlds import ShardWorld
from irgauge import Collection, Scores, load
from irgauge.inference.assertions import Assertion
from irgauge.reporting.options import ReportOptions
from irgauge.reporting.report import asked_of, page_claims, report
from irgauge.reporting.sections import sections
from irgauge.scoring.measures import parse_measures
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.page_rate import page_rate

PAGES, TOPICS, SYSTEMS, SHARDS = 60, 30, 5, 4
MEASURES = parse_measures(["AP", "nDCG@10"])


def tables(pages: int) -> Iterator[Scores]:
    """Systems that are equal on every topic and shard, by two measures that go together."""
    world = ShardWorld(topic_system=0.0, system_shard=0.0)
    for page in range(pages):
        rng = np.random.default_rng([34, page])
        values = world.values(rng, (TOPICS, SYSTEMS, SHARDS))
        other = 0.7 * values + 0.3 * world.values(rng, values.shape)
        sizes = zip("tsr", values.shape, strict=True)
        topics, systems, shards = (tuple(f"{letter}{number}" for number in range(size)) for letter, size in sizes)
        yield Scores(np.array([values, other]), MEASURES, topics, systems, shards)


def are_false(claims: list[Assertion], place: str | None = None) -> bool:
    """Whether any claim is false, where all systems are equal."""
    own = [claim for claim in claims if place in (None, claim.place)]
    return any(claim.is_false({f"s{system}": 0.0 for system in range(SYSTEMS)}) for claim in own)


def test_pages_on_equal_systems_seldom_say_something_false() -> None:
    pages = [page_claims(table, ReportOptions(workers=1)) for table in tables(PAGES)]
    assert_at_most(sum(map(are_false, pages)), PAGES, 0.1)
    assert_at_most(sum(are_false(page, "primary") for page in pages), PAGES, 0.05)
    assert_at_most(sum(are_false(page, "secondary") for page in pages), PAGES, 0.05)


def test_a_page_tells_its_own_rate_whatever_the_threads(tmp_path: Path) -> None:
    table = next(tables(1))
    one, two = (report(table, null=8, seed=3, workers=workers) for workers in (1, 2))
    assert one.null == two.null
    assert one.null is not None
    assert [world.name for world in one.null.worlds] == ["topics", "cells"]
    worst = one.null.worst.page
    (told,) = one.findings().of("page-rate")
    assert f"On data like yours without differences, {100 * worst.observed:g} % (" in told.text
    assert told.text in dict(one.page.methods)["What this page claims, and how often it errs"]
    one.save(tmp_path / "page.json")
    kept = json.loads((tmp_path / "page.json").read_text())["page_rate"]
    assert kept["worlds"][0]["page"]["trials"] == kept["copies"] == 8
    assert set(kept["worlds"][0]["places"]) == {"primary", "secondary"}


def assert_pages_keep_their_rate(runs: Collection, copies: int) -> None:
    """Of lists that changed places on each topic, and on each topic in each shard."""
    reporting, _ = asked_of(runs, ReportOptions(["AP", "nDCG@10"], workers=1))
    for world in page_rate(reporting, sections(), copies).worlds:
        assert_at_most(round(copies * world.page.observed), copies, 0.1)
        assert_at_most(round(copies * world.places["primary"].observed), copies, 0.05)


def test_pages_on_the_demo_without_differences() -> None:
    assert_pages_keep_their_rate(simulate(Design(equal=2)).collection(), 30)


def test_pages_on_trec_8_without_differences(trec8: Path) -> None:
    runs = load(trec8 / "qrels.txt.gz", sorted((trec8 / "runs").glob("*.gz"))[::13], warn=False)
    assert_pages_keep_their_rate(runs, 60)
