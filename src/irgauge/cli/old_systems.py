"""Commands about systems: which differ, what makes scores vary, and whether it holds."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import app
from irgauge.cli.options import (
    Alpha,
    ChartOf,
    ChartOption,
    CorpusSize,
    CorrectionChoice,
    Form,
    FormOption,
    KeepSystems,
    Measures,
    ModelOption,
    OneMeasure,
    Output,
    PopulationOption,
    Precision,
    PrecisionOption,
    Qrels,
    Quiet,
    Runs,
    Seed,
    ShardsOption,
    TestChoice,
    UndefinedOption,
    Workers,
)


@app.command(epilog="Example: irgauge shard qrels.txt runs/ --shards even:5 --seed 1 -o map.tsv")
def shard(
    qrels: Qrels,
    runs: Runs,
    shards: Annotated[
        str, typer.Option("--shards", help="even:S, die:S, map:FILE, sizes:FILE, ordered:FILE:S, match:REGEX.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The map to write: docno and shard on each line.")],
    corpus_size: CorpusSize = None,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Split the documents of a collection into shards, and write the map that --shards map:FILE reads."""
    import numpy as np

    from irgauge.reading.trec import write_map
    from irgauge.replicates.shards import sharding

    collection = terminal.load(qrels, runs, PrecisionOption.double, workers, quiet=quiet, corpus_size=corpus_size)
    split = sharding(collection, shards).split(seed, 0)
    write_map(output, collection.docnos, split.names_of_documents())
    if not quiet:
        sizes = np.bincount(split.labels, minlength=len(split.names))
        terminal.tell(
            f"wrote {output}: {len(split.labels)} documents in {len(sizes)} shards of {sizes.min()} to {sizes.max()}"
        )


@app.command(epilog="Example: irgauge anova qrels.txt runs/ -m AP --shards even:5 --model MD6 --against MD4")
def anova(
    qrels: Qrels,
    runs: Runs,
    measure: OneMeasure = ["AP"],  # noqa: B006  # typer copies it
    shards: ShardsOption = None,
    model: ModelOption = None,
    against: Annotated[str | None, typer.Option(help="A smaller or larger nested model to compare with.")] = None,
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
    chart_of: ChartOf = None,
    precision: Precision = PrecisionOption.double,
    corpus_size: CorpusSize = None,
    fill: UndefinedOption = "zero",
    keep_systems: KeepSystems = "all",
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """What makes scores vary? The ANOVA table of topics, systems, shards and their interactions."""
    from irgauge.present import comparisons
    from irgauge.studies.measurement import one_measure
    from irgauge.studies.variance import analyse

    chosen = terminal.form(form, output, Form)
    collection = terminal.load(qrels, runs, precision, workers, quiet=quiet, corpus_size=corpus_size)
    options: dict[str, Any] = {"shards": shards, "fill": terminal.undefined(fill), "keep": keep_systems, "seed": seed}
    result = analyse(
        collection, one_measure(measure), model=model, against=against, alpha=alpha, workers=workers, **options
    )
    if chart is not None:
        terminal.draw(chart, lambda gallery: gallery.variance_chart(result, chart_of))
    tables, json = partial(comparisons.variance_tables, result), partial(comparisons.variance_json, result)
    terminal.show(chosen, output, tables, json)


@app.command(epilog="Example: irgauge compare qrels.txt runs/ -m AP --shards even:5 --population topics")
def compare(
    qrels: Qrels,
    runs: Runs,
    measure: OneMeasure = ["AP"],  # noqa: B006  # typer copies it
    shards: ShardsOption = None,
    model: ModelOption = None,
    test: Annotated[TestChoice, typer.Option(help="The test of pairs.")] = TestChoice.tukey,
    correction: Annotated[
        CorrectionChoice | None,
        typer.Option(help="For the family; if not given Holm's, bh with randomization, none with tukey."),
    ] = None,
    baseline: Annotated[str | None, typer.Option(help="Compare all systems with this one only.")] = None,
    population: PopulationOption = None,
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
    chart_of: ChartOf = None,
    precision: Precision = PrecisionOption.double,
    corpus_size: CorpusSize = None,
    fill: UndefinedOption = "zero",
    keep_systems: KeepSystems = "all",
    alpha: Alpha = 0.05,
    draws: Annotated[int, typer.Option(min=1, help="Of the randomization tests.")] = 10_000,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Which systems differ, and what does the claim cover? All pairs, or each system against a baseline."""
    from irgauge.present import comparisons
    from irgauge.studies.interval_series import intervals_by_model
    from irgauge.studies.measurement import one_measure
    from irgauge.studies.significance import compare_systems

    chosen = terminal.form(form, output, Form)
    collection = terminal.load(qrels, runs, precision, workers, quiet=quiet, corpus_size=corpus_size)
    result = compare_systems(
        collection,
        one_measure(measure),
        shards=shards,
        model=model,
        test=test.value,
        correction=None if correction is None else correction.value,
        baseline=baseline,
        population=None if population is None else population.value,
        alpha=alpha,
        fill=terminal.undefined(fill),
        keep=keep_systems,
        seed=seed,
        draws=draws,
        workers=workers,
    )
    if chart is not None:
        if chart_of == "models" and shards is not None:
            note = f"Shards {shards}, seed {seed}, fill {fill}; systems kept: {keep_systems}."
            by_model = partial(
                intervals_by_model, collection, result.measure, shards, alpha=alpha, keep=keep_systems, seed=seed
            )
            terminal.draw(chart, lambda gallery: gallery.series_chart(by_model(), result.measure, note))
        else:
            terminal.draw(chart, lambda gallery: gallery.significance_chart(result, chart_of))
    tables, json = partial(comparisons.significance_tables, result), partial(comparisons.significance_json, result)
    terminal.show(chosen, output, tables, json, main=-1)  # the pairs


@app.command(epilog="Example: irgauge robustness qrels.txt runs/ -m AP --shards 2,5,10 --resamples 10")
def robustness(
    qrels: Qrels,
    runs: Runs,
    measure: OneMeasure = ["AP"],  # noqa: B006  # typer copies it
    shards: Annotated[str, typer.Option("--shards", help="Numbers of random even shards.")] = "2,3,4,5,10,25,50",
    resamples: Annotated[int, typer.Option(min=1, help="Independent splits into each number of shards.")] = 10,
    models: Annotated[str, typer.Option(help="Models to fit.")] = "MD2,MD3,MD4,MD5,MD6",
    population: PopulationOption = None,
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
    chart_of: ChartOf = None,
    precision: Precision = PrecisionOption.double,
    corpus_size: CorpusSize = None,
    fill: UndefinedOption = "zero",
    keep_systems: KeepSystems = "all",
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Do conclusions hold whatever the model, the number of shards and the split?"""
    from irgauge.present import comparisons
    from irgauge.studies.interval_series import intervals_by_shards
    from irgauge.studies.measurement import one_measure
    from irgauge.studies.robustness import robustness as robustness_of

    chosen, counts = terminal.form(form, output, Form), terminal.numbers(shards)
    collection = terminal.load(qrels, runs, precision, workers, quiet=quiet, corpus_size=corpus_size)
    with terminal.progress("splits", quiet=quiet) as progress:
        result = robustness_of(
            collection,
            one_measure(measure),
            shards=counts,
            resamples=resamples,
            models=models.split(","),
            population="documents" if population is None else population.value,
            alpha=alpha,
            fill=terminal.undefined(fill),
            keep=keep_systems,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    if chart is not None:
        if chart_of == "intervals":
            note = f"Random even shards, seed {seed}, fill {fill}; systems kept: {keep_systems}."
            by_shards = partial(
                intervals_by_shards, collection, result.measure, counts, alpha=alpha, keep=keep_systems, seed=seed
            )
            terminal.draw(chart, lambda gallery: gallery.series_chart(by_shards(), result.measure, note))
        else:
            terminal.draw(chart, lambda gallery: gallery.robustness_chart(result))
    tables, json = partial(comparisons.robustness_tables, result), partial(comparisons.robustness_json, result)
    terminal.show(chosen, output, tables, json)


@app.command(epilog="Example: irgauge effects qrels.txt runs/ -m AP -m P@10 --shards even:5 --shards die:5")
def effects(
    qrels: Qrels,
    runs: Runs,
    shards: Annotated[list[str], typer.Option("--shards", help="A way to split, as in compare; repeatable.")],
    measure: Measures = ["AP", "P@10", "nDCG@10"],  # noqa: B006  # typer copies it
    model: Annotated[str, typer.Option(help="MD2 to MD6 or a formula.")] = "MD6",
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
    chart_of: ChartOf = None,
    precision: Precision = PrecisionOption.double,
    corpus_size: CorpusSize = None,
    fill: UndefinedOption = "zero",
    keep_systems: KeepSystems = "all",
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """How much do topic, system, shard and their interactions matter? Effect sizes by measure and sharding."""
    from irgauge.present import comparisons
    from irgauge.studies.effects import effect_sizes

    chosen = terminal.form(form, output, Form)
    collection = terminal.load(qrels, runs, precision, workers, quiet=quiet, corpus_size=corpus_size)
    with terminal.progress("shardings", quiet=quiet) as progress:
        result = effect_sizes(
            collection,
            measure,
            shards,
            model=model,
            alpha=alpha,
            fill=terminal.undefined(fill),
            keep=keep_systems,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    if chart is not None:
        terminal.draw(chart, lambda gallery: gallery.effects_chart(result, chart_of))
    tables, json = partial(comparisons.effects_tables, result), partial(comparisons.effects_json, result)
    terminal.show(chosen, output, tables, json)


@app.command(epilog="Example: irgauge studentized --systems 5,25,75 --df 100,500 --chart range.svg")
def studentized(
    systems: Annotated[str, typer.Option(help="Numbers of systems.")] = "5,25,75",
    df: Annotated[str, typer.Option(help="Degrees of freedom of the error.")] = "100,500",
    alpha: Alpha = 0.05,
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
) -> None:
    """Critical values of the studentized range, which Tukey's test uses."""
    from irgauge.errors import check_alpha
    from irgauge.present import comparisons

    check_alpha(alpha)
    chosen, counts, freedoms = terminal.form(form, output, Form), terminal.numbers(systems), terminal.numbers(df)
    if chart is not None:
        terminal.draw(chart, lambda gallery: gallery.range_chart(counts, freedoms, alpha))
    table = comparisons.critical_table(counts, freedoms, alpha)
    terminal.show(chosen, output, lambda: [table], table.records)
