"""`--init`: a file to start with, in place of an answer."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer

from irgauge.cli import terminal
from irgauge.errors import InputError
from irgauge.studies.registry import Study


def starting(study: Study) -> inspect.Parameter:
    """The option, which needs no files."""

    def write(is_asked: bool) -> None:  # noqa: FBT001  # what typer passes
        if is_asked:
            start(study)
            raise typer.Exit

    text = f"Write {study.starter} to {study.part('starter').PLACE}, and do nothing else."
    option = typer.Option("--init", help=text, is_eager=True, callback=write)
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter("init", kind, default=False, annotation=Annotated[bool, option])


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
    terminal.tell(f'wrote {starter.PLACE}: adapt what stands there behind "yours"')
