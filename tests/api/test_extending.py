"""What the page on extending promises: a package installed beside appears everywhere, and nothing else is loaded."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irgauge as ig
from irgauge.compute.arrays import Floats
from irgauge.errors import ExtensionWarning
from irgauge.extensions.installed import installed, packages
from irgauge.extensions.registry import Registry
from irgauge.inference.corrections import HOLM, Correction, bonferroni, shared_level

STATS: Any = import_module("scipy.stats")  # it has no types
DOCS = Path(__file__).parent.parent.parent / "docs"
COMMANDS = """
import contextlib, io, json, sys
from irgauge.cli.program import main

shown = []
for arguments in json.loads(sys.argv[1]):
    out, sys.argv = io.TextIOWrapper(io.BytesIO()), ["irgauge", *arguments]
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main()
    out.flush()
    shown.append(out.buffer.getvalue().decode())
print(json.dumps(shown))
"""


def blocks(page: str, name: str) -> dict[str, str]:
    """The files of a page: those whose first line begins so."""
    text = (DOCS / page).read_text()
    return dict(re.findall(rf"^```python\n# ({name}\S+)\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


def install(folder: Path, name: str, points: dict[str, dict[str, str]], version: str = "0.1") -> None:
    """What an installer writes besides the code."""
    information = folder / f"{name}-{version}.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in of.items()) for group, of in points.items()
    ]
    (information / "entry_points.txt").write_text("\n".join(groups))


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package of the page."""
    folder = tmp_path_factory.mktemp("installed")
    study = {
        name.replace("src/irgauge/studies", "irtoys"): code.replace("irgauge.studies.lengths", "irtoys.lengths")
        for name, code in blocks("contributing-a-study.md", "src/irgauge/studies/lengths/").items()
    }
    for name, code in {"irtoys/__init__.py": "", **study, **blocks("extending.md", "irtoys/")}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(code)
    (project,) = re.findall(r"^```toml\n(.*?)^```", (DOCS / "extending.md").read_text(), re.DOTALL | re.MULTILINE)
    install(folder, "irtoys", tomllib.loads(project)["project"]["entry-points"])
    return folder


def run(code: str, *arguments: str, path: Path | str = "", folder: Path | None = None) -> str:
    """What a process prints."""
    environment = os.environ | {"PYTHONPATH": str(path), "COLUMNS": "200"}
    shown = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    return shown.stdout


def test_a_package_appears_in_every_command(toys: Path, demo: Path, tmp_path: Path) -> None:
    files = [str(demo / "qrels.txt"), str(demo / "runs")]
    small = ["--shards", "even:2", "--resamples", "1", "--images", "2", "-q"]
    asked = [
        ["--help"],
        ["measures"],
        ["measures", "share@5"],
        ["compare", "--help-all"],
        ["lengths", *files, "--least", "40"],
        ["compare", *files, "-m", "FastAP", "--test", "sign", "--correction", "sidak", "--format", "json"],
        ["score", *files, "-m", "FastAP", "-m", "AP", "-m", "Share@5", "--format", "json"],
        ["calibrate", *files, "--quick", "--trials", "2", "--correction", "sidak", "--format", "json"],
        ["shards", *files, "--shards", "turns:3", "-o", str(tmp_path / "map"), "-q"],
        ["report", *files, "-m", "FastAP", *small, "-o", str(tmp_path / "report.html")],
    ]
    shown = json.loads(run(COMMANDS, json.dumps(asked), path=toys, folder=tmp_path))
    root, listed, explained, compare_help, lengths, compared, scored, calibrated, *_ = shown
    heads = [line.strip(" │").split(" ")[0] for line in root.splitlines()]
    assert heads.index("score") < heads.index("lengths") < heads.index("compare")
    assert re.search(r"irtoys 0\.1 .*FastAP", listed)
    assert all(
        text in explained for text in ("irtoys 0.1", "from 0 to 1", "higher", "The sum of the grades in the top k")
    )
    assert all(text in compare_help for text in ("turns:S", "sidak", "sign, holm: only the direction of differences"))
    assert lengths.startswith("- 24 lists have fewer than 40 documents.")
    provenance = json.loads(compared)["provenance"]
    assert (provenance["test"], provenance["correction"]) == ("sign test", "sidak")
    means = {(row["measure"], row["system"]): row["mean"] for row in json.loads(scored)["systems"]}
    assert {measure for measure, _ in means} == {"FastAP", "AP", "Share@5"}
    assert all(mean == means["AP", system] for (measure, system), mean in means.items() if measure == "FastAP")
    methods = {(row["test"], row["correction"]) for row in json.loads(calibrated)["populations"][0]["errors"]}
    assert {("sign", "none"), ("sign", "sidak"), ("t", "sidak")} < methods
    assert [line.split()[-1] for line in (tmp_path / "map").read_text().splitlines()[:4]] == ["1", "2", "3", "1"]
    page = (tmp_path / "report.html").read_text()
    assert all(text in page for text in ("The documents in each list were counted.", "irtoys 0.1", "By FastAP"))


def test_workers_have_the_package_and_what_a_program_registers(toys: Path, demo: Path, tmp_path: Path) -> None:
    (tmp_path / "team.py").write_text((DOCS.parent / "tests" / "api" / "toys.py").read_text())
    code = """
import sys
import irgauge as ig
import team
from irgauge.cluster.connecting import connected
from irtoys.inference import SIDAK
from dataclasses import replace
if __name__ == "__main__":
    ig.register(team.own("PlainAP", team.plain_ap), replace(SIDAK, name="again"))
    ig.register(team.own("OfProgram", lambda *_: 0.5))
    runs = ig.load(*sys.argv[1:])
    def asked(**options):
        found = ig.bootstrap(runs, ["FastAP", "PlainAP"], images=10, **options).to_dict()
        tried = ig.calibrate(runs, quick=True, trials=2, correction="again", **options).to_dict()
        return found, tried
    with connected("local:1") as (client, _):
        print(asked() == asked(scheduler=client))
        try:
            ig.bootstrap(runs, "OfProgram", images=10, scheduler=client)
        except ig.DesignError as error:
            print(error)
"""
    path = f"{toys}{os.pathsep}{tmp_path}"
    same, refused = run(code, str(demo / "qrels.txt"), str(demo / "runs"), path=path).splitlines()
    assert same == "True"
    assert refused.startswith("the measure 'OfProgram' is unknown here: neither irgauge has it")


def test_the_program_of_the_page_runs(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "demo").symlink_to(demo)
    shown = run(blocks("extending.md", "program")["program.py"], folder=tmp_path)
    assert shown.startswith("By PlainAP, ")
    assert shown.count("PlainAP") == 1 + len(list((demo / "runs").iterdir()))


def test_a_folder_of_data_runs_no_code(tmp_path: Path) -> None:
    """Neither what is said to be installed there, nor a module with the name of one that is."""
    there, data = tmp_path / "installed", tmp_path / "data"
    for folder in (there, data):
        install(folder, "planted" if folder == data else "mine", {"irgauge.corrections": {"x": "mine:RECORD"}})
        (folder / "mine.py").write_text(
            f"from pathlib import Path\nPath({str(folder / 'ran')!r}).touch()\nRECORD = 1\n"
        )
    code = (
        "import sys, warnings; sys.path[0:0] = {}\n"
        "warnings.simplefilter('ignore')\n"
        "from irgauge.inference.corrections import CORRECTIONS\nlist(CORRECTIONS)"
    )
    (data / "script.py").write_text(code.format([]))
    for first in ([""], [str(data)], [str(data) + "/"], ["."], [""] * 2):
        run(code.format(first), path=there, folder=data)
    run(f"import runpy; runpy.run_path({str(data / 'script.py')!r})", path=there, folder=data)
    subprocess.run([sys.executable, data / "script.py"], check=True, env=os.environ | {"PYTHONPATH": str(there)})  # noqa: S603  # ours
    assert not (data / "ran").exists()
    run(code.format([]), path=there, folder=tmp_path)
    assert (there / "ran").exists()


def correction(name: str = "mine", **settings: Any) -> Correction:  # noqa: ANN401  # of the record
    usual: dict[str, Any] = {"title": name, "label": name, "short": name, "promise": "any pair"}
    usual |= {"is_simultaneous": True, "adjust": bonferroni, "interval_level": shared_level}
    return Correction(name, **(usual | settings))


RECORD = correction()
NO_RECORD = "holm"
DEFAULT = correction("holm")


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Registry[Correction]]:
    """A registry of corrections, with what packages name."""

    def make(*points: tuple[str, str]) -> Registry[Correction]:
        for package, point in points:
            install(tmp_path / "installed", package, {"irgauge.corrections": {"mine": point}})
        return Registry("corrections", lambda: (HOLM,))

    monkeypatch.syspath_prepend(tmp_path / "installed")  # pyright: ignore[reportUnknownMemberType]  # pytest's
    return make


HERE = f"{__name__}:"


@pytest.mark.parametrize(
    ("point", "told"),
    [
        ("no_such_module:X", "ModuleNotFoundError: No module named 'no_such_module'"),
        (f"{HERE}MISSING", "AttributeError: "),
        (f"{HERE}NO_RECORD", "a correction is a Correction of irgauge.extending, not a str"),
        (f"{HERE}DEFAULT", "the correction 'holm' of broken 0.1 has the name of one of irgauge; give it another name"),
    ],
)
def test_what_is_broken_is_a_warning_that_names_the_package(
    point: str, told: str, registry: Callable[..., Registry[Correction]]
) -> None:
    names = registry(("broken", point), ("good", f"{HERE}RECORD"))
    with pytest.warns(ExtensionWarning) as warned:
        assert list(names) == ["holm", "mine"]
    (message,) = [str(warning.message) for warning in warned]
    assert message.startswith(f"the correction 'mine' of the package broken 0.1 is left out ({told}")
    assert list(names) == ["holm", "mine"]  # and no second warning
    assert names.homes() == {"mine": "good 0.1"}


def test_of_two_packages_with_one_name_neither_is_taken(registry: Callable[..., Registry[Correction]]) -> None:
    names = registry(("first", f"{HERE}RECORD"), ("second", f"{HERE}RECORD"))
    with pytest.warns(ExtensionWarning, match=r"'mine' is left out, as first 0\.1 and second 0\.1 both have one"):
        assert list(names) == ["holm"]


def test_nothing_is_loaded_before_it_is_asked_for(registry: Callable[..., Registry[Correction]]) -> None:
    names = registry(("broken", "no_such_module:X"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert names.known("holm") is names["holm"] is HOLM
    with (
        pytest.warns(ExtensionWarning),
        pytest.raises(ig.DesignError, match="the correction 'hlom' is unknown; did you"),
    ):
        names.known("hlom")


def test_a_name_that_a_package_has_is_refused_in_a_program(registry: Callable[..., Registry[Correction]]) -> None:
    names = registry(("good", f"{HERE}RECORD"))
    with pytest.raises(ig.DesignError, match=r"'Mine' of here has the name of one of good 0\.1|'Mine' is no name"):
        names.add(correction("Mine"), "here")
    with pytest.raises(ig.DesignError, match=r"'mine' of here has the name of one of good 0\.1; give it another name"):
        names.add(correction(), "here")


def test_a_package_that_is_found_twice_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("one", "two"):
        install(tmp_path / folder, "ir.Toys", {"irgauge.tests": {"x": "x:X"}}, "1" if folder == "one" else "2")
        monkeypatch.syspath_prepend(tmp_path / folder)  # pyright: ignore[reportUnknownMemberType]  # pytest's
    monkeypatch.chdir(tmp_path)
    assert (packages(), len(list(installed()))) == (("ir.Toys 2",), 1)


@pytest.mark.parametrize("damaged", [b"\xff\xfe", b"mine", b"= = [", b"mine = :", b"\0", b"[irgauge.tests"])
def test_damaged_information_is_no_crash(damaged: bytes, registry: Callable[..., Registry[Correction]]) -> None:
    names = registry(("broken", f"{HERE}RECORD"), ("good", f"{HERE}RECORD"))
    (place,) = [path for folder in sys.path for path in Path(folder).glob("broken-0.1.dist-info")]
    (place / "entry_points.txt").write_bytes(b"[irgauge.corrections]\n" + damaged)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExtensionWarning)
        assert list(names) == ["holm", "mine"]
    assert names.homes() == {"mine": "good 0.1"}


def halved(p: Floats) -> Floats:
    return p / 2


def tenth(alpha: float, tests: int) -> float:  # noqa: ARG001  # as all
    return 0.1


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (correction("wrong", adjust=halved), "makes .* of the p-values .* none smaller than before"),
        (correction("wrong", adjust=None), "adjusts nothing; give it a function `adjust`"),
        (correction("wrong", interval_level=tenth), r"has intervals of level 0\.1, where alpha is 0\.05"),
    ],
)
def test_what_cannot_correct_is_refused(record: Correction, told: str) -> None:
    with pytest.raises(ig.DesignError, match=f"^the correction 'wrong' {told}"):
        ig.register(record)


def test_a_test_is_no_default_and_a_study_hides_nothing() -> None:
    from irgauge.extending import Scheme, Study, Test

    wrong = {
        Test("mine", lambda: None, "mine", "mine", default_for=("topics",)): "the test 'mine' cannot be a default",  # type: ignore[arg-type, return-value]  # it is not called
        Scheme("mine", "m:S", "mine", lambda *_: None): "'mine' is written m:S; it begins with mine:",  # type: ignore[arg-type]  # it is not called
    }
    for record, told in wrong.items():
        with pytest.raises(ig.DesignError, match=told):
            ig.register(record)
    for name in ("report", "measures", "load", "lab"):
        with pytest.raises(ig.DesignError, match=f"the study '{name}' has the name of something else in irgauge"):
            ig.register(Study(name, "Why?", 1, "", package="mine"))
    with pytest.raises(ig.DesignError, match="write package=__name__"):
        ig.register(Study("mine", "Why?", 1, ""))


def test_a_registered_correction_adjusts_as_scipy_does(monkeypatch: pytest.MonkeyPatch) -> None:
    from irgauge.inference.corrections import CORRECTIONS

    monkeypatch.setattr(CORRECTIONS, "_program", {})
    ig.register(correction("mine"))
    values = np.random.default_rng(1).normal(0.5, 0.1, (20, 3)) + np.array([0.1, 0.05, 0.0])
    table = ig.load_scores(values, measure="AP", systems=list("abc"))
    rows = ig.compare(table, "AP", correction="mine", test="t").to_dict()["measures"][0]["pairs"]  # type: ignore[arg-type]  # any text
    single = [STATS.ttest_rel(values[:, u], values[:, v]).pvalue for u, v in ((0, 1), (0, 2), (1, 2))]
    adjusted = sorted(min(1.0, 3 * p) for p in single)
    assert sorted(row.get("p_adjusted", row["p"]) for row in rows) == pytest.approx(adjusted)
