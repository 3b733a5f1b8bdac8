"""The commands of the lab that make runs: of many systems, of selective search, of systems of each shard."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.commands.lab import (
    index_argument,
    output_option,
    qrels_argument,
    required,
    topics_argument,
    unmatched_notes,
)
from irgauge.cli.places import check_places
from irgauge.options.fields import Help
from irgauge.reading.options import WORKERS
from irgauge.show.words import counted

if TYPE_CHECKING:
    from irgauge.lab.costs import MeanCost
    from irgauge.lab.tuned import Corpus
    from irgauge.scoring.drawn import Shards

_GRID = (
    "Systems, such as bm25(k1=1.2,b=0.75)+rm3 or short-porter-dirichlet; braces hold alternatives, as in "
    "{none,short}-porter-bm25{,+rm3}. If not given: every model with and without RM3, and with every stop list and "
    "stemmer where the index has none of its own; but for fdm."
)


@dataclass(frozen=True, kw_only=True)
class LabRunOptions:
    """What is run."""

    systems: Annotated[str | None, Help(_GRID, metavar="GRID")] = None
    depth: Annotated[int, Help("Documents of each list at most.", least=1, most=10_000_000)] = 1000
    workers: Annotated[int | None, WORKERS] = None


def _make_grid() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, silence

    made = output_option("The folder to write: one run for each system, named after it.")
    return command_asking(LabRunOptions, _run_grid, (index_argument(), topics_argument()), (made, silence()))


def _run_grid(asked: dict[str, Any], index: str, topics: str, output: Path, *, quiet: bool) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.lab.index import Index
    from irgauge.lab.running import run_all
    from irgauge.lab.systems import default_grid, systems_of
    from irgauge.lab.texts import read_topics

    check_folder(output)
    check_places([], [index, topics], folders=[output])
    loaded = Index.load(index)
    systems = systems_of(default_grid(loaded.analyser) if asked["systems"] is None else asked["systems"])
    read = read_topics(topics)
    with terminal.progress("running", quiet=quiet, unit="runs") as progress:
        unmatched = run_all(output, loaded, read, systems, asked["depth"], workers=asked["workers"], progress=progress)
    if not quiet:
        terminal.tell_notes(unmatched_notes(unmatched))
        terminal.tell(f"wrote {output}: {counted(len(systems), 'run')} on {counted(len(read), 'topic')}")


RUN = Command(
    question="Run many systems on topics: models, stop lists, stemmers, feedback.",
    about="Writes one run for each system, in TREC's format, named after the system. Models: bm25, dirichlet, jm "
    "(query likelihood, with two kinds of smoothing), tfidf, pl2 (divergence from randomness) and, on an index with "
    "--positions, fdm (full dependence model).",
    example='irgauge lab run index topics.trec --systems "{short,long}-porter-{bm25,pl2}{,+rm3}" -o runs',
    place=20,
    make=_make_grid,
)


def _make_selective() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, silence
    from irgauge.lab.selective import SelectiveOptions

    split = typer.Option("--shards", help="A map of shards, as lab shards writes it; repeatable.", metavar="MAP")
    maps = required("shards", Annotated[list[str], split])
    made = output_option("The folder to write: runs/, manifest.txt and costs.csv.")
    return command_asking(
        SelectiveOptions, _run_selective, (index_argument(), topics_argument(), maps), (made, silence())
    )


def _run_selective(
    asked: dict[str, Any], index: str, topics: str, shards: list[str], output: Path, *, quiet: bool
) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.lab.index import Index
    from irgauge.lab.selective import SelectiveOptions, write_selective
    from irgauge.lab.shards import read_shards
    from irgauge.lab.texts import read_topics

    check_folder(output)
    check_places([], [index, topics, shards], folders=[output])
    loaded, read = Index.load(index), read_topics(topics)
    maps = [read_shards(loaded, path) for path in shards]
    with terminal.progress("searching", quiet=quiet, unit="runs") as progress:
        selected = write_selective(output, loaded, read, maps, SelectiveOptions(**asked, progress=progress))
    if not quiet:
        terminal.tell_notes([*_notes(shards, maps, asked["picks"]), *unmatched_notes(selected.unmatched)])
        for cost in selected.costs[1:]:
            terminal.tell(_cost_text(cost, selected.costs[0]))
        runs = counted(1 + len(asked["csi"]) * len(maps) * asked["instances"], "run")
        manifest = output / "manifest.txt"
        terminal.tell(f"wrote {output}: {runs} on {counted(len(read), 'topic')}, and {manifest}, which names them")
        terminal.tell(f"compare them with: irgauge instances QRELS {output / 'runs'} --manifest {manifest}")


def _cost_text(cost: MeanCost, exhaustive: MeanCost) -> str:
    """What a topic costs, on average."""
    searched = f"{cost.documents:,.0f} of {exhaustive.documents:,.0f} documents in {cost.shards:g} shards"
    looked_at = (
        f"{100 * cost.looked_at / max(exhaustive.looked_at, 1):.0f} % of the documents that exhaustive search looks at"
    )
    terms = f"{cost.unknown_terms:.1f} of {cost.terms:.1f} terms are not in the sample"
    return f"{cost.algorithm}: a topic searches {searched}, {looked_at}; {terms}"


def _notes(paths: Sequence[str], maps: Sequence[Shards], picks: int) -> list[str]:
    """What makes instances alike."""
    whole = [path for path, shard_map in zip(paths, maps, strict=True) if picks >= len(shard_map.names)]
    return [f"all shards of {path} are searched, as they are not more than --picks {picks}" for path in whole]


SELECTIVE = Command(
    question="Search only the shards that a central sample picks, many times, and all shards beside it.",
    about="A central sample index holds some documents of each shard. A topic ranks these; each counts for its shard, "
    "with all documents that it stands for (ReDDE), and the shards of the largest counts are searched. Every instance "
    "has a sample of its own. With one map a claim is about its shards; give several for claims about others. Writes "
    "the runs, with that of exhaustive search, the manifest that irgauge instances and irgauge report read, and what "
    "each run costs for each topic.",
    example="irgauge lab selective index topics.trec --shards map.tsv --csi 0.5%,1%,4% --instances 20 -o selective",
    place=40,
    make=_make_selective,
)


def _make_tuned() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, silence
    from irgauge.lab.tuned import TunedOptions

    made = output_option("The folder to write: runs/ and fitted.tsv.")
    paths = (index_argument(), topics_argument(), qrels_argument(), _map_option())
    return command_asking(TunedOptions, _run_tuned, paths, (made, silence()))


def _map_option() -> inspect.Parameter:
    split = typer.Option("--shards", help="A map of shards, as lab shards writes it.", metavar="MAP")
    return required("shards", Annotated[str, split])


def _run_tuned(asked: dict[str, Any], *, output: Path, shards: str, quiet: bool, **paths: str) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.lab.running import unmatched
    from irgauge.lab.shards import read_shards
    from irgauge.lab.tuned import TunedOptions, write_tuned

    check_folder(output)
    check_places([], [*paths.values(), shards], folders=[output])
    corpus = _corpus(**paths)
    split = read_shards(corpus.index, shards)
    with terminal.progress("tuning", quiet=quiet, unit="shards") as progress:
        all_tuned = write_tuned(output, corpus, split, TunedOptions(**asked, progress=progress))
    if not quiet:
        without = [tuned.shard for tuned in all_tuned if tuned.fitted is None]
        terminal.tell_notes([f"the shard '{name}' has no relevant document, and no system" for name in without])
        rankings = next(tuned.rankings for tuned in all_tuned if tuned.fitted is not None)
        terminal.tell_notes(unmatched_notes(unmatched(corpus.topics, rankings)))
        runs = counted(len(all_tuned) - len(without), "run")
        terminal.tell(f"wrote {output}: {runs} on {counted(len(corpus.topics), 'topic')}, and {output / 'fitted.tsv'}")


def _make_rerun() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, printing, silence
    from irgauge.lab.rerun import RerunOptions

    how, _ = printing()
    made = output_option("The folder to write: restricted/, rerun/ and scores.csv.")
    paths = (index_argument(), topics_argument(), qrels_argument(), _map_option())
    return command_asking(RerunOptions, _run_rerun, paths, (how, made, silence()))


def _run_rerun(
    asked: dict[str, Any], *, output: Path, form: str | None, shards: str, quiet: bool, **paths: str
) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.lab.index import Index
    from irgauge.lab.rerun import RerunOptions, write_rerun
    from irgauge.lab.shards import read_shards
    from irgauge.lab.texts import read_topics

    check_folder(output)
    check_places([], [*paths.values(), shards], folders=[output])
    terminal.table_form(form)
    loaded, read = Index.load(paths["index"]), read_topics(paths["topics"])
    split = read_shards(loaded, shards)
    with terminal.progress("running", quiet=quiet, unit="systems") as progress:
        options = RerunOptions(**asked, progress=progress)
        compared = write_rerun(output, loaded, read, paths["qrels"], split, options)
    if not quiet:
        terminal.tell_notes(unmatched_notes(compared.unmatched))
        terminal.tell(f"wrote {output}: {counted(len(compared.rerun.systems), 'run')} of each kind, and scores.csv")
    terminal.show_table(compared.table(), form, None)


RERUN = Command(
    question="Run systems on each shard alone, and compare their scores with those of runs that are restricted to it.",
    about="Studies of shards restrict runs, and search nothing again. On a shard alone a system has other statistics "
    "of terms and other documents for feedback. A run of rerun/ holds the lists of all shards; other commands take it "
    "with --shards map:FILE.",
    example="irgauge lab rerun index topics.trec qrels.txt --shards map.tsv -o compared",
    place=60,
    make=_make_rerun,
)


def _corpus(index: str, topics: str, qrels: str) -> Corpus:
    from irgauge.lab.index import Index
    from irgauge.lab.texts import read_topics
    from irgauge.lab.tuned import Corpus, read_relevant

    loaded = Index.load(index)
    return Corpus(loaded, read_topics(topics), read_relevant(loaded, qrels))


TUNED = Command(
    question="Fit a system to each shard, and run it on the whole corpus.",
    about="By parameters, the system of a grid that ranks the shard alone best (mean AP of the judgments that are in "
    "it); what it gains by the same judgments is too large, if anything, so split the topics to claim a gain. By terms "
    "one system whose feedback comes from the documents of the shard. Writes a run for each shard, for studies of "
    "systems and shards, and fitted.tsv, which says what was fitted.",
    example="irgauge lab tuned index topics.trec qrels.txt --shards map.tsv -o tuned",
    place=50,
    make=_make_tuned,
)


COMMANDS = {"run": RUN, "selective": SELECTIVE, "tuned": TUNED, "rerun": RERUN}
