"""The command that answers all questions on one page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from irgauge.cli import terminal
from irgauge.cli.app import app
from irgauge.cli.options import (
    Alpha,
    CorpusSize,
    Manifest,
    Measures,
    Pattern,
    Precision,
    PrecisionOption,
    Qrels,
    Quiet,
    Runs,
    Seed,
    Workers,
)
from irgauge.errors import InputError

if TYPE_CHECKING:
    from irgauge.reading.collection import Collection, Progress
    from irgauge.replicates.labels import Labelling
    from irgauge.simulation.truth import Truth
    from irgauge.studies.preflight import Preflight
    from irgauge.studies.report import Report

_USUAL, _NONE = "even:5", "none"  # shards
_PAGE = Path("report.html")


@app.command(epilog="Example: irgauge report qrels.txt runs/ -m AP -m nDCG@10 --corpus-size 528155 -o report.html")
def report(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = ["AP", "nDCG@10"],  # noqa: B006  # typer copies it
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page to write; report.html if there is no bundle.")
    ] = None,
    shards: Annotated[
        str | None,
        typer.Option(
            "--shards",
            help="even:S, die:S, map:FILE, sizes:FILE, ordered:FILE:S, match:REGEX, or none; even:5 if not given.",
        ),
    ] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Independent splits, to see whether conclusions hold.")] = 10,
    images: Annotated[int, typer.Option(min=2, help="Bootstrap samples of the corpus and of the topics.")] = 200,
    bundle: Annotated[
        Path | None,
        typer.Option(help="Write the page, every chart, every table and results.json into this new folder."),
    ] = None,
    manifest: Manifest = None,
    pattern: Pattern = None,
    truth: Annotated[
        str | None, typer.Option(help="truth.json of `irgauge simulate`: say how many intervals of means hold it.")
    ] = None,
    precision: Precision = PrecisionOption.double,
    corpus_size: CorpusSize = None,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """All questions on one page: which systems differ, for which population, and how precise measures are.

    The page is one HTML file that needs no network. At its top stand the
    findings in sentences that can be quoted, below the charts and tables they
    come from, and the methods for a paper's appendix. What cannot be computed
    from the data is explained in its place.
    """
    from irgauge.scoring.measures import parse_measures
    from irgauge.studies.report import Settings
    from irgauge.studies.report import report as run_studies

    measures, target = parse_measures(measure), output or (None if bundle else _PAGE)
    _check(target, bundle, alpha)
    known, label = _truth(truth), _label(manifest, pattern)
    collection, checked = _load(qrels, runs, precision, corpus_size, workers, quiet=quiet)
    settings = Settings(_split(collection, shards), resamples, images, alpha, seed)

    def told(study: str) -> AbstractContextManager[Progress | None]:
        return terminal.progress(study, quiet=quiet)

    result = run_studies(collection, checked, measures, settings, label=label, workers=workers, told=told)
    files = {"judgments": qrels, "runs": collection.origins} | _named(manifest, pattern)
    _write(result, files, target, bundle, workers, quiet=quiet)
    if known is not None:
        from irgauge.studies.truth_check import truth_check

        terminal.emit(f"{truth_check(result.summary, known)}\n", None)


def _truth(path: str | None) -> Truth | None:
    from irgauge.simulation.truth import Truth

    return None if path is None else Truth.load(path)


def _check(target: Path | None, bundle: Path | None, alpha: float) -> None:
    """Refuse before any long work what cannot be written or computed."""
    from irgauge.errors import check_alpha

    check_alpha(alpha)
    if target is not None and target.suffix.lower() not in (".html", ".htm"):
        raise InputError("a report is a page; end its name in .html", path=str(target))
    terminal.check_place(target)
    if bundle is not None:
        from irgauge.present.bundle import check_free

        check_free(bundle)


def _split(collection: Collection, given: str | None) -> str | None:
    """The SPEC of shards. One that was given must be possible here; where the usual one is not, the page says so."""
    from irgauge.replicates.shards import sharding

    if given in (None, _NONE):
        return _USUAL if given is None else None
    return sharding(collection, str(given)).spec


def _label(manifest: Path | None, patterns: Sequence[str] | None) -> Labelling | None:
    """What says which runs are instances of one algorithm, if something does."""
    from irgauge.replicates.labels import labelling

    return labelling(manifest, patterns or None) if manifest or patterns else None


def _named(manifest: Path | None, patterns: Sequence[str] | None) -> dict[str, object]:
    """What names instances, for the settings."""
    given: dict[str, object] = {"manifest of instances": manifest, "pattern of instances": patterns}
    return {name: value if isinstance(value, list) else str(value) for name, value in given.items() if value}


def _load(
    qrels: str,
    runs: list[str],
    precision: PrecisionOption,
    corpus_size: int | None,
    workers: int | None,
    *,
    quiet: bool,
) -> tuple[Collection, Preflight]:
    """Read and check at once, with progress and notes on stderr."""
    from irgauge.reading.collection import run_readers
    from irgauge.reading.trec import read_qrels
    from irgauge.studies.preflight import load_checked

    with terminal.reading(quiet=quiet) as progress:
        collection, checked = load_checked(
            read_qrels(qrels),
            run_readers(runs),
            precision=precision.value,
            corpus_size=corpus_size,
            workers=workers,
            progress=progress,
        )
    if not quiet:
        terminal.tell_notes(collection.notes)
    return collection, checked


def _write(
    result: Report,
    files: dict[str, object],
    target: Path | None,
    bundle: Path | None,
    workers: int | None,
    *,
    quiet: bool,
) -> None:
    """Write the page, and the bundle if one was asked for."""
    from irgauge.present.report import render
    from irgauge.present.report_object import report_json
    from irgauge.present.report_page import page_of

    page = page_of(result, files)
    html = render(page)
    if bundle is not None:
        from irgauge.present.bundle import write_bundle

        with terminal.progress("files", quiet=quiet) as progress:
            write_bundle(bundle, page, html, report_json(result, page), workers=workers, progress=progress)
    if target is not None:
        terminal.emit(html, target)
    if not quiet:
        for written in filter(None, (target, bundle)):
            terminal.tell(f"wrote {written}")
