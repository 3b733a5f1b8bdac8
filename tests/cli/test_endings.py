"""How the program ends where it fails outside of any command: with a traceback and 70, never silently."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from irgauge.cli import program


def ended(before: str) -> tuple[int, str]:
    """The exit code and what was said by a program that begins with some code."""
    code = f"import sys\n{before}\nfrom irgauge.cli import entry\nentry()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603  # our code
    return done.returncode, done.stderr


def test_a_program_that_cannot_be_imported_says_so() -> None:
    code, err = ended("sys.modules['irgauge.cli.program'] = None")
    assert code == 70
    assert "ModuleNotFoundError" in err


def test_a_program_stopped_while_it_is_imported_ends_as_one_that_is_stopped() -> None:
    code, err = ended(
        "class Stopped:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'irgauge.cli.program':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stopped())"
    )
    assert code == 128 + signal.SIGINT
    assert err == ""


def test_a_lack_of_memory_outside_of_a_verb_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def starve() -> None:
        raise MemoryError

    monkeypatch.setattr(program, "_run", starve)
    with pytest.raises(SystemExit) as end:
        program.main()
    assert end.value.code == 2
    assert "there is not enough memory for this; ask for" in capsys.readouterr().err


@pytest.mark.parametrize("error", ["RuntimeError('compiler')", "InputError('a run')"])
def test_an_error_that_a_library_makes_of_an_interrupt_is_a_stop(error: str) -> None:
    code, err = ended(
        "import signal\n"
        "from irgauge.cli import program\n"
        "from irgauge.errors import InputError\n"
        "def run():\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt as interrupt:\n"
        f"        raise {error} from interrupt\n"
        "program._run = run"
    )
    assert (code, err) == (128 + signal.SIGINT, "irgauge: stopped; no file is left half-written\n")
