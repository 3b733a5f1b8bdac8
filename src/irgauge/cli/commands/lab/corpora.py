"""The commands of the lab that make text, an index of documents, and shards of an index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.commands.lab import index_argument, output_option, required
from irgauge.cli.places import check_places
from irgauge.errors import DesignError
from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.reading.options import WORKERS
from irgauge.show.words import counted

if TYPE_CHECKING:
    from irgauge.lab.index import Index
    from irgauge.scoring.drawn import Shards


_SHOWN = 3  # documents named in a note


def _make_generate() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, silence
    from irgauge.lab.generated import GenerateOptions

    return command_asking(GenerateOptions, _run_generate, (output_option("The folder to write."),), (silence(),))


def _run_generate(asked: dict[str, Any], output: Path, *, quiet: bool) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.lab.generated import generate

    check_folder(output)
    with terminal.progress("documents", quiet=quiet) as progress:
        made = generate(**asked, progress=progress)
    made.write(output)
    if not quiet:
        size = f"{counted(len(made.texts), 'document')} of {counted(asked['clusters'], 'cluster')}"
        judged = f"{counted(len(made.topics), 'topic')} with {counted(len(made.judgments), 'relevant document')}"
        terminal.tell(f"wrote {output}: {size}, {judged}")


GENERATE = Command(
    question="Generate text with known clusters, topics and judgments.",
    about="Writes documents.trec, topics.trec, qrels.txt and clusters.tsv, which names the cluster of each document. "
    "Words are invented. A document is of one cluster and about one of its themes; a topic asks for one theme, and "
    "some of the documents about it come from other clusters.",
    example="irgauge lab generate -o text --documents 20000 --clusters 20",
    place=5,
    make=_make_generate,
)


def _stop_lists() -> Sequence[str]:
    from irgauge.lab.analysis import STOP_LISTS

    return list(STOP_LISTS)


def _stemmers() -> Sequence[str]:
    from irgauge.lab.analysis import STEMMERS

    return list(STEMMERS)


@dataclass(frozen=True, kw_only=True)
class LabIndexOptions:
    """How documents are indexed."""

    stop: Annotated[str, Help("Words to leave out.", names=_stop_lists)] = "none"
    stemmer: Annotated[str, Help("What makes one term of words of one stem.", names=_stemmers)] = "none"
    positions: Annotated[bool, Help("Keep where words stand too, for the model fdm.")] = False


def _make_index() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, silence

    help_text = (
        "Files, folders, glob patterns, or a name of ir_datasets. Files, also compressed, have <DOC> blocks with a "
        "<DOCNO>, a JSON object (id, title, contents, text) on each line, or id, tab and text on each line."
    )
    of = typer.Argument(metavar="DOCUMENTS...", help=help_text, show_default=False)
    inputs = required("documents", Annotated[list[str], of])
    made = output_option("The folder to write: the index.")
    return command_asking(LabIndexOptions, _run_index, (inputs,), (made, silence()))


def _run_index(asked: dict[str, Any], documents: Sequence[str], output: Path, *, quiet: bool) -> None:
    from irgauge.files.writing import check_folder
    from irgauge.lab.analysis import Analyser
    from irgauge.lab.index import build
    from irgauge.lab.texts import read_documents

    check_folder(output)
    check_places([], documents, folders=[output])
    analyser = Analyser(asked["stop"], asked["stemmer"])
    with terminal.progress("documents", quiet=quiet, unit="documents") as progress:
        index = build(read_documents(documents), analyser, positions=asked["positions"], progress=progress)
    index.save(output)
    if not quiet:
        terminal.tell_notes(_empty_notes(index))
        sizes = counted(index.n_documents, "document"), counted(len(index.terms), "term")
        summary = f"{', '.join(sizes)}, {index.mean_length:.1f} a document"
        terminal.tell(f"wrote {output}: {summary}")


def _empty_notes(index: Index) -> list[str]:
    """What is told of documents that no search finds."""
    empty = [docno for docno, length in zip(index.docnos, index.lengths, strict=True) if length == 0]
    if not empty:
        return []
    whose = f"{counted(len(empty), 'document')} without terms, such as {', '.join(empty[:_SHOWN])}"
    return [f"there {'is' if len(empty) == 1 else 'are'} {whose}: indexed, counted, and never retrieved"]


INDEX = Command(
    question="Make an index of documents, in which lab run searches.",
    about="By default words stay as they are, and each system of lab run stops and stems them in its own way. With "
    "--stop or --stemmer the index is smaller, and all systems have the same.",
    example="irgauge lab index documents.trec.gz -o index",
    place=10,
    make=_make_index,
)


def _check_share(share: float) -> None:
    if not 0 < share <= 1:
        raise DesignError(f"sample is {share:g}; it is a share of the documents, above 0 and up to 1")


@dataclass(frozen=True, kw_only=True)
class LabShardsOptions:
    """How documents are split."""

    topical: Annotated[
        int | None, Help("This many shards of documents that are about the same, by k-means.", least=1, most=100_000)
    ] = None
    random: Annotated[int | None, Help("Or this many random shards of equal size.", least=1)] = None
    by: Annotated[
        str | None,
        Help(
            "Or a shard for each value of a field of the documents, such as source; domain:url, tld:url and type:url "
            "take the host, the top-level domain and the type of file of a URL, year:date and month:date those of a "
            "date such as 1997-01-31.",
            metavar="FIELD",
        ),
    ] = None
    documents: Annotated[
        Sequence[str], Help("The documents that have the field, as lab index reads them; repeatable.")
    ] = ()
    sample: Annotated[
        float | None,
        Help(
            "The share of the documents that k-means clusters, such as 0.01; the others go to the nearest cluster. "
            "10,000 documents, or all if they are fewer, if not given.",
            check=_check_share,
        ),
    ] = None
    starts: Annotated[int | None, Help("Starts of k-means, of which the best counts; 4 if not given.", least=1)] = None
    largest: Annotated[
        int | None,
        Help("Documents of a topical shard at most; where it is full of nearer ones, others go to the next.", least=1),
    ] = None
    log: Annotated[
        str | None,
        Help(
            "A log of queries, in a format of topics: k-means starts from clusters of these, and terms that many of "
            "them have weigh more.",
            metavar="QUERIES",
        ),
    ] = None
    seed: Annotated[int, Help("The same seed gives the same shards.", least=0, most=LARGEST_SEED)] = 0
    sample_seed: Annotated[
        int | None,
        Help("Another seed for the sample of k-means; the same if not given.", least=0, most=LARGEST_SEED),
    ] = None
    workers: Annotated[int | None, WORKERS] = None

    def __post_init__(self) -> None:
        kinds = [name for name in ("topical", "random", "by") if getattr(self, name) is not None]
        if len(kinds) != 1:
            problem = "several kinds of shards were" if kinds else "no kind of shards was"
            raise DesignError(f"{problem} asked for; write --topical 20, --random 20 or --by FIELD")
        for name in _OF_TOPICAL:
            if self.topical is None and getattr(self, name) is not None:
                flag = f"--{name.replace('_', '-')}"
                raise DesignError(f"{flag} is of topical shards, and others were asked for; leave it out")
        if (self.by is None) != (not self.documents):
            raise DesignError("--by FIELD and --documents FILES go together; give both, or leave both out")


_OF_TOPICAL = ("sample", "starts", "largest", "log", "sample_seed")


def _make_shards() -> Callable[..., None]:
    from irgauge.cli.frame import command_asking, silence

    made = output_option("The map to write: docno and shard on each line.")
    return command_asking(LabShardsOptions, _run_shards, (index_argument(),), (made, silence()))


def _run_shards(asked: dict[str, Any], index: str, output: Path, *, quiet: bool) -> None:
    import numpy as np

    from irgauge.lab.index import Index
    from irgauge.lab.shards import save_shards

    check_places([output], [index, asked["log"], *asked["documents"]])
    loaded = Index.load(index)
    shards = _shards(loaded, asked, quiet=quiet)
    save_shards(loaded, shards, output)
    if not quiet:
        sizes = np.bincount(shards.labels)
        summary = f"{counted(len(shards.names), 'shard')} of {sizes.min():,} to {sizes.max():,} documents"
        terminal.tell(f"wrote {output}: {summary}")


def _shards(index: Index, asked: dict[str, Any], *, quiet: bool) -> Shards:
    from irgauge.lab.clusters import STARTS, Clustering, topical_shards
    from irgauge.lab.shards import random_shards
    from irgauge.lab.texts import read_topics

    if asked["random"] is not None:
        return random_shards(index.n_documents, asked["random"], asked["seed"])
    if asked["by"] is not None:
        return _by_field(index, asked["by"], asked["documents"], quiet=quiet)
    log = [] if asked["log"] is None else [query.text for query in read_topics(asked["log"])]
    with terminal.progress("clustering", quiet=quiet) as progress:
        wanted = Clustering(
            asked["topical"],
            sample=asked["sample"],
            seed=asked["seed"],
            sample_seed=asked["sample_seed"],
            starts=asked["starts"] or STARTS,
            most=asked["largest"],
            log=log,
            workers=asked["workers"],
            progress=progress,
        )
        return topical_shards(index, wanted)


def _by_field(index: Index, by: str, documents: Sequence[str], *, quiet: bool) -> Shards:
    from irgauge.lab.fields import NONE, field_shards

    shards, without = field_shards(index, documents, by)
    if without and not quiet:
        told = f"{by} says nothing of {counted(without, 'document')}"
        terminal.tell_notes([f"{told}; the shard '{NONE}' has them"])
    return shards


SHARDS = Command(
    question="Split the documents of an index into shards: topical, random, or by a field.",
    about="Writes a map, which lab selective and lab tuned read, and --shards map:FILE of other commands. Topical "
    "shards are clusters by k-means of a sample; other documents go to the nearest cluster.",
    example="irgauge lab shards index --topical 50 -o map.tsv",
    place=30,
    make=_make_shards,
)


COMMANDS = {"generate": GENERATE, "index": INDEX, "shards": SHARDS}
