"""Measures of a user's own: functions of ranked lists of grades, against ours and against what they may give."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import irgauge as ig
from api import toys
from irgauge.compute.tasks import Task, done_by
from irgauge.extensions import registry
from irgauge.replicates.images import draw_images
from irgauge.replicates.shards import split_documents
from irgauge.scoring.drawn import whole
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.parsing import MEASURES
from irgauge.scoring.scorer import Scorer
from irgauge.simulation.collections import Design, simulate

DESIGN = Design(systems=4, families=2, topics=7, depth=40, corpus_size=120, relevant_median=4, seed=5)
TOYS = ("PlainAP", "FastAP", "PlainDCG@10", "UnjudgedShare@10")
OURS = ("AP", "AP@1000", "nDCG@10", "Unjudged@10")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MEASURES, "_program", {})
    ig.register(
        toys.own("PlainAP", toys.plain_ap),
        toys.own("FastAP", toys.fast_ap),
        toys.own("PlainDCG", toys.plain_dcg, has_cutoff=True),
        toys.own("UnjudgedShare", toys.unjudged_share, has_cutoff=True, needs_relevant=False, unjudged=math.nan),
    )


@pytest.fixture(scope="module")
def runs() -> ig.Collection:
    return simulate(DESIGN).collection()


class Posted:
    """An engine that does tasks from copies that came by post."""

    def results(self, tasks: Iterable[Task[Any, Any, Any]]) -> Iterator[Any]:
        """What each task gives, in their order."""
        for task in tasks:
            sent = pickle.loads(pickle.dumps(task))  # noqa: S301  # our own
            yield sent.do(sent.data, sent.item)


@pytest.mark.parametrize("spec", [None, "even:4", "die:3"])
def test_a_function_of_grades_scores_as_our_kernels_do(runs: ig.Collection, spec: str | None) -> None:
    drawn = whole(runs.document_count) if spec is None else split_documents(runs, spec)
    toy, ours = (Scorer(runs, parse_measures(names)).score(drawn) for names in (TOYS, OURS))
    np.testing.assert_allclose(toy, ours, atol=1e-12)  # undefined in the same places
    assert np.isnan(toy[:3]).any() == (spec is not None)


def test_images_too_whatever_the_batch_the_threads_and_the_place(runs: ig.Collection) -> None:
    images = draw_images(runs, 12, seed=3)
    ours = Scorer(runs, parse_measures(OURS)).score(images)
    scorer = Scorer(runs, parse_measures(TOYS))
    values = scorer.score(images, workers=1)
    np.testing.assert_allclose(values, ours, atol=1e-12)
    np.testing.assert_array_equal(scorer.score(images, workers=3), values)
    batches = [draw_images(runs, 5, seed=3), draw_images(runs, 7, seed=3, first=5)]
    np.testing.assert_array_equal(np.concatenate([scorer.score(batch) for batch in batches], axis=3), values)
    posted = pickle.loads(pickle.dumps(scorer))  # noqa: S301  # our own
    np.testing.assert_array_equal(posted.score(images), values)


def test_studies_take_it_as_ours(runs: ig.Collection) -> None:
    compared = [ig.compare(runs, name, shards="even:2", fill="drop") for name in ("AP", "FastAP")]
    drawn = [ig.bootstrap(runs, name, images=20) for name in ("AP", "FastAP")]
    for ours, own in (compared, drawn):
        assert ours.frame().drop("measure").equals(own.frame().drop("measure"))
    assert ig.FastAP is not None  # type: ignore[attr-defined]  # as type checkers do not know it
    assert str(ig.PlainDCG @ 10) == "PlainDCG@10"  # type: ignore[attr-defined]  # as type checkers do not know it
    assert {"PlainAP", "FastAP"} < set(dir(ig))


def test_it_goes_to_workers_that_have_its_module_and_a_function_of_the_program_is_refused(
    runs: ig.Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ig.bootstrap(runs, ["PlainAP", "FastAP"], images=20).to_dict()
    with done_by(Posted()):
        assert ig.bootstrap(runs, ["PlainAP", "FastAP"], images=20).to_dict() == here
    ig.register(toys.own("Local", lambda *_: 0.5))
    measure = pickle.dumps((ig.PlainAP, ig.Local))  # type: ignore[attr-defined]  # as type checkers do not know it
    assert copy.deepcopy(ig.Local) == ig.Local  # type: ignore[attr-defined]  # as type checkers do not know it
    monkeypatch.setattr(MEASURES, "_program", {})  # as in another process
    plain, local = pickle.loads(measure)  # noqa: S301  # our own
    assert plain.record.kernel.function is toys.plain_ap
    with pytest.raises(
        ig.DesignError, match=r"^the measure 'Local' is unknown here: .* nor a module that can be imported"
    ):
        _ = local.record


def of_program(grades: toys.Floats, judged: toys.Floats) -> float:  # noqa: ARG001  # as all
    return 0.5


def test_what_the_program_itself_has_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert registry.packed(toys.own("Mine", of_program)) is not None
    import __main__

    monkeypatch.setattr(of_program, "__module__", "__main__")
    monkeypatch.setattr(__main__, "of_program", of_program, raising=False)
    assert registry.packed(toys.own("Mine", of_program)) is None


FAULTS: list[tuple[Callable[..., object], str]] = [
    (lambda *_: math.nan, "gave nan; a score is a finite number"),
    (lambda *_: 1.5, "gave 1.5, outside of its range from 0 to 1; mend the function or the range"),
    (lambda *_: None, "gave nan; a score is a finite number"),
    (lambda *_: "high", "failed .ValueError: .*it is called with the grades of a list by rank"),
    (lambda *_: 1 / 0, "failed .ZeroDivisionError: division by zero.; it is called with"),
    (lambda: 1, "failed .TypeError: .* gives a number"),
]


@pytest.mark.parametrize(("function", "told"), FAULTS)
def test_what_is_no_score_is_a_sentence(runs: ig.Collection, function: Callable[..., object], told: str) -> None:
    ig.register(toys.own("Wrong", function))
    with pytest.raises(ig.DesignError, match=f"^the measure Wrong {told}"):
        ig.score(runs, "Wrong")


@pytest.mark.parametrize(
    ("name", "settings", "told"),
    [
        ("AP", {}, "the measure 'AP' of api.test_own_measures has the name of one of irgauge; give it another name"),
        ("ap", {}, "'ap' is no name of a measure; it has letters, digits and _, and at least one capital"),
        ("MAP", {}, "the measure 'MAP' means AP already; give it another name"),
        ("NDCG_cut_10", {}, "the measure 'NDCG_cut_10' means nDCG@10 already; give it another name"),
        ("A b", {}, "'A b' is no name of a measure"),
        ("Odd", {"direction": "up"}, "the direction of Odd is 'up'; it is 'higher' or 'lower'"),
        ("Odd", {"range": (1, 0)}, "the range of Odd is .1, 0.; it is two numbers, the lower first, or None"),
        ("Odd", {"explanation": " "}, "the measure Odd needs an explanation"),
    ],
)
def test_what_cannot_be_a_measure_is_a_sentence(name: str, settings: dict[str, Any], told: str) -> None:
    with pytest.raises(ig.DesignError, match=f"^{told}"):
        ig.register(toys.own(name, toys.plain_ap, **settings))


def test_a_measure_of_which_less_is_better(runs: ig.Collection) -> None:
    ig.register(toys.own("Lost", lambda *parts: 1 - toys.plain_ap(*parts), direction="lower"))
    lost, gained = (ig.compare(runs, name).comparison for name in ("Lost", "AP"))
    assert (lost.systems, lost.direction) == (gained.systems, "lower")
    np.testing.assert_allclose(lost.difference, -gained.difference, atol=1e-12)


def always(score: float, *_: object) -> float:
    return score


def test_a_cell_that_runs_again_replaces_what_it_registered(runs: ig.Collection) -> None:
    for score in (0.25, 0.75):
        ig.register(toys.own("Again", partial(always, score)))
        assert set(ig.score(runs, "Again").values.ravel()) == {score}
    with pytest.raises(ig.DesignError, match=r"'Again' of elsewhere has the name of one of api\.test_own_measures"):
        MEASURES.add(toys.own("Again", toys.plain_ap), "elsewhere")


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(ig.DesignError, match=r"a function cannot be registered; irgauge\.extending has what can"):
        ig.register(toys.plain_ap)
