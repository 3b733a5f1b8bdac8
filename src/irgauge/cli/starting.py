"""`--init`: a file to start with, in place of an answer."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Annotated

import typer

from irgauge.cli import terminal
from irgauge.cli.help import WORDS
from irgauge.errors import DesignError, InputError
from irgauge.studies.registry import Study


def starting(study: Study) -> inspect.Parameter:
    """The option, which needs no files."""

    def write(context: typer.Context, is_asked: bool) -> None:  # noqa: FBT001  # what typer passes
        if is_asked:
            _refuse_others(context.meta[WORDS])
            start(study)
            raise typer.Exit

    text = f"Write {study.starter} to {study.part('starter').PLACE}, and do nothing else."
    option = typer.Option("--init", help=text, is_eager=True, callback=write)
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter("init", kind, default=False, annotation=Annotated[bool, option])


def _refuse_others(words: Sequence[str]) -> None:
    """Refuse what stands beside the option, as it would not be in the file."""
    others = [word for word in words if word not in ("--init", "--quiet", "-q")]
    if others:
        raise DesignError(
            f"--init writes a file to start with, and takes nothing beside it ({' '.join(others)}): give --init alone, "
            'then put files, measures and options into the lines marked "yours"'
        )


def start(study: Study) -> None:
    """Write the file; one that is there stays as it is."""
    starter = study.part("starter")
    if starter.PLACE.exists() or starter.PLACE.is_symlink():
        raise InputError("this file is there already; move it away, or change it by hand", path=str(starter.PLACE))
    try:
        starter.PLACE.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder of the file cannot be made ({error.strerror})", path=str(starter.PLACE)) from None
    terminal.emit(starter.text(), starter.PLACE)
    terminal.tell(f'wrote {starter.PLACE}: edit the lines marked "yours"')
