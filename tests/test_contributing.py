"""What the page for contributors promises: measures, schemes, tests, corrections and studies are added in one place.

Its code is added to a copy of the package, and the copy is used in processes of its own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irgauge

PAGE = Path(__file__).parent.parent / "docs" / "contributing-a-study.md"
SOURCE = Path(irgauge.__file__).parent
PROGRAM = "from irgauge.cli import entry; entry()"


def blocks() -> list[tuple[str, str]]:
    """The files that the page names, and what is to be added to each."""
    return re.findall(r"^```python\n# src/(\S+)\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, and in it what the page adds."""
    folder = tmp_path_factory.mktemp("contributed")
    shutil.copytree(SOURCE, folder / "irgauge")  # with what is compiled already
    for name, code in blocks():
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        there = target.read_text() + "\n\n" if target.exists() else ""
        target.write_text(there + code)
    return folder


@pytest.fixture(scope="module")
def without_charts(copy: Path) -> Path:
    """The same folder with one more study, which is that of the page without its charts and without a section."""
    folder = copy / "irgauge" / "studies"
    shutil.copytree(
        folder / "lengths", folder / "counts", ignore=shutil.ignore_patterns("charts.py", "section.py", "__pycache__")
    )
    for path in (folder / "counts").glob("*.py"):
        code = (
            path.read_text()
            .replace("lengths", "counts")
            .replace("Lengths", "Counts")
            .replace("collection.counts", "collection.lengths")
        )
        path.write_text(re.sub("charts=.*", "has_section=False,", code))
    return copy


def run(copy: Path, code: str, *arguments: object) -> str:
    """What a process with the copied package prints."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(copy), "COLUMNS": "200"}
    shown = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)  # noqa: S603  # our own program
    assert shown.returncode == 0, shown.stderr
    return shown.stdout


def command(copy: Path, *arguments: object) -> str:
    return run(copy, PROGRAM, *arguments)


def test_the_page_touches_one_file_of_each_kind_and_one_folder() -> None:
    touched = {name for name, _ in blocks()}
    existing = {name for name in touched if (SOURCE.parent / name).exists()}
    assert existing == {
        "irgauge/scoring/catalogue/precision.py",
        "irgauge/replicates/shards.py",
        "irgauge/inference/corrections.py",
    }
    added = {name for name in touched - existing if not name.startswith("irgauge/studies/lengths/")}
    assert added == {"irgauge/inference/tests/sign.py"}


def test_a_measure_appears_in_its_list_in_scores_and_in_python(copy: Path, demo: Path) -> None:
    listed = json.loads(command(copy, "measures", "--format", "json"))
    assert "Complete@k" in [row["measure"] for row in listed]
    shown = command(copy, "score", demo / "qrels.txt", demo / "runs", "-m", "Complete@5", "--format", "json")
    assert {row["measure"] for row in json.loads(shown)["systems"]} == {"Complete@5"}
    code = """
import irgauge as ig
data = ig.load({"1": {"a": 1}, "2": {"b": 1}}, {"mine": {"1": {"x": 2.0, "a": 1.0}, "2": {"x": 2.0, "y": 1.0}}})
print(ig.score(data, [ig.Complete @ 1, ig.Complete @ 2]).values.ravel().tolist(), "Complete" in dir(ig))
"""
    assert run(copy, code) == "[0.0, 0.0, 1.0, 0.0] True\n"


def test_a_scheme_appears_in_the_help_and_splits(copy: Path, demo: Path, tmp_path: Path) -> None:
    for name in ("compare", "anova", "shards"):
        assert "turns:S" in command(copy, name, "--help-all")
    command(copy, "shards", demo / "qrels.txt", demo / "runs", "--shards", "turns:3", "-o", tmp_path / "map", "-q")
    assert [line.split()[-1] for line in (tmp_path / "map").read_text().splitlines()[:4]] == ["1", "2", "3", "1"]


def test_a_test_appears_in_the_help_and_compares(copy: Path, demo: Path) -> None:
    shown = command(copy, "compare", "--help-all")
    assert "sign, holm: only the direction of differences is known." in " ".join(shown.split())
    files = (demo / "qrels.txt", demo / "runs")
    shown = json.loads(command(copy, "compare", *files, "--test", "sign", "--correction", "none", "--format", "json"))
    assert shown["provenance"]["test"] == "sign test"
    assert all(0 < pair["p"] <= 1 for pair in shown["measures"][0]["pairs"])
    assert {pair["detectable"] for pair in shown["measures"][0]["pairs"]} == {None}
    first = shown["measures"][0]["pairs"][0]
    more, fewer = first["wins"], first["losses"]
    assert first["p"] == pytest.approx(stats.binomtest(more, more + fewer).pvalue)
    tried = json.loads(command(copy, "calibrate", *files, "--quick", "--trials", "2", "--format", "json"))
    methods = {(row["test"], row["correction"]) for row in tried["populations"][0]["errors"]}
    assert {("sign", "none"), ("sign", "holm"), ("sign", "bh")} < methods


def test_a_correction_has_its_intervals_captions_verdicts_plans_and_trials(copy: Path) -> None:
    """Of 6 pairs on 20 topics, against scipy."""
    code = """
import json
import numpy as np
import irgauge as ig
values = np.random.default_rng(1).normal(0.5, 0.1, (20, 4)) + np.array([0.1, 0.05, 0.0, 0.0])
table = ig.load_scores(values, measure="AP", systems=list("abcd"))
found = ig.compare(table, "AP", test="t", correction="sidak", margin=0.05)
one, planned = found.comparison, ig.plan(table, "AP", correction="sidak")
tried = ig.calibrate(table, quick=True, trials=4, correction="sidak")
print(json.dumps({
    "values": values.tolist(), "names": one.names, "p": one.p_adjusted.tolist(), "low": one.low.tolist(),
    "level": planned.level,
    "caption": found.table("paper").notes[0], "verdicts": found.first.verdict.verdicts,
    "wide": found.first.verdict.low.tolist(), "planned": found.provenance["correction"],
    "tried": sorted({row.method.correction for row in tried.first.errors}),
}))
"""
    found = json.loads(run(copy, code))
    level = 1 - 0.95 ** (1 / 6)
    values = np.array(found["values"])
    pairs = [values[:, "abcd".index(first)] - values[:, "abcd".index(second)] for first, second in found["names"]]
    tested = [stats.ttest_1samp(d, 0) for d in pairs]
    assert found["p"] == pytest.approx([1 - (1 - one.pvalue) ** 6 for one in tested])
    assert found["low"] == pytest.approx([one.confidence_interval(1 - level).low for one in tested])
    wider = 1 - 0.9 ** (1 / 6)
    assert found["wide"] == pytest.approx([one.confidence_interval(1 - wider).low for one in tested])
    assert {"better"} < set(found["verdicts"])
    assert found["level"] == pytest.approx(level)
    assert "paired t-test, Šidák, α = 0.05" in found["caption"]
    assert (found["planned"], found["tried"]) == ("sidak", ["bh", "built in", "holm", "none", "sidak"])


def test_a_study_appears_in_the_help_in_python_and_among_the_sections(copy: Path, demo: Path) -> None:
    shown = command(copy, "--help")
    heads = [line.strip(" │").split(" ")[0] for line in shown.splitlines()]
    assert heads.index("score") < heads.index("lengths") < heads.index("compare")
    assert "How many documents does each system retrieve?" in shown
    assert "--least" in command(copy, "lengths", "--help")
    shown = command(copy, "lengths", demo / "qrels.txt", demo / "runs", "--least", "40")
    assert shown.startswith("- 24 lists have fewer than 40 documents.")
    code = """
import sys
import irgauge as ig
from irgauge.studies.registry import studies
found = ig.lengths(ig.load(*sys.argv[1:]), least=40)
print(sum(found.short), found.table().names, "lengths" in dir(ig), studies()["lengths"].part("section").PART.title)
"""
    shown = run(copy, code, demo / "qrels.txt", demo / "runs")
    assert shown == "24 ('system', 'median', 'short') True How many documents does each system retrieve?\n"


def test_a_study_may_have_no_charts(without_charts: Path, demo: Path) -> None:
    assert "--chart" not in command(without_charts, "counts", "--help")
    code = """
import sys
import irgauge as ig
found = ig.counts(ig.load(*sys.argv[1:]), least=40)
print(found.findings()[0], "<table" in found._repr_html_())
try:
    found.chart()
except ig.DesignError as error:
    print(error)
"""
    shown = run(without_charts, code, demo / "qrels.txt", demo / "runs").splitlines()
    assert shown == [
        "24 lists have fewer than 40 documents. True",
        "there are no charts of counts; tables() gives its tables",
    ]


def test_a_study_and_a_measure_appear_on_the_site(copy: Path, tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
sys.path.append(sys.argv[1])
from irgauge.studies.registry import studies
from website import commands, examples, measures, questions, reference
study = studies()["lengths"]
print(questions.overview(""), questions.heading(study), commands.options("lengths"))
print(reference.page(""), measures.page(""))
print(examples.result_of(examples.Examples(Path(sys.argv[2])), study).chart().title)
"""
    shown = run(copy, code, PAGE.parent.parent, tmp_path)
    assert "[How many documents does each system retrieve?](lengths.md)" in shown
    assert "# How many documents does each system retrieve?" in shown
    assert "--least NUMBER" in shown
    assert "### lengths { #lengths }" in shown
    assert "### Complete: complete { #measure-complete }" in shown
    assert shown.endswith("Documents that systems retrieve\n")


def test_a_study_is_a_section_of_the_report(copy: Path, demo: Path, tmp_path: Path) -> None:
    small = ["-m", "AP", "--shards", "even:2", "--resamples", "1", "--images", "2", "-q"]
    command(copy, "report", demo / "qrels.txt", demo / "runs", *small, "-o", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "How many documents does each system retrieve?" in page
    assert "The documents in each list were counted." in page
