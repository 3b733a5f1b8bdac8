from __future__ import annotations

import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import irgauge
from conftest import without_made
from irgauge.errors import DesignError
from irgauge.replicates.images import draw_images
from irgauge.replicates.kept import UNFINISHED
from irgauge.scoring.drawn import Images
from irgauge.scoring.scores import Scores, score
from irgauge.studies.bootstrap import gathering

Irgauge = Callable[..., tuple[int, str, str]]
PROGRAM = str(Path(sys.executable).with_name("irgauge"))
IMAGES, SEED = 70, 3  # more than a batch


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def drawn(demo: Path, *measures: str) -> Scores:
    """The scores of all images at once, not gathered batch by batch; undefined ones are 0."""
    collection = irgauge.load(*paths(demo), corpus_size=400)
    return score(collection, measures, draw_images(collection, IMAGES, seed=SEED)).filled("zero")


@pytest.fixture
def shown(demo: Path, run: Irgauge) -> dict[str, Any]:
    options = ["-m", "AP", "-m", "P@5", "--images", IMAGES, "--seed", SEED, "--corpus-size", 400, "--pairs"]
    code, out, _ = run("bootstrap", *paths(demo), *options, "--format", "json")
    assert code == 0
    answer: dict[str, Any] = json.loads(out)
    return answer


def test_json_has_every_part(shown: dict[str, Any]) -> None:
    assert list(shown) == [
        "study",
        "schema",
        "irgauge",
        "versions",
        "made",
        "provenance",
        "findings",
        "measures",
        "systems",
        "topics",
        "topic_spread",
        "system_spread",
        "pairs",
        "swaps",
        "held_out",
        "state",
    ]
    expected = {
        "method": "corpus bootstrap",
        "draw": "documents",
        "population": "documents",
        "images": IMAGES,
        "seed": SEED,
        "alpha": 0.05,
        "measures": ["AP", "P@5"],
        "systems": 4,
        "systems_given": 4,
        "keep_systems": "all",
        "topics": 6,
        "corpus_size": 400,
        "undefined_topics": "zero",
        "order": "score descending, ties by docno descending",
        "precision": "double",
    }
    assert {name: shown["provenance"][name] for name in expected} == expected
    assert [len(shown[part]) for part in ("measures", "systems", "topics", "topic_spread")] == [2, 8, 48, 12]


def test_json_has_pairs_only_where_asked_for(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("bootstrap", *paths(demo), "-m", "AP", "--images", 5, "-f", "json")
    assert json.loads(out)["pairs"] is None


def test_json_of_systems_agrees_with_numpy(demo: Path, shown: dict[str, Any]) -> None:
    scores = drawn(demo, "AP", "P@5")
    means = scores.values.mean(axis=1)  # measure, system, image
    for row in shown["systems"]:
        values = means[["AP", "P@5"].index(row["measure"]), scores.systems.index(row["system"])]
        assert (row["image_mean"], row["sd"]) == pytest.approx((values.mean(), values.std(ddof=1)))
        assert row["bias"] == pytest.approx(values.mean() - row["mean"])
        assert row["bias_in_sds"] == pytest.approx((values.mean() - row["mean"]) / values.std(ddof=1))
        assert row["low"] < row["mean"] < row["high"]
    ranks = (means[0][:, None] < means[0][None]).sum(axis=1) + 1  # AP, which has no ties
    best = next(row for row in shown["systems"] if (row["measure"], row["rank"]) == ("AP", 1))
    of_best = ranks[scores.systems.index(best["system"])]
    assert shown["measures"][0]["bias"]["on_topics"] < 0.4
    assert (best["rank_low"], best["rank_high"]) == pytest.approx(tuple(np.percentile(of_best, [2.5, 97.5])))


def test_json_of_topics_and_pairs_agrees_with_numpy(demo: Path, shown: dict[str, Any]) -> None:
    scores = drawn(demo, "AP", "P@5")
    for row in shown["topics"]:
        place = ["AP", "P@5"].index(row["measure"]), scores.topics.index(row["topic"])
        values = scores.values[(*place, scores.systems.index(row["system"]))]
        assert (row["image_mean"], row["sd"]) == pytest.approx((values.mean(), values.std(ddof=1)), abs=1e-9)
        quartiles = np.quantile(values, [0.25, 0.5, 0.75], method="inverted_cdf")
        assert (row["q25"], row["median"], row["q75"]) == pytest.approx(tuple(quartiles), abs=0.0006)
    sd = scores.values.std(axis=3, ddof=1)
    spread = np.percentile(sd, 95, axis=2)
    assert [row["sd"] for row in shown["topic_spread"]] == pytest.approx(spread.ravel().tolist(), abs=1e-9)
    ap = shown["pairs"][0]
    differences = [
        scores.values[0, :, scores.systems.index(first)] - scores.values[0, :, scores.systems.index(second)]
        for first, second in ap["pairs"]
    ]
    deviations = np.std(differences, axis=2, ddof=1).T  # topic, pair
    np.testing.assert_allclose(ap["difference_sd"], deviations, atol=1e-9)
    assert (ap["mean"], ap["sd"]) == pytest.approx((deviations.mean(), deviations.std(ddof=1)))
    assert shown["measures"][0]["difference"] == {"mean": ap["mean"], "sd": ap["sd"]}


def test_json_of_the_swaps_agrees_with_numpy(demo: Path, shown: dict[str, Any]) -> None:
    scores = drawn(demo, "AP", "P@5")
    means = scores.values[0].mean(axis=0)
    for swap in shown["swaps"][:3]:
        upper, lower = (means[scores.systems.index(swap[end])] for end in ("upper", "lower"))
        assert swap["share"] == pytest.approx((lower > upper + 1e-12).mean())
        assert swap["is_frequent"] == (swap["share"] > 0.05)


def test_text_has_findings_then_tables(demo: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = run("bootstrap", *paths(demo), "-m", "AP", "-m", "P@5", "--images", 30, "--system", "F1-2")
    assert (code, err) == (0, "")
    parts = [
        "- For other documents on these topics, differences between systems vary least in P@5: the standard",
        "How precise each measure is",
        "measure  diff sd       ±  score sd  mean sd     bias  in sds",
        "Systems, best first",
        "F1-2 topic by topic",
        "Neighbours in the ranking that swap in more than 5 % of images",
        "Method: corpus bootstrap; α = 0.05; population: documents (these topics, other documents); AP and",
    ]
    places = [out.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_findings_stand_in_other_forms_too(form: str, demo: Path, run: Irgauge) -> None:
    code, out, _ = run("bootstrap", *paths(demo), "-m", "AP", "--images", 10, "--format", form)
    assert code == 0
    starts = {"markdown": "- For other doc", "latex": "\\begin{itemize} \\sloppy\n\\item For other doc"}
    assert out.startswith(starts[form])
    assert "Systems, best first" in out


def test_csv_has_the_systems_or_the_topics(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("bootstrap", *paths(demo), "-m", "AP", "--images", 10, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 4
    assert list(rows[0])[:5] == ["measure", "system", "mean", "low", "high"]
    _, out, _ = run("bootstrap", *paths(demo), "-m", "AP", "--images", 10, "--format", "csv", "--per-topic")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 6
    assert list(rows[0]) == ["measure", "topic", "system", "root", "image_mean", "sd", "q25", "median", "q75", "sd_95"]


def test_the_best_systems_by_a_measure_are_kept(demo: Path, run: Irgauge) -> None:
    options = ["-m", "AP", "--images", 5, "--keep-systems", 2, "--keep-by", "RR", "--format", "json"]
    _, out, _ = run("bootstrap", *paths(demo), *options)
    shown = json.loads(out)
    scores = score(irgauge.load(*paths(demo)), ["RR"]).filled("zero")
    best = [scores.systems[i] for i in np.argsort(-scores.values[0, :, :, 0].mean(axis=0), kind="stable")[:2]]
    assert [row["system"] for row in shown["system_spread"]] == best  # as they are kept
    told = shown["provenance"]
    assert (told["systems"], told["systems_given"], told["keep_systems"], told["keep_by"]) == (2, 4, "2", "RR")


def test_topics_alone_leave_out_what_they_do_not_show(demo: Path, run: Irgauge) -> None:
    arguments = ["bootstrap", *paths(demo), "-m", "AP", "--images", 20, "--draw", "topics"]
    _, out, _ = run(*arguments, "--format", "json")
    shown = json.loads(out)
    assert shown["provenance"]["population"] == "topics"
    assert all(shown[part] == [] for part in ("topics", "topic_spread", "system_spread"))
    _, out, _ = run(*arguments)
    assert "differences on them are left out" in " ".join(out.split())


BAD: dict[str, tuple[list[str], str]] = {
    "a corpus that is too small": (["--corpus-size", "10"], "a corpus of 10 documents is too small"),
    "an unknown system": (["--system", "F1-9"], "the system 'F1-9' is unknown; did you mean 'F1-"),
    "a chart without a file": (["--chart-of", "ranks"], "name it with --chart ranks.html"),
    "an unknown chart": (
        ["--chart", "x.svg", "--chart-of", "rank"],
        "the chart 'rank' is unknown; did you mean 'ranks'",
    ),
    "an unknown kind of chart": (["--chart", "x.bmp"], "'.bmp' is not a format of charts"),
    "a chart of topics that are drawn": (
        ["--draw", "topics", "--chart", "x.svg", "--chart-of", "spread"],
        "there is no chart of 'spread' here",
    ),
    "an unknown draw": (["--draw", "systems"], "--draw 'systems' is unknown"),
    "an unknown measure": (["-m", "MAP@x"], "MAP"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(name: str, demo: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("bootstrap", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("of", ["systems", "ranks", "deviations", "topics", "spread"])
def test_charts_are_drawn(of: str, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    options = ["-m", "AP", "-m", "P@5", "--images", 10, "--chart", target, "--chart-of", of]
    code, _, _ = run("bootstrap", *paths(demo), *options)
    assert code == 0
    assert target.read_text().startswith("<svg")


def test_scores_are_kept_in_batches(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    folder = tmp_path / "scores"
    folder.mkdir()  # an empty one is taken
    options = ["-m", "AP", "--images", IMAGES, "--seed", SEED, "--corpus-size", 400, "--keep", folder]
    code, _, _ = run("bootstrap", *paths(demo), *options)
    assert code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["images-000001-000064.parquet", "images-000065-000070.parquet"]
    frame = pl.concat([pl.read_parquet(folder / name) for name in names])
    assert frame.columns == ["measure", "topic", "system", "replicate", "score"]
    kept = Scores.from_frame(frame).filled("zero")
    expected = drawn(demo, "AP")
    assert kept.replicates == expected.replicates
    np.testing.assert_array_equal(kept.values, expected.values)
    assert [path.name for path in tmp_path.iterdir()] == ["scores"]


def test_a_folder_with_files_is_left_alone(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    code, out, err = run("bootstrap", *paths(demo), "--keep", tmp_path)
    assert (code, out) == (2, "")
    assert "the folder is not empty" in err
    code, _, err = run("bootstrap", *paths(demo), "--keep", tmp_path / "mine.txt")
    assert code == 2
    assert "there is a file of this name" in err
    code, _, err = run("bootstrap", *paths(demo), "--keep", tmp_path / "mine.txt" / "scores")
    assert code == 2
    assert "cannot be written" in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_failure_leaves_no_folder(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    code, _, _ = run("bootstrap", *paths(demo), "--images", 1, "--keep", tmp_path / "scores")
    assert code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("heard")
def test_ctrl_c_ends_cleanly_and_keeps_what_is_done(demo: Path, tmp_path: Path) -> None:
    done = tmp_path / f"scores{UNFINISHED}"
    options = ["-m", "AP", "--images", "1000000", "--keep", tmp_path / "scores", "-o", tmp_path / "out.json"]
    command = [PROGRAM, "bootstrap", *map(str, (*paths(demo), *options))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603  # our own program
        until = time.monotonic() + 120
        while not list(done.glob("images-*.parquet")):
            assert process.poll() is None, process.stderr
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "irgauge: stopped; no file is left half-written"
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == [done]
    assert all(len(pl.read_parquet(path)) for path in done.glob("*.parquet")), "files are whole"


def test_what_is_unfinished_is_gone_on_with(
    demo: Path, run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first try ends with its third batch of images; a second one draws what is missing alone."""
    options = ["-m", "AP", "--images", 30, "--keep", tmp_path / "scores", "--format", "json"]
    monkeypatch.setattr(gathering, "_BATCH", 8)
    expected = run("bootstrap", *paths(demo), *options)
    (tmp_path / "scores").rename(tmp_path / "whole")
    begun: list[int] = []

    def draw(*given: Any, first: int, **more: Any) -> Images:  # noqa: ANN401  # as it is called
        if len(begun) == 2:
            raise DesignError("the power is gone")
        begun.append(first)
        return draw_images(*given, first=first, **more)

    monkeypatch.setattr(gathering, "draw_images", draw)
    assert run("bootstrap", *paths(demo), *options) == (2, "", "irgauge: the power is gone\n")
    assert not (tmp_path / "scores").exists()
    code, _, err = run("bootstrap", *paths(demo), *options, "--seed", 1)
    assert code == 2
    assert f"scores{UNFINISHED}: holds what is done so far of other data or other settings" in err
    monkeypatch.setattr(gathering, "draw_images", draw_images)
    _, out, _ = run("bootstrap", *paths(demo), *options)
    assert without_made(out) == without_made(expected[1])
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("scores", "whole")]
    assert files[0] == files[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores", "whole"]


def test_batches_without_settings_are_refused(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    options = ["-m", "AP", "--images", 100, "--keep", tmp_path / "scores"]
    assert run("bootstrap", *paths(demo), *options)[0] == 0
    (tmp_path / "scores").rename(tmp_path / f"scores{UNFINISHED}")
    code, _, err = run("bootstrap", *paths(demo), *options)
    assert code == 2
    assert f"scores{UNFINISHED}: holds what is done so far of other data or other settings" in err


def test_the_progress_bar_tells_images_per_second(demo: Path) -> None:
    ours, theirs = pty.openpty()
    command = [PROGRAM, "bootstrap", *map(str, paths(demo)), "-m", "AP", "--images", "3000"]
    environment = os.environ | {"COLUMNS": "120", "TERM": "xterm"}
    with subprocess.Popen(  # noqa: S603  # our own program
        command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        told = b""
        while chunk := _read(ours):
            told += chunk
    os.close(ours)
    assert process.returncode == 0
    assert b"images/s" in told
    assert b"/3000" in told


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # how Linux says that the other end is closed
        return b""


def test_table_3_of_the_paper_on_trec8(trec8: Path, run: Irgauge) -> None:
    options = ["-m", "AP", "-m", "P@10", "--keep-systems", 50, "--keep-by", "RBP(p=0.95)@1000", "--corpus-size", 528155]
    code, out, _ = run("bootstrap", trec8 / "qrels.txt.gz", trec8 / "runs", *options, "--images", 200, "-f", "json")
    assert code == 0
    ap, p10 = (one["difference"] for one in json.loads(out)["measures"])
    assert (ap["mean"], ap["sd"]) == pytest.approx((0.046, 0.035), abs=0.002)
    assert (p10["mean"], p10["sd"]) == pytest.approx((0.144, 0.056), abs=0.002)
