"""`irgauge lab`: the group, `lab index` and `lab run`."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from irgauge.cli.app import CommandGroup, commands
from irgauge.lab.models import MODELS

Irgauge = Callable[..., tuple[int, str, str]]
DOCUMENTS = "".join(
    f"<DOC>\n<DOCNO>d{number}</DOCNO>\n{text}\n</DOC>\n"
    for number, text in enumerate(["waves of radio", "radio noise", "the noise of waving", "measuring waves"], 1)
)
TOPICS = "<top><num>1</num><title>radio waves</title></top>\n<top><num>2</num><title>the noise</title></top>\n"
LAB = commands()["lab"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "documents.gz").write_bytes(gzip.compress(DOCUMENTS.encode()))
    (tmp_path / "topics").write_text(TOPICS)
    return tmp_path


def test_the_lab_offers_its_commands(run: Irgauge) -> None:
    assert isinstance(LAB, CommandGroup)
    code, out, _ = run("lab", "--help")
    assert code == 0
    for name, command in LAB.commands().items():
        assert re.search(rf"│ {name} ", out)
        assert command.question
    assert {"index", "run"} <= set(LAB.commands())


@pytest.mark.parametrize("name", list(LAB.commands()) if isinstance(LAB, CommandGroup) else [])
def test_every_command_of_the_lab_has_help_with_an_example(name: str, run: Irgauge) -> None:
    code, out, _ = run("lab", name, "--help")
    assert code == 0
    assert f"Example: irgauge lab {name}" in " ".join(out.split())
    assert "--output" in out


def test_the_help_of_run_names_every_model() -> None:
    assert isinstance(LAB, CommandGroup)
    told = re.findall(r"\w+", LAB.commands()["run"].about)
    assert [name for name in MODELS if name not in told] == []


def test_a_command_that_the_lab_has_not_is_refused(run: Irgauge) -> None:
    code, _, err = run("lab", "indx")
    assert code == 2
    assert "No such command 'indx'" in err


def test_from_text_to_runs_that_can_be_compared(folder: Path, run: Irgauge) -> None:
    code, out, err = run("lab", "index", folder / "documents.gz", "-o", folder / "index")
    assert (code, out) == (0, "")
    assert err == f"wrote {folder / 'index'}: 4 documents, 7 terms, 2.8 a document\n"
    code, out, err = run("lab", "run", folder / "index", folder / "topics", "-o", folder / "runs")
    assert (code, out) == (0, "")
    assert err == f"wrote {folder / 'runs'}: 90 runs on 2 topics\n"
    (folder / "qrels").write_text("1 0 d1 1\n2 0 d3 1\n")
    code, out, _ = run("score", folder / "qrels", folder / "runs", "-m", "AP")
    assert code == 0
    assert "90 systems on 2 topics" in out


def test_an_index_with_an_analyser_of_its_own_runs_every_model(folder: Path, run: Irgauge) -> None:
    given = ("--stop", "short", "--stemmer", "porter", "-q")
    assert run("lab", "index", folder / "documents.gz", "-o", folder / "index", *given) == (0, "", "")
    assert run("lab", "run", folder / "index", folder / "topics", "-o", folder / "runs", "-q") == (0, "", "")
    assert len(list((folder / "runs").iterdir())) == 10
    code, _, err = run(
        "lab", "run", folder / "index", folder / "topics", "-o", folder / "more", "--systems", "none-none-bm25"
    )
    assert code == 2
    assert "a system asks for none-none, and the index was made with short-porter, which cannot be undone" in err
    assert not (folder / "more").exists()


def test_a_grid_of_systems_is_run(folder: Path, run: Irgauge) -> None:
    run("lab", "index", folder / "documents.gz", "-o", folder / "index")
    grid = ("--systems", "{none,short}-porter-bm25(b={0.4,0.75}){,+rm3}", "--depth", "1")
    assert run("lab", "run", folder / "index", folder / "topics", "-o", folder / "runs", *grid)[0] == 0
    assert {path.name for path in (folder / "runs").iterdir()} == {
        f"{stop}-porter-bm25{b}{feedback}.run"
        for stop in ("none", "short")
        for b in ("", "(b=0.75)")
        for feedback in ("", "+rm3")
    }
    assert all(len(path.read_text().splitlines()) == 2 for path in (folder / "runs").iterdir())


def test_topics_that_match_nothing_are_told(folder: Path, run: Irgauge) -> None:
    run("lab", "index", folder / "documents.gz", "-o", folder / "index")
    (folder / "topics").write_text("1\tradio\n2\tgravitation\n")
    (folder / "qrels").write_text("1 0 d1 1\n")
    (folder / "map").write_text("d1 a\nd2 a\nd3 b\nd4 b\n")
    asked = {
        "run": ("--systems", "bm25"),
        "selective": ("--shards", folder / "map", "--csi", "50%", "--picks", "1"),
        "tuned": (folder / "qrels", "--shards", folder / "map"),
    }
    for name, options in asked.items():
        code, _, err = run("lab", name, folder / "index", folder / "topics", *options, "-o", folder / name)
        assert code == 0
        told = "note: no document has a term of topic '2' that is searched; runs leave it out"
        assert told in err.splitlines()


def test_a_search_of_all_shards_is_told(folder: Path, run: Irgauge) -> None:
    run("lab", "index", folder / "documents.gz", "-o", folder / "index")
    (folder / "map").write_text("d1 a\nd2 a\nd3 b\nd4 b\n")
    options = ("--shards", folder / "map", "--csi", "50%", "--picks", "2", "-o", folder / "out")
    _, _, err = run("lab", "selective", folder / "index", folder / "topics", *options)
    assert f"note: all shards of {folder / 'map'} are searched, as they are not more than --picks 2" in err.splitlines()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--systems", "bm26"), "the model 'bm26' is unknown; did you mean 'bm25'?"),
        (("--systems", "bm25(k1=-1)"), "k1 of bm25 is -1; it lies between 0 and 1000"),
        (("--systems", ""), "'' is no system"),
        (("--systems", "long-none-bm25"), "topic '2' has no terms: the stop list 'long' leaves nothing of 'the and'"),
        (("--depth", "0"), "is not in the range"),
    ],
)
def test_what_cannot_be_run_is_refused_and_nothing_is_left(
    options: tuple[str, str], message: str, folder: Path, run: Irgauge
) -> None:
    run("lab", "index", folder / "documents.gz", "-o", folder / "index")
    (folder / "topics").write_text("1\tradio\n2\tthe and\n")
    code, _, err = run("lab", "run", folder / "index", folder / "topics", "-o", folder / "runs", *options)
    assert code == 2
    assert message in " ".join(err.split())
    assert not (folder / "runs").exists()


def test_documents_with_a_fault_leave_no_index(folder: Path, run: Irgauge) -> None:
    (folder / "documents").write_text("d1\twaves\nd1\tnoise\n")
    code, _, err = run("lab", "index", folder / "documents", "-o", folder / "index")
    assert code == 2
    assert err == f"irgauge: {folder / 'documents'}:2: the document 'd1' appears twice; remove one of the two\n"
    assert not (folder / "index").exists()


def test_documents_without_terms_are_told(folder: Path, run: Irgauge) -> None:
    (folder / "documents").write_text("471\t\nd1\tthe waves\nd2\tthe\n")
    code, _, err = run("lab", "index", folder / "documents", "-o", folder / "index", "--stop", "short")
    assert code == 0
    told = "note: there are 2 documents without terms, such as 471, d2: indexed, counted, and never retrieved"
    assert told in err.splitlines()
    assert run("lab", "shards", folder / "index", "--topical", 2, "-o", folder / "map", "-q") == (0, "", "")
    assert len((folder / "map").read_text().splitlines()) == 3


def test_a_stop_list_that_is_unknown_is_refused(folder: Path, run: Irgauge) -> None:
    code, _, err = run("lab", "index", folder / "documents.gz", "-o", folder / "index", "--stop", "lng")
    assert code == 2
    assert "the --stop 'lng' is unknown; did you mean 'long'?" in err


def test_without_the_extra_one_line_says_what_to_install(
    folder: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    code, _, err = run("lab", "index", folder / "documents.gz", "-o", folder / "index", "--stemmer", "porter")
    assert (code, err) == (2, 'irgauge: this needs PyStemmer; install it with: pip install "irgauge[lab]"\n')
    assert not (folder / "index").exists()


def test_the_help_of_other_commands_imports_nothing_of_the_lab() -> None:
    code = (
        "import sys; from irgauge.cli.app import app_for; app_for(['lab', 'run']); app_for(['score']); "
        "print([m for m in ('scipy', 'sklearn', 'Stemmer', 'irgauge.lab.index') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  # our own program
    assert shown.stdout.strip() == "[]"
