"""What studies claim is data: every sentence says of which kinds, and every claim can be counted as false."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
import pytest

from irgauge import Scores, anova, gate, load_scores, partition, suite, teams
from irgauge.inference.assertions import Assertion
from irgauge.show.finding import Finding, Findings, sentence
from irgauge.studies.registry import studies


@pytest.mark.parametrize("study", studies())
def test_every_finding_says_what_it_may_claim(study: str) -> None:
    sentences = list(studies()[study].sentences())
    assert any(own.tone == "finding" for own in sentences)
    silent = [own.kind for own in sentences if own.tone == "finding" and own.claims is None]
    assert not silent, f"say claims=(...) of these sentences, () where they describe the data: {silent}"


def test_a_claim_of_a_kind_that_is_not_declared_is_refused() -> None:
    @sentence("described", claims=())
    def described() -> str:
        return "So it is."

    with pytest.raises(ValueError, match="claims a difference"):
        described().claiming([Assertion("difference", "better", (("a", "b"),))])


# each study says something that is false of equal systems, and its claims show it


def table(lift: float, seed: int = 5) -> Scores:
    """Three systems, of which the first is better by so much."""
    values = np.random.default_rng(seed).random((30, 3)) + lift * (np.arange(3) == 0)
    return load_scores(values, systems=list("abc"))


def false(findings: Findings) -> dict[str, list[Assertion]]:
    """The claims that are false if all systems are equal, by the kind of finding."""
    return {finding.kind: own for finding in findings if (own := list(_false(finding)))}


def _false(finding: Finding) -> Iterator[Assertion]:
    for claim in finding.claims:
        if claim.is_false(dict.fromkeys(chain(*claim.pairs), 0.0), without=frozenset(claim.terms)):
            yield claim


def test_a_gate_claims_what_its_verdict_says() -> None:
    worse = gate(table(0.5), "a", "b", margin=0.1).findings()
    (claim,) = false(worse)["gate"]
    assert (claim.verdict, claim.pairs, claim.place) == ("worse", (("b", "a"),), "primary")
    (passed,) = gate(table(0.5), "b", "a", margin=0.1).findings()[0].claims
    assert passed.is_false({"a": 0.4, "b": 0.5})
    assert not passed.is_false({"a": 0.5, "b": 0.4})


def test_a_gate_that_passes_by_its_margin_claims_that() -> None:
    (claim,) = gate(table(0.0), "a", "b", margin=0.5).findings()[0].claims
    assert (claim.kind, claim.margin) == ("equivalence", 0.5)
    assert claim.is_false({"a": 0.6, "b": 0.1})
    assert not claim.is_false({"a": 0.6, "b": 0.2})


def test_an_undecided_gate_claims_nothing() -> None:
    finding = gate(table(0.0), "a", "b", margin=0.001).findings()[0]
    assert (finding.claims, finding.place) == ((), "primary")


@pytest.mark.parametrize("baseline", [None, "b"])
def test_a_suite_claims_for_each_population(baseline: str | None) -> None:
    told = suite({name: table(0.5, seed) for seed, name in enumerate("vwxyz")}, baseline=baseline).findings()
    kinds = {"verdicts", "pair"} if baseline else {"best", "pair", "ranks"}
    assert false(told).keys() == kinds
    places = {(claim.population, claim.place) for claim in false(told)[told[0].kind]}
    assert places == {("same collections", "primary"), ("collections", "secondary")}
    assert not false(suite({name: table(0.0, seed) for seed, name in enumerate("vwxyz")}, baseline=baseline).findings())


def test_that_collections_disagree_is_claimed_behind_the_answer() -> None:
    told = suite({"x": table(0.9, 1), "y": table(0.9, 2), "z": table(-0.5, 3)}).findings()
    claims = false(told)["opposite"]
    assert {(claim.verdict, claim.place, claim.population) for claim in claims} == {("better", "secondary", "topics")}
    assert {("a", "b"), ("b", "a")} <= {pair for claim in claims for pair in claim.pairs}
    assert not told.of("best-on")[0].claims


def test_teams_claim_which_best_runs_differ() -> None:
    (claim,) = false(teams(table(0.5), groups={"a": "A", "b": "B", "c": "C"}).findings())["best-team"]
    assert set(claim.pairs) == {("a", "b"), ("a", "c")}


def parted(lift: float) -> Scores:
    """On four parts of a corpus."""
    values = np.random.default_rng(6).random((25, 3, 4)) + lift * (np.arange(3) == 0)[:, None]
    measure = table(0.0).measures
    return Scores(values[None], measure, tuple(map(str, range(25))), ("a", "b", "c"), tuple("1234"))


def test_partition_claims_which_pairs_differ() -> None:
    told = false(partition(parted(0.5)).findings())
    assert {pair for claim in told["pairs"] for pair in claim.pairs} == {("a", "b"), ("a", "c")}
    assert told["top"][0].pairs == told["pairs"][0].pairs
    assert not false(partition(parted(0.0)).findings())


def test_nested_models_claim_the_terms_that_they_add() -> None:
    told = false(anova(parted(0.5), model="MD5", against="MD2").findings())
    added = {"topic:system", "shard", "system:shard"}
    assert "nested-models" not in told or set(told["nested-models"][0].terms) == added
