"""Collections in which nothing varies, nothing is found or little is there: every command answers, or says why not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgauge.cli import terminal
from irgauge.show.saving import to_json
from irgauge.studies.registry import studies
from irgauge.studies.result import Result

Irgauge = Callable[..., tuple[int, str, str]]
Qrels = dict[str, dict[str, int]]
Runs = dict[str, dict[str, list[str]]]
NAMES = ("a-1", "a-2", "b-1", "b-2")  # two algorithms with two instances each
DOCNOS = [f"d{i}" for i in range(12)]
TOPICS = [f"t{i}" for i in range(8)]
# nothing of this is a number that a reader can use
BAD = re.compile(
    r"(?<![\w-])[-+−]?(nan|inf|infinity)(?![\w-])"  # no number
    r"|\bp(-value)?( is)? ?[=<≤]? ?0(\.0*)?(?![.\d])",  # p = 0, p-value is 0, p < 0.000
    re.IGNORECASE,
)
SETTINGS: Mapping[str, Sequence[object]] = {
    "bootstrap": ("--images", 4, "--sparse", "-m", "AP", "-m", "P@10"),
    "pools": ("--images", 4, "--all-pairs", "--sparse", "--depths", "1,3", "-m", "AP"),
    "instances": ("--pattern", "{algorithm}-{seed}.run", "--draws", 100),
    "robustness": ("--resamples", 2, "--shards", 2, "--sparse"),
    "partition": ("--splits", 2),
    "effects": ("--shards", "even:2", "--sparse", "-m", "AP"),
    "calibrate": ("--quick", "--trials", 3, "--margin", 0.01),
    "gate": ("--margin", 0.01),
}
OTHERWISE: Mapping[str, Sequence[Sequence[object]]] = {
    "compare": (
        ("--baseline", "a-1", "--margin", 0.01),
        *(("--test", test) for test in ("wilcoxon", "randomization", "max-t", "tukey", "skewed-t", "unpaired-t")),
    ),
    "bootstrap": (("--draw", "topics"),),
    "robustness": (("--test", "tukey"),),
    "calibrate": (("--baseline", "a-1", "--shards", "even:2", "--sparse"),),
    "suite": (("--baseline", "a-1", "--margin", 0.01), ("-m", "AP")),
}


def ranked(system: int, topic: int) -> list[str]:
    return np.random.default_rng([system, topic]).permutation(DOCNOS).tolist()


def judged(topic: int) -> dict[str, int]:
    return {docno: int((7 * i + topic) % 3 == 0) for i, docno in enumerate(DOCNOS)}


def usual(topics: int = 8, systems: int = 4) -> tuple[Qrels, Runs]:
    runs = {name: {TOPICS[t]: ranked(s, t) for t in range(topics)} for s, name in enumerate(NAMES[:systems])}
    return {TOPICS[t]: judged(t) for t in range(topics)}, runs


def every(lists: Callable[[int, str], list[str]]) -> Runs:
    return {name: {topic: lists(system, topic) for topic in TOPICS} for system, name in enumerate(NAMES)}


QRELS, RUNS = usual()
SAME = {topic: dict.fromkeys(DOCNOS, 1) for topic in TOPICS}
COLLECTIONS: Mapping[str, tuple[Qrels, Runs]] = {
    "one topic": usual(topics=1),
    "two topics": usual(topics=2),
    "one system": usual(systems=1),
    "two identical systems": (QRELS, {"a-1": RUNS["a-1"], "b-1": RUNS["a-1"]}),
    "some identical systems": (QRELS, {**RUNS, "a-2": RUNS["a-1"]}),
    "all values equal": (SAME, every(lambda _, __: DOCNOS)),
    "all one": ({t: {"d0": 1, "d1": 1} for t in TOPICS}, every(lambda s, _: ["d0", "d1"][:: 1 if s % 2 else -1])),
    "all zero": ({topic: {"elsewhere": 1, "d0": 0} for topic in TOPICS}, RUNS),
    "one relevant document": ({topic: {DOCNOS[i]: 1} for i, topic in enumerate(TOPICS)}, RUNS),
    "topics without answers": (QRELS, {s: {t: one[t] for t in TOPICS[:4]} for s, one in RUNS.items()}),
    "one document each": (QRELS, {s: {t: docnos[:1] for t, docnos in one.items()} for s, one in RUNS.items()}),
    "constant differences": ({t: {"d0": 1} for t in TOPICS}, every(lambda s, _: [*DOCNOS[1 : s + 1], "d0"])),
    "one grade": ({topic: dict.fromkeys(DOCNOS[:5], 2) for topic in TOPICS}, RUNS),
    "one topic differs": (QRELS, {s: {**RUNS["a-1"], "t0": RUNS[s]["t0"]} for s in NAMES}),
}


@pytest.fixture(scope="module", params=COLLECTIONS)
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """The judgments and the runs of a collection."""
    folder = tmp_path_factory.mktemp("degenerate")
    qrels, runs = COLLECTIONS[request.param]
    (folder / "qrels.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, one in qrels.items() for d, g in one.items()))
    for name, lists in runs.items():
        rows = [f"{t} Q0 {d} {i} {-i} {name}\n" for t, docnos in lists.items() for i, d in enumerate(docnos)]
        (folder / f"{name}.run").write_text("".join(rows))
    return folder / "qrels.txt", sorted(folder.glob("*.run"))


def twice(qrels: Path, runs: list[Path]) -> Path:
    """A folder in which the collection is two collections."""
    folder = qrels.parent / "suite"
    for name in ("x", "y"):
        (folder / name / "runs").mkdir(parents=True, exist_ok=True)
        for path, inside in ((qrels, "qrels.txt"), *((run, f"runs/{run.name}") for run in runs)):
            (folder / name / inside).write_bytes(path.read_bytes())
    return folder


def refused(code: int, out: str, err: str) -> bool:
    """Whether a command says in one line why it cannot answer."""
    assert "Warning" not in err
    if code != 2:
        return False
    assert out == ""
    assert re.fullmatch(r"irgauge: [^\n]{20,}\n", err), err
    assert not BAD.search(err), err
    return True


@pytest.mark.parametrize("study", list(studies()))
def test_every_study_answers_or_says_why_not(
    study: str, files: tuple[Path, list[Path]], run: Irgauge, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, results = terminal.show, list[Result]()

    def show(result: Result, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # whatever is shown how
        results.append(result)
        shown(result, *args, **kwargs)

    monkeypatch.setattr(terminal, "show", show)
    qrels, runs = files
    inputs = (
        (qrels, runs[0], runs[-1]) if study == "gate" else (twice(qrels, runs),) if study == "suite" else (qrels, *runs)
    )
    for others in ((), *OTHERWISE.get(study, ())):
        results.clear()
        judge = ("--judge", qrels, "--draws", 10) if study == "judges" else ()
        code, out, err = run(study, *inputs, *SETTINGS.get(study, ()), *judge, *others, "-q")
        if not refused(code, out, err):
            assert code in ((0, 1, 3) if study == "gate" else (0, 1) if study == "check" else (0,))
            check(out, results[0])


def check(out: str, result: Result) -> None:
    """No form shows what is not a number."""
    texts = [out, result.to_text("markdown"), result.to_csv(), *(table.to_csv() for table in result.tables())]
    for text in texts:
        found = BAD.search(text)
        assert found is None, text[max(0, found.start() - 100) : found.end() + 40]
    assert not re.search(r"\b(NaN|Infinity)\b", to_json(result.to_dict()))


def test_the_report_answers_or_says_why_not(files: tuple[Path, list[Path]], run: Irgauge, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    settings = ("-m", "AP", "--images", 4, "--resamples", 2, "--shards", "even:2", "--sparse", "-q")
    code, out, err = run("report", files[0], *files[1], "-o", page, *settings)
    if not refused(code, out, err):
        text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", page.read_text(), flags=re.DOTALL)
        found = BAD.search(text)
        assert found is None, text[max(0, found.start() - 100) : found.end() + 40]
