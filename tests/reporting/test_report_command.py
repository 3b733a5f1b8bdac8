from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import irgauge
from irgauge.inference.hierarchy import Standing
from irgauge.models.anova import fit
from irgauge.reading.formats import read_run
from irgauge.reading.trec import Run
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.reporting.report import report
from irgauge.reporting.sections import sections
from irgauge.scoring.measures import parse_measures
from irgauge.simulation.collections import Design
from irgauge.simulation.truth import true_means
from irgauge.studies.compare.study import compare_on_page
from irgauge.studies.report_part import Ran

Irgauge = Callable[..., tuple[int, str, str]]
FEW = ("--shards", "even:2", "--resamples", 1, "--images", 4)


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def test_report_writes_one_page_that_says_by_which_command_and_reads_each_run_once(
    demo: Path, run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def watched(path: str) -> Run:
        read.append(str(path))
        return read_run(path)

    monkeypatch.setattr("irgauge.reading.collection.read_run", watched)
    target = tmp_path / "my page.html"
    code, out, err = run("report", *paths(demo), "-m", "AP", *FEW, "-o", target)
    assert (code, out) == (0, "")
    assert f"wrote {target}" in err
    page = target.read_text()
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "is the best of 4 systems" in page
    assert "seed 0" in page
    said = re.search(r"<dt>command</dt>\s*<dd>(.*?)</dd>", page)
    assert said is not None
    words = ["irgauge", "report", *map(str, paths(demo)), "-m", "AP", *map(str, FEW), "-o", str(target)]
    assert shlex.split(html.unescape(said[1])) == words
    assert sorted(read) == sorted(map(str, (demo / "runs").iterdir()))


def test_one_run_is_explained_not_refused(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    one = sorted((demo / "runs").iterdir())[0]
    code, _, _ = run("report", demo / "qrels.txt", one, "-m", "AP", *FEW, "-o", target)
    assert code == 0
    assert "needs at least 2 systems" in target.read_text()


def test_shards_none_is_the_whole_corpus(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    code, _, _ = run("report", *paths(demo), "-m", "AP", "--shards", "none", "--images", 4, "-o", target)
    assert code == 0
    assert "no shards were asked for" in target.read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-o", "page.txt"), "end its name in .html"),
        (("-o", "no/such/folder/page.html"), "does not exist"),
        (("--precision", "half"), "the precision 'half' is unknown"),
        (("-m", "nonsense"), "nonsense"),
        (("--bundle", "."), "not empty"),
        (("--shards", "evn:5"), "write even:S"),
        (("--shards", "even:1000000"), "ask for fewer"),
        (("--pattern", "{system}.run"), "cannot be used"),
        (("--pattern", "{algorithm}.{seed}.txt"), "does not fit"),
        (("--manifest", "no.txt"), "no.txt"),
        (("--baseline", "nobody"), "the baseline 'nobody' is unknown"),
        (("--margin", "small"), "the margin 'small' is no number"),
        (("--margin", "0"), "the margin 0 is not possible"),
        (("--margin", "2%"), "is a share of the baseline's mean; name a baseline"),
        (("--margin", "2"), "the margin 2 is too large"),
        (("--margin", "0.01", "--alpha", "0.3"), "verdicts against a margin need one below 0.25"),
    ],
)
def test_bad_options_are_refused(
    options: tuple[str, ...], said: str, demo: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo)
    code, out, err = run("report", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert said in err
    assert not (demo / "report.html").exists()


def test_a_small_bundle_is_one_file_with_the_page_and_short_results_and_says_what_it_lacks(
    demo: Path, run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("irgauge.reporting.page._LONG", 10_000)  # letters
    code, _, err = run("report", *paths(demo), "-m", "AP", *FEW, "--bundle", "small")
    assert code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["report.zip"]
    with ZipFile("report.zip") as archive:
        assert archive.namelist() == ["report.html", "results.json"]
        results = json.loads(archive.read("results.json"))
        assert archive.read("report.html").startswith(b"<!DOCTYPE html>")
    long = {"compare", "bootstrap"}
    assert long < set(results["without"])
    assert long.isdisjoint(results["studies"])
    assert results["studies"]["check"]["results"]
    assert results["claims"]
    assert all(len(json.dumps(study)) < 10_000 for study in results["studies"].values())
    assert f"not in report.zip: {', '.join(results['without'])}; --bundle FOLDER writes all" in err


def test_a_bundle_with_instances_and_a_baseline_and_a_margin_as_compare_takes_them(
    demo: Path, run: Irgauge, tmp_path: Path
) -> None:
    names = sorted(path.name for path in (demo / "runs").iterdir())
    manifest = tmp_path / "manifest.txt"
    manifest.write_text("".join(f"{name} {name.split('-')[0]} {i}\n" for i, name in enumerate(names)))
    folder, file = tmp_path / "bundle", demo / "runs" / names[1]
    against = ("--baseline", file, "--margin", "5%", "-q")
    given = ("--manifest", manifest, "--bundle", folder)
    assert run("report", *paths(demo), "-m", "AP", *FEW, *given, *against, "--seed", 3) == (0, "", "")
    results = json.loads((folder / "results.json").read_text())
    algorithms = [one["system"] for one in results["studies"]["instances"]["results"][0]["systems"]]
    assert sorted(algorithms) == sorted({name.split("-")[0] for name in names})
    assert str(manifest) in str(results["settings"]["manifest of instances"])
    assert (folder / "charts/instance-margins-ap.svg").exists()
    assert (folder / "tables/partition-splits-ap.csv").exists()
    assert (folder / "charts/pool-images-ap.png").exists()
    (found,) = results["studies"]["baseline"]["results"]
    behind = Standing(has_primary=False, share=1 / 3)  # algorithms have the primary claim, all pairs another third
    options: dict[str, Any] = {"baseline": names[1].removesuffix(".run"), "shards": "even:2", "seed": 3}
    alone = compare_on_page(irgauge.load(*paths(demo)), "AP", margin="5%", standing=behind, **options)
    rows = {
        row["system"]: (row["verdict"], row["margin_low"])
        for row in alone.frame().filter(population="topics").to_dicts()
    }
    of = found["pairs"]["topics"]
    assert dict(zip(of["system"], zip(of["verdict"], of["margin_low"], strict=True), strict=True)) == rows
    assert results["settings"]["margin"] == "5%"
    assert results["settings"]["baseline system"] == found["measures"][0]["baseline"]
    assert list((folder / "charts").glob("baseline-differences-*.png"))
    values = Bench(irgauge.load(*paths(demo))).measured(Measuring(parse_measures(["AP"]), "even:2", seed=3)).values()
    shown = results["studies"]["anova"]["results"][0]["rows"]
    assert [row["omega2"] for row in shown] == [row.omega2 for row in fit(values, "MD6").rows]
    assert results["settings"]["seed"] == 3
    assert len(results["settings"]["runs"]) == 4
    assert (folder / "report.html").exists()
    assert list((folder / "charts").glob("answer-*.pdf"))
    assert list((folder / "tables").glob("neighbours-*.tex"))


def test_instances_may_be_told_by_their_names(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    idle = {name: replace(part, run=lambda _: Ran(())) for name, part in sections().items()}
    monkeypatch.setattr("irgauge.reporting.report.sections", lambda: idle)  # what they find is tested with the manifest
    made = report(paths(demo), "AP", pattern="{algorithm}-{instance}")
    labels = made.reporting.labels
    assert labels is not None
    assert {label.algorithm for label in labels.values()} == {
        path.name.split("-")[0] for path in (demo / "runs").iterdir()
    }


def test_a_run_that_cannot_be_used_is_refused(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 a 1 high word\n")
    code, out, err = run("report", demo / "qrels.txt", bad, demo / "runs", "-m", "AP", "-o", tmp_path / "page.html")
    assert (code, out) == (2, "")
    assert f"{bad}:1: the score 'high' is not a number" in err


def test_the_truth_of_a_simulation_is_held_against_the_intervals(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    truth, page = tmp_path / "truth.json", tmp_path / "page.html"
    design = Design(systems=4, families=2, topics=6, depth=30, corpus_size=300, relevant_median=6, seed=2)  # demo's
    true_means(design, ["AP"], topics=50).save(truth)
    options = ("--shards", "none", "--images", 2, "--truth", truth, "-o", page, "-q")
    code, out, err = run("report", *paths(demo), "-m", "AP", *options)
    assert (code, err) == (0, "")
    assert re.fullmatch(r"the truth is inside [0-4] of 4 intervals of 95% \(AP\)\n", out)


def test_runs_must_be_named(demo: Path, run: Irgauge) -> None:
    code, out, err = run("report", demo / "qrels.txt")
    assert (code, out) == (2, "")
    assert "name the runs after the judgments" in err
