"""The command line's frame: its name, its version."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A gauge for information-retrieval experiments: which differences between systems are real, how sure one "
    "can be, and what the claim covers.",
    epilog="Start with: irgauge check QRELS RUNS, then irgauge score QRELS RUNS -m AP -m nDCG@10",
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  # typer's interface
    if wanted:
        from importlib.metadata import version

        print(version("irgauge"))  # noqa: T201  # this module prints
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Options before any command."""
