"""Small random collections: every file that a command may be given, written when it is asked for, good or damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random

import polars as pl

from fuzz.mutations import packed
from irgauge.lab.index import build
from irgauge.lab.texts import Document
from oracles.every_format import COMPRESS, QRELS, RUNS, trec_qrels, trec_run

SYSTEMS = ("a", "b", "c", "d-1", "d-2")
WORDS = ("radio", "waves", "wave", "noise", "the", "of", "é", "x9")
TRUTH_MEASURES = ("AP", "P@10", "nDCG@10")


@dataclass
class World:
    """A collection in the current folder; a sound one has enough of everything for most questions."""

    rng: Random
    is_sound: bool = True
    damage: float = 0.0  # the chance that a file is damaged
    written: dict[str, bytes] = field(default_factory=dict)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        return SYSTEMS[: self.rng.choice((3, 4, 5) if self.is_sound else (1, 2, 3, 5))]

    @cached_property
    def topics(self) -> list[str]:
        return [f"{number}" for number in range(1, 1 + self.rng.choice((4, 6) if self.is_sound else (1, 2, 3)))]

    @cached_property
    def docnos(self) -> list[str]:
        return [f"d{number}" for number in range(20 if self.is_sound else self.rng.choice((2, 8)))]

    @cached_property
    def judged(self) -> dict[str, dict[str, int]]:
        rng, docnos = self.rng, self.docnos
        highest, lowest = rng.choice((1, 3) if self.is_sound else (0, 1, 3)), rng.choice((0, 0, 0, -1))
        chosen = {t: rng.sample(docnos, rng.randint(len(docnos) // 2, len(docnos))) for t in self.topics}
        grades = {t: {d: rng.randint(lowest, highest) for d in docs} for t, docs in chosen.items()}
        relevant = {t: dict.fromkeys(docs[:6], 1) if self.is_sound else {} for t, docs in chosen.items()}
        return {t: grades[t] | relevant[t] for t in self.topics}

    @cached_property
    def lists(self) -> dict[str, dict[str, dict[str, float]]]:
        """System -> topic -> document -> score; some systems are the same, some lack topics, some scores are tied."""
        odd = () if self.is_sound else ("short", "few topics")
        kind = self.rng.choice(("any", "any", "any", "any", "any", "same", "tied", *odd))
        first = self._run(kind)
        return {system: first if kind == "same" else self._run(kind) for system in self.systems}

    def _run(self, kind: str) -> dict[str, dict[str, float]]:
        rng = self.rng
        topics = rng.sample(self.topics, rng.randint(1, len(self.topics))) if kind == "few topics" else self.topics
        most = 1 if kind == "short" else len(self.docnos)
        return {
            topic: {d: 0.5 if kind == "tied" else rng.randint(0, 99) / 8 for d in rng.sample(self.docnos, most)}
            for topic in topics
        }

    def write(self, name: str, data: bytes) -> str:
        """Write a file, perhaps damaged, and give its name."""
        made = packed(data, self.rng) if self.rng.random() < self.damage else data
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(made)
        self.written[name] = made
        return name

    # judgments and runs

    def qrels(self) -> str:
        form = self.rng.choice(["TREC", "TREC", *QRELS])
        end = self.rng.choice(["", "", "", *COMPRESS])
        data = trec_qrels(self.judged)
        if self.rng.random() < 0.1:  # two subtopics
            return self.write("qrels", data + data.replace(b" 0 ", b" 1 "))
        return self.write(f"qrels{end}", COMPRESS[end](QRELS[form](self.judged)))

    def runs(self) -> str:
        """A folder of runs."""
        for name in self.systems:
            self.run(name)
        return "runs"

    def run(self, name: str | None = None) -> str:
        chosen = name if name in self.systems else self.rng.choice(self.systems)
        form = self.rng.choice(["TREC"] * 8 + list(RUNS))
        lists = self.lists[chosen]
        data = trec_run(lists, chosen) if form == "TREC" else RUNS[form](lists)
        return self.write(f"runs/{chosen}.run", data)

    def suite(self) -> str:
        """A folder of collections: the same judgments and runs, some perhaps missing, and a table of scores."""
        for name in ("x", "y") if self.is_sound or self.rng.random() < 0.8 else ("x",):
            for path in (self.qrels(), *map(self.run, self.systems)):
                if self.is_sound or self.rng.random() < 0.95:
                    self.write(f"suite/{name}/{path}", Path(path).read_bytes())
        if not self.is_sound and self.rng.random() < 0.5:
            self.write("suite/z.csv", Path(self.scores()).read_bytes())
        return "suite"

    # text, for the lab

    def documents(self) -> str:
        """In one of the formats that can be read."""
        texts = {docno: " ".join(self.rng.choices(WORDS, k=self.rng.randint(1, 9))) for docno in self.docnos}
        form = self.rng.choice(("tsv", "json", "trec"))
        if form == "tsv":
            lines = [f"{docno}\t{text}" for docno, text in texts.items()]
        elif form == "json":
            lines = [json.dumps({"id": docno, "text": text}) for docno, text in texts.items()]
        else:
            lines = [f"<DOC>\n<DOCNO>{docno}</DOCNO>\n{text}\n</DOC>" for docno, text in texts.items()]
        return self.write("documents", "\n".join(lines).encode())

    def asked(self) -> str:
        """Topics."""
        lines = [f"{topic}\t{' '.join(self.rng.choices(WORDS, k=3))}" for topic in self.topics]
        return self.write("topics.tsv", "\n".join(lines).encode())

    def index(self) -> str:
        """An index, of whose files some may be damaged."""
        build(Document(docno, " ".join(self.rng.choices(WORDS, k=6))) for docno in self.docnos).save("index")
        for path in sorted(Path("index").iterdir()):
            self.write(str(path), path.read_bytes())
        return "index"

    # scores

    @cached_property
    def cells(self) -> pl.DataFrame:
        """Scores of all systems on all topics, in some replicates; some missing, all the same, or of odd sizes."""
        rng, odd = self.rng, ("large", "tiny", "holes", "negative")
        kind = rng.choice(("any", "any", "holes", "binary", "negative") if self.is_sound else (*odd, "same", "nothing"))
        value: dict[str, Callable[[], float | None]] = {
            "same": lambda: 0.5,
            "holes": lambda: rng.choice([None, rng.random()]),
            "negative": lambda: rng.gauss(0, 1),
            "large": lambda: rng.choice((1e300, -1e300, 1e308)) * rng.random(),
            "tiny": lambda: rng.choice((5e-324, 1e-310, 0.0)),
            "binary": lambda: float(rng.randint(0, 1)),
            "nothing": lambda: None,
        }
        draw = value.get(kind, rng.random)
        measures, replicates = rng.choice((["AP"], ["AP", "clicks"])), rng.choice(("1", "12", "123"))
        keys = [(m, t, s, r) for m in measures for t in self.topics for s in self.systems for r in replicates]
        schema = {"measure": pl.String, "topic": pl.String, "system": pl.String, "replicate": pl.String}
        return pl.DataFrame([(*key, draw()) for key in keys], schema=schema | {"score": pl.Float64}, orient="row")

    def scores(self) -> str:
        form = self.rng.choice(("long", "long", "wide", "json", "instances", "one"[: 0 if self.is_sound else 3]))
        cells = self.cells.filter(pl.col("measure") == "AP")
        first = cells.filter(pl.col("replicate") == "1")
        if form == "wide":
            return self.write("wide.csv", first.pivot(on="system", index="topic", values="score").write_csv().encode())
        if form == "json":
            return self.write("scores.json", json.dumps(self.cells.to_dicts()).encode())
        if form == "instances":
            renamed = cells.rename({"system": "algorithm", "replicate": "instance"})
            return self.write("instances.csv", renamed.write_csv().encode())
        if form == "one":
            one = self.rng.choice(self.systems)
            return self.write(f"{one}.csv", cells.filter(pl.col("system") == one).write_csv().encode())
        return self.write("scores.csv", self.cells.write_csv().encode())

    # files that options name

    def manifest(self) -> str:
        rows = [f"{one} {one.partition('-')[0]}{self.rng.choice(['', ' ' + one])}\n" for one in self.systems]
        return self.write("manifest.txt", "".join(rows).encode())

    def groups(self) -> str:
        return self.write("groups.txt", "".join(f"{s} {self.rng.choice('xy')}\n" for s in self.systems).encode())

    def shard_map(self) -> str:
        count = self.rng.choice((1, 2, 3))
        return self.write("map.tsv", "".join(f"{d} {self.rng.randint(1, count)}\n" for d in self.docnos).encode())

    def truth(self) -> str:
        """As `simulate` writes it."""
        names = [f"F{number}-1" for number in range(1, 4)]
        cell = {name: {"mean": 0.5, "se": 0.01} for name in names}
        design = {"systems": 3, "families": 3, "topics": 4, "depth": 10, "corpus_size": 60}
        facts = {"design": design, "truth_topics": 2, "measures": dict.fromkeys(TRUTH_MEASURES, cell)}
        return self.write("truth.json", json.dumps(facts).encode())

    def lock(self) -> str:
        """One that is not there yet, or one of other data."""
        if self.rng.random() < 0.4:
            return "new.lock"
        settings = {"measures": {"nDCG@10": "0.01"}, "alpha": 0.05, "missing": "zero", "precision": "double"}
        facts = {"kind": "irgauge gate lock", "version": 1, "irgauge": "0.1.0", "judgments": "ab", "baseline": ["cd"]}
        return self.write("gate.lock", json.dumps(facts | {"settings": settings}).encode())
