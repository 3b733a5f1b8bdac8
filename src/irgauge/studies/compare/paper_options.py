"""What is written of a comparison besides its result: files for a paper, and a script that computes it again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from irgauge.errors import InputError
from irgauge.options.fields import Help

if TYPE_CHECKING:
    from irgauge.studies.compare.study import Compared

Language = Literal["python", "r"]
_LANGUAGES: Mapping[str, Language] = {".py": "python", ".r": "r"}  # by the ending of a file
_FILES: Mapping[str, str] = {"python": "recompute.py", "r": "recompute.R"}  # where only the language is named


def check_paper_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder that holds something, and a file."""
    from irgauge.files.writing import check_free

    check_free(folder, "files for a paper need")


@dataclass(frozen=True, kw_only=True)
class ForPaper:
    """The options of what is written besides."""

    for_paper: Annotated[
        str | os.PathLike[str] | None,
        Help(
            "Write what a paper needs into this new folder. It has the table in LaTeX, the figure without title, "
            "its caption, sentences that one may write and that one may not, references and scripts as of --recompute.",
            metavar="FOLDER",
            writes="folder",
        ),
    ] = None
    recompute: Annotated[
        str | os.PathLike[str] | None,
        Help(
            "Also write a script with the scores that computes every claim again without irgauge, in Python (numpy and "
            "scipy) or R, to this .py or .R file; python and r are recompute.py and recompute.R.",
            metavar="python|r|FILE",
            writes="file",
        ),
    ] = None

    @property
    def _script(self) -> Path | None:
        return None if self.recompute is None else Path(_FILES.get(str(self.recompute), self.recompute))

    def check_written(self) -> None:
        """Refuse before any long work what could not be written."""
        from irgauge.files.writing import check_place

        if self._script is not None:
            if self._script.suffix.lower() not in _LANGUAGES:
                raise InputError("a script is in Python or R; end its name in .py or .R", path=str(self.recompute))
            if str(self.recompute) in _FILES and self._script.exists():
                raise InputError("there is a file of this name; move it, or name another file", path=str(self._script))
            check_place(self._script)
        if self.for_paper is not None:
            check_paper_folder(self.for_paper)

    def write(self, result: Compared) -> None:
        """Write what was asked for; nothing where there is no script of the comparison."""
        from irgauge.files.writing import write

        script = None if self._script is None else result.recompute(_LANGUAGES[self._script.suffix.lower()])
        if self.for_paper is not None:
            result.for_paper(self.for_paper)
        if self._script is not None and script is not None:
            write(self._script, script)
