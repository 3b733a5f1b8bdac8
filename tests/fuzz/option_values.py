"""Values of options: those that may be good, by the name of the option, and absurd ones for any."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fuzz.expressions import expression, known_measure
from fuzz.worlds import World

Value = Callable[[World], Sequence[str]]  # the words after an option

ABSURD = (
    *("", " ", "nan", "inf", "-inf", "1e999", "-1", "0", "1_0", "９", "1,,2", ",", "x", "all", "none", "--", "-", "é"),
    *("\udcff", "a b", "*", "?", "[", "../x", "/", "/dev/null", "1e-320", "0.5", "1", "2", str(10**20), "9" * 400),
    *(
        "True",
        "None",
        "{}",
        "{algorithm}",
        "{",
        "%",
        "1%",
        "-1%",
        "nan%",
        "inf%",
        "topic",
        "topic*",
        "+",
        "topic+nobody",
    ),
    *("even:0", "even:99", "even:", "die:-1", "die:1", "map:", "map:nowhere", "x:2", "top0%", "top101%", "top", "MD7"),
    *("nowhere/out.html", "runs", "out.x", "18446744073709551616", "nDCG@0", "RBP(p=2)", "AP:1%", "AP:x"),
)
COUNTS = ("1", "2", "3", "4", "5", "8")  # of what takes the longer the more there is of it
LARGE = ("0", "1", "7", "100000", str(2**31), str(2**32), str(2**63 - 1))  # of what costs nothing
FLOATS = ("0.5", "0.05", "0.01", "1e-9", "0.999999", "1", "0.3")
MODELS = ("MD1", "MD2", "MD3", "MD4", "MD5", "MD6", "md6", "topic + system", "topic+system+shard", "system")
ENDS = (".txt", ".md", ".tex", ".csv", ".json", ".parquet", ".html", ".trec")
DRAWN = (".html",) * 40 + (".svg", ".png", ".pdf")


def _words(*words: str) -> Value:
    return lambda world: [world.rng.choice(words)]


def _joined(words: Sequence[str]) -> Value:
    return lambda world: [",".join(world.rng.sample(words, k=world.rng.choice((1, 1, 2, 3))))]


def _out(ends: Sequence[str]) -> Value:
    return lambda world: [world.rng.choice(("out",) * 30 + ("/dev/full",)) + world.rng.choice(ends)]


def _system(world: World) -> list[str]:
    return [world.rng.choice(world.systems)]


def _measure(world: World) -> list[str]:
    return [known_measure(world.rng) if world.rng.random() < 0.8 else expression(world.rng)]


def _shards(world: World) -> list[str]:
    return [world.rng.choice(("even:2", "even:3", "die:2", "die:3", f"map:{world.shard_map()}"))]


VALUES: Mapping[str, Value] = {
    "--measure": _measure,
    "--keep-by": _measure,
    "--baseline": _system,
    "--system": _system,
    "--only": _system,
    "--pair": lambda world: world.rng.sample(world.systems, 2) if len(world.systems) > 1 else ["a", "b"],
    "--manifest": lambda world: [world.manifest()],
    "--groups": lambda world: [world.groups()],
    "--truth": lambda world: [world.truth()],
    "--lock": lambda world: [world.lock()],
    "--keep": _words("kept"),
    "--bundle": _words("bundle"),
    "--pattern": _words("{algorithm}-{seed}.run", "{algorithm}.run", "{algorithm}-{instance}", "{algorithm}"),
    "--shards": _shards,
    "--model": _words(*MODELS),
    "--against": _words(*MODELS),
    "--models": _joined(MODELS),
    "--margin": _words("0.01", "1%", "0.1", "1e-9", "50%"),
    "--fill": _words("zero", "lq", "med", "mean", "uq", "one", "drop", "redraw", "0.5", "-1"),
    "--keep-systems": _words("all", "1", "2", "3", "top50%", "top100%"),
    "--chart": _out(DRAWN),
    "--output": _out(ENDS),
    "--summary": _out((".md",)),
    "--metadata": _out((".yaml",)),
    "--workers": _words("1", "2"),
    "--scheduler": _words("", "local:0", "local:x", "none.json"),
    "--data": _words("runs", "."),
    "--seed": _words(*LARGE),
    "--rel": _words("1", "2", "3", "99", str(2**31)),
    "--depth": _words("1", "2", "9", str(2**31)),
    "--corpus-size": _words("20", "21", "100", "2000"),
    "--worst": _words("0", "1", "100"),
    "--max-size": _words("1", "100", "2000", "1MB", "4GiB", "999999999999GiB"),
    "--sides": _words("1", "2"),
}
OF_COMMANDS: Mapping[tuple[str, str], Value] = {  # what an option has in one command
    ("robustness", "--shards"): _joined(COUNTS),
    ("pools", "--depths"): _joined(COUNTS),
    ("partition", "--tests-of"): _joined(COUNTS[1:]),
    ("partition", "--lengths-of"): _joined(COUNTS[1:]),
    ("partition", "--fill"): _words("redraw", "drop"),
    ("studentized", "--systems"): _joined(("2", "3", "50", "1000", str(10**20))),
    ("studentized", "--df"): _joined(("1", "2", "50", "100000", str(10**20))),
    ("calibrate", "--against"): lambda world: [world.qrels()],
    ("instances", "--margin"): _words(*FLOATS),
    ("instances", "--draws"): _words("8", "20", "100"),
    ("plan", "--margin"): _words(*FLOATS),
    ("plan", "--components"): _words(
        "topic:system=0.01", "residual=0", "instance=1e-9,residual=0.3", "system:shard=0.01,residual=1e300", "system=1"
    ),
    ("plan", "--systems"): _words("2", "3", "1000", str(10**9)),
    ("report", "--output"): _words("out.html"),
    ("simulate", "--output"): _words("simulated"),
    ("simulate", "--depth"): _words("1", "10", "60"),
    ("simulate", "--corpus-size"): _words("60", "100"),
    ("shards", "--output"): _words("map.out"),
    ("lab index", "--output"): _words("made", "index"),
    ("lab run", "--output"): _words("made"),
    ("lab generate", "--output"): _words("made"),
    ("lab shards", "--output"): _words("map.out"),
    ("lab shards", "--sample"): _words(*FLOATS),
    ("lab shards", "--log"): lambda world: [world.asked()],
    ("lab shards", "--by"): _words("text", "tld:text", "year:id", "x:y", ":"),
    ("lab shards", "--documents"): lambda world: [world.documents()],
    ("lab selective", "--output"): _words("made"),
    ("lab selective", "--shards"): lambda world: [world.shard_map()],
    ("lab selective", "--csi"): _joined(("50%", "100%", "0.3", "1e-9", "10%", "100.0%")),
    ("lab selective", "--system"): _words("bm25", "short-porter-jm", "pl2+rm3", "dirichlet(mu=9)", "bm25(k1=-1)"),
    ("lab tuned", "--output"): _words("made"),
    ("lab tuned", "--shards"): lambda world: [world.shard_map()],
    ("lab tuned", "--systems"): _words("bm25+rm3(docs={1,3})", "bm25+rm3", "jm", "{none,short}-none-bm25", "{"),
    ("lab rerun", "--output"): _words("made"),
    ("lab rerun", "--shards"): lambda world: [world.shard_map()],
    ("lab rerun", "--systems"): _words("bm25", "{bm25,pl2}{,+rm3}", "short-porter-jm", "{"),
    ("lab run", "--systems"): _words(
        "bm25", "{bm25,pl2}{,+rm3}", "short-porter-jm", "{", "bm25(k1=,b=2)", "long-x-bm25"
    ),
}
SMALL: Mapping[str, Sequence[Sequence[str]]] = {  # so that commands take milliseconds; what comes later goes first
    "bootstrap": (("--images", "4"),),
    "lab generate": (("--documents", "30"), ("--clusters", "2"), ("--topics", "3"), ("--themes", "2")),
    "lab selective": (("--csi", "50%"), ("--instances", "2")),
    "lab tuned": (("--systems", "bm25+rm3(docs={2,5})"),),
    "lab rerun": (("--systems", "{bm25,jm+rm3}"),),
    "lab run": (("--systems", "{none,short}-porter-{bm25,jm+rm3}"),),
    "pools": (("--images", "4"),),
    "robustness": (("--resamples", "2"),),
    "calibrate": (("--trials", "2"), ("--quick",)),
    "partition": (("--splits", "2"), ("--draws", "20")),
    "compare": (("--draws", "30"),),
    "judges": (("--draws", "20"),),
    "instances": (("--no-posterior",), ("--draws", "20")),
    "report": (("--images", "3"), ("--resamples", "2")),
    "simulate": (("--systems", "3"), ("--families", "2"), ("--topics", "3"), ("--depth", "8"), ("--corpus-size", "60")),
}
NEEDED: Mapping[str, Value] = {  # what most questions of a command need
    "gate": lambda world: ["--margin", *VALUES["--margin"](world)],
    "effects": lambda world: ["--shards", *_shards(world)],
    "instances": lambda world: ["--manifest", world.manifest()],
    "pools": _words("--all-pairs"),
    "simulate": _words("--truth-topics=3", "--truth-topics=5"),
    "report": _words("--sparse"),
    "teams": lambda world: ["--groups", world.groups()],
    "judges": lambda world: ["--judge", world.qrels()],
    "lab shards": _words("--topical=2", "--random=3"),
}
