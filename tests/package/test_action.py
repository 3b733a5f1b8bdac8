"""The action: its steps, run as a runner would run them, with inputs as environment variables."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
import yaml

from irgauge.cli.workflow.comment import marked, number_of
from irgauge.cli.workflow.history import FILE, HistoryBranch
from irgauge.studies.gate.starter import PLACE as PLACE_OF_STARTER
from oracles.gate_runs import BASE, lower, ranked, write_qrels, write_run
from package.environment import ROOT
from package.test_project_files import check

Irgauge = Callable[..., tuple[int, str, str]]
PLACE = ROOT / "action.yml"
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
ACTION: dict[str, Any] = yaml.safe_load(PLACE.read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
MIXED = BASE[7:] + BASE[:7]


def test_it_is_valid_and_what_it_uses_is_pinned() -> None:
    checked = check("github-actions", PLACE)
    assert checked.returncode == 0, checked.stdout
    used = re.findall(r"uses: (.*)", PLACE.read_text())
    assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)] == []


def test_no_input_is_part_of_a_shell_command() -> None:
    assert [step["run"] for step in STEPS if "${{" in step.get("run", "")] == []
    passed = set(re.findall(r"\$\{\{ inputs\.([\w-]+)", PLACE.read_text()))
    assert passed == set(ACTION["inputs"]) - {"comment"}  # which a condition takes


def test_the_page_names_every_input() -> None:
    page = (ROOT / "docs" / "questions" / "gate.md").read_text()
    named = set(re.findall(r"`([\w-]+)`", page.partition("| input |")[2].partition("Its outputs")[0]))
    assert set(ACTION["inputs"]) - {"token", "python-version"} <= named
    (example,) = re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert set(yaml.safe_load(example)[0]["with"]) <= set(ACTION["inputs"])


def test_the_workflow_to_start_with_has_the_steps_of_the_action(
    run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("gate", "old.csv", "new.csv", "-m", "RR:1%", "--init")
    assert (code, "takes nothing beside it (old.csv new.csv -m RR:1%)" in err) == (2, True)
    assert not PLACE_OF_STARTER.exists()
    assert run("gate", "--init")[0] == 0
    checked = check("github-workflows", tmp_path / PLACE_OF_STARTER)
    assert checked.returncode == 0, checked.stdout
    text = PLACE_OF_STARTER.read_text()
    (job,) = yaml.safe_load(text)["jobs"].values()
    steps = {step["name"]: step for step in job["steps"] if "name" in step}
    for step in STEPS:
        if step.get("name") in ("Gate", "Comment", "Verdict"):
            own = steps[step["name"]]
            assert own["run"] == step["run"].replace('"$PYTHON"', "python")
            assert set(own["env"]) <= set(step["env"])
    assert not [step for step in job["steps"] if "${{" in step.get("run", "")]
    assert [line for line in re.findall("uses: (.*)", text) if line not in WORKFLOW.read_text()] == []  # the same pins
    code, _, err = run("gate", "--init")
    assert (code, "this file is there already" in err, PLACE_OF_STARTER.read_text()) == (2, True, text)


class Comments(BaseHTTPRequestHandler):
    """GitHub's API, as far as comments go."""

    there: ClassVar[list[dict[str, Any]]] = []
    asked: ClassVar[list[tuple[str, str]]] = []
    is_permitted: ClassVar[bool] = True

    def answer(self) -> None:
        self.asked.append((self.command, self.path.partition("?")[0]))
        if not self.is_permitted:
            self.send_error(403)
            return
        if self.command != "GET":
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
            own = [one for one in self.there if str(one["id"]) == self.path.rpartition("/")[2]]
            if own:
                own[0]["body"] = body
            else:
                self.there.append({"id": len(self.there) + 1, "user": {"type": "Bot"}, "body": body})
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(self.there).encode())

    do_GET = do_POST = do_PATCH = answer  # noqa: N815  # as the library calls them

    def log_message(self, *_: object) -> None:
        """Nothing."""


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its expressions; the usual value of an input may be one too."""
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda expression: values[expression[1]], text)


@dataclass
class Runner:
    """Runs the steps that are ours, in a checkout."""

    folder: Path
    api: str
    outputs: dict[str, str] = field(default_factory=dict)  # such as steps.gate.outputs.verdict
    log: str = ""

    def run(self, **inputs: str) -> int:
        """The exit code of the first step that fails, or 0."""
        told = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()}
        told |= {name.replace("_", "-"): value for name, value in inputs.items()}
        known = {f"inputs.{name}": value for name, value in told.items()}
        known |= {"runner.temp": str(self.folder / "temp"), "github.token": "secret"}
        self.outputs["steps.install.outputs.python"] = sys.executable
        for step in STEPS:
            is_skipped = step.get("if") is not None and told["comment"] != "true"
            if "run" in step and step.get("id") != "install" and not is_skipped:
                code = self._step(step, known)
                if code:
                    return code
        return 0

    def _step(self, step: Mapping[str, Any], known: Mapping[str, str]) -> int:
        values = {**known, **self.outputs}
        (self.folder / "temp" / "output").write_text("")
        own = {name: filled(filled(str(value), values), values) for name, value in step["env"].items()}
        own.pop("NUMBA_CACHE_DIR", None)  # as if the cache had been restored: nothing is compiled anew
        runner = {
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_OUTPUT": str(self.folder / "temp" / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "temp" / "summary"),
            "GITHUB_EVENT_PATH": str(self.folder / "temp" / "event.json"),
            "GITHUB_API_URL": self.api,
            "GITHUB_REPOSITORY": "owner/name",
            "GITHUB_ACTION_PATH": str(ROOT),
        }
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(  # noqa: S603  # our own steps
            shell,
            cwd=self.folder / "checkout",
            env={**os.environ, **runner, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        self.log += done.stdout + done.stderr
        for line in (self.folder / "temp" / "output").read_text().splitlines():
            name, _, value = line.partition("=")
            self.outputs[f"steps.{step['id']}.outputs.{name}"] = value
        return done.returncode

    @property
    def summary(self) -> str:
        return (self.folder / "temp" / "summary").read_text()


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[Runner]:
    checkout = tmp_path / "checkout"
    (tmp_path / "temp").mkdir()
    write_run(checkout / "base.run", ranked(BASE))
    write_qrels(checkout / "qrels.txt")
    for name, ranks in {"worse": lower(BASE), "mixed": MIXED}.items():
        write_run(checkout / f"{name}.run", ranked(ranks))
    (tmp_path / "temp" / "event.json").write_text('{"pull_request": {"number": 7}}')
    Comments.there.clear()
    Comments.asked.clear()
    Comments.is_permitted = True
    server = HTTPServer(("127.0.0.1", 0), Comments)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield Runner(tmp_path, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_worse_candidate_ends_red_with_a_summary_and_one_comment(runner: Runner) -> None:
    Comments.there.append({"id": 1, "user": {"type": "User"}, "body": marked("a trick", "")})
    Comments.there.append({"id": 2, "user": None, "body": None})
    for _ in range(2):
        code = runner.run(data="qrels.txt", baseline="base.run", candidate="worse.run", measures="RR:1%\nP@1:0.05")
        assert code == 1, runner.log
    assert runner.outputs["steps.gate.outputs.verdict"] == "fail"
    assert runner.summary.startswith("## ❌ fail\n\nfail: worse against base is worse in RR (")
    assert "<details>" in runner.summary
    assert [comment["body"].partition("\n")[2] for comment in Comments.there[2:]] == [
        runner.summary[: len(runner.summary) // 2]
    ]
    assert Comments.there[0]["body"].endswith("a trick")
    assert Comments.asked[-1] == ("PATCH", "/repos/owner/name/issues/comments/3")
    first, *rest = runner.log.splitlines()
    assert re.fullmatch("::stop-commands::[0-9a-f]{32}", first)
    assert f"::{first.rpartition(':')[2]}::" in rest


def test_undecided_is_green_unless_asked_and_a_comment_that_is_not_permitted_is_no_failure(runner: Runner) -> None:
    Comments.is_permitted = False
    inputs = {"data": "qrels.txt", "baseline": "base.run", "candidate": "mixed.run", "measures": "RR", "margin": "1%"}
    assert runner.run(**inputs) == 0, runner.log
    assert runner.outputs["steps.gate.outputs.verdict"] == "undecided"
    assert "::notice::no comment was made (HTTP Error 403: Forbidden)" in runner.log
    assert runner.run(**inputs, undecided="fail", comment="false") == 1


@pytest.mark.parametrize("options", ["-o gate.json", "--format json"])
def test_a_regression_is_one_wherever_options_send_the_result(runner: Runner, options: str) -> None:
    inputs = {"data": "qrels.txt", "baseline": "base.run", "candidate": "worse.run", "measures": "RR:1%"}
    assert runner.run(**inputs, options=options, comment="false") == 1, runner.log
    assert runner.outputs["steps.gate.outputs.verdict"] == "fail"
    assert runner.summary.startswith("## ❌ fail\n")


def test_bad_input_is_no_regression_and_says_so(runner: Runner) -> None:
    assert runner.run(data="qrels.txt", baseline="base.run", candidate="gone.run", measures="RR", margin="1%") == 2
    assert runner.outputs["steps.gate.outputs.verdict"] == "broken"
    assert "This is no regression" in runner.summary
    assert "gone.run: there is no such file" in runner.summary
    inputs = {"data": "qrels.txt", "baseline": "base.run", "candidate": "base.run", "measures": "RR:1%"}
    assert runner.run(**inputs, lock="gate.lock") == 2  # a change may have deleted it
    assert "gate.lock: the lock is not in the checkout" in runner.summary
    assert not (runner.folder / "checkout" / "gate.lock").exists()
    assert runner.run(**inputs, options="-o 'gate.json") == 2
    assert "the input `options` cannot be split into words: no closing quotation" in runner.summary


def test_what_a_change_brings_along_runs_nowhere(runner: Runner) -> None:
    """Names of files are no commands, and modules in the checkout are not imported."""
    checkout = runner.folder / "checkout"
    evil = "$(touch pwned);`touch pwned` --undecided=pass.run"
    write_run(checkout / evil, ranked(lower(BASE)))
    for module in ("irgauge", "numpy", "sitecustomize", "json"):
        (checkout / f"{module}.py").write_text("open('pwned', 'w').close()\n")
    inputs = {"data": "qrels.txt", "baseline": "base.run", "candidate": evil, "measures": "RR", "margin": "1%"}
    assert runner.run(**inputs, undecided="fail", name='"; touch pwned; "') == 1, runner.log
    assert runner.outputs["steps.gate.outputs.verdict"] == "fail"
    assert not (checkout / "pwned").exists()


def test_a_long_page_is_cut_and_events_without_a_pull_request_have_no_comment() -> None:
    page = "\n".join(["# page", "<details>", *["| row |"] * 20_000, "</details>"])
    body = marked(page, "a--> b")
    assert len(body) < 65_536
    assert body.startswith("<!-- irgauge gate a--%3E%20b -->\n")
    assert body.count("<details>") == body.count("</details>") == 1
    assert number_of({"ref": "refs/heads/main"}) is None


def git(*arguments: str, folder: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout  # noqa: S603, S607  # ours


def add(file: Path, line: str) -> None:
    file.write_text((file.read_text() if file.exists() else "") + line + "\n")


def test_a_history_is_kept_on_a_branch_and_nothing_that_others_push_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    origin, one, other = tmp_path / "origin", tmp_path / "one", tmp_path / "other"
    git("init", "-q", "--bare", str(origin), folder=tmp_path)
    for place in (one, other):
        git("clone", "-q", str(origin), str(place), folder=tmp_path)
        (place / "temp").mkdir()

    def added(place: Path, line: str) -> None:
        monkeypatch.chdir(place)
        HistoryBranch("kept", place / "temp").kept(lambda file: add(file, line))

    added(one, "first")
    runs = []

    def meanwhile(file: Path) -> None:
        """Another gate pushes while this one is at work, once."""
        runs.append(file.read_text())
        if len(runs) == 1:
            added(other, "second")
            monkeypatch.chdir(one)
        add(file, "third")

    HistoryBranch("kept", one / "temp").kept(meanwhile)
    assert runs == ["first\n", "first\nsecond\n"]
    assert git("show", f"kept:{FILE}", folder=origin) == "first\nsecond\nthird\n"
    assert git("rev-list", "--count", "kept", folder=origin) == "3\n"
    git("config", "receive.denyCurrentBranch", "refuse", folder=origin)
    (origin / "hooks" / "pre-receive").write_text("#!/bin/sh\nexit 1\n")
    (origin / "hooks" / "pre-receive").chmod(0o755)
    added(one, "fourth")
    assert "::notice::the history was not pushed to the branch kept" in capfd.readouterr().out
    assert git("rev-list", "--count", "kept", folder=origin) == "3\n"


def test_a_branch_without_a_history_is_begun_and_its_files_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin, place = tmp_path / "origin", tmp_path / "one"
    git("init", "-q", "--bare", str(origin), folder=tmp_path)
    git("clone", "-q", str(origin), str(place), folder=tmp_path)
    git("checkout", "-q", "-b", "kept", folder=place)
    for name in ("README.md", "notes/é.md"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("of the history\n")
    git("add", ".", folder=place)
    git("-c", "user.name=n", "-c", "user.email=m@example.org", "commit", "-q", "-m", "begin", folder=place)
    git("push", "-q", "origin", "kept", folder=place)
    monkeypatch.chdir(place)
    for line in ("first", "second"):
        HistoryBranch("kept", tmp_path).kept(partial(add, line=line))
    assert git("show", f"kept:{FILE}", folder=origin) == "first\nsecond\n"
    files = git("ls-tree", "-r", "-z", "--name-only", "kept", folder=origin).rstrip("\0").split("\0")
    assert files == ["README.md", FILE, "notes/é.md"]
