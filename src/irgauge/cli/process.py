"""The process of a command: its standard streams and what they can encode, and the signals that stop it.

Ctrl-C, a termination and a lost terminal end a command soon, whatever it is doing, and leave nothing. A signal ends the
process where it stands. An exception in its place could come up inside of compilers and their clean-ups, which free
what they hold twice after one, or call code that is not there.
"""

from __future__ import annotations

import codecs
import os
import select
import signal
import sys
import threading
import unicodedata
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn


def command_words() -> list[str]:
    """The command line that this process was started with."""
    return ["irgauge", *sys.argv[1:]]


def open_all() -> None:
    """Let what is read from closed streams be nothing, and what is written to them vanish."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115  # open as long as the process runs
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8")  # noqa: SIM115  # as above
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8")  # noqa: SIM115  # as above


_REPLACED = "irgauge.replaced"  # the name of the rule among Python's, such as "strict"
_ALIKE = {
    **dict.fromkeys("\xa0\u2009\u202f", " "),
    **dict.fromkeys("–—−‐‑─━╌╸╺╴╶", "-"),
    **dict.fromkeys("│┃║╎", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬┏┓┗┛┡┩", "+"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”", '"'),
    **dict.fromkeys("•●", "*"),
    "…": "...",
    "±": "+-",
    "∓": "-+",
    "×": "x",
    "÷": "/",
    "·": ".",
    "√": "sqrt",
    "∞": "inf",
    "½": "1/2",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "→": "->",
    "←": "<-",
    "↔": "<->",
    "†": "+",
    "‡": "++",
    "✅": "[passes]",
    "❌": "[fails]",
    "❔": "[open]",
    "§": "section ",
}


def replace_unknown_signs() -> None:
    """Let what is printed hold no sign that its stream cannot encode."""
    codecs.register_error(_REPLACED, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_REPLACED)


def plain_sign(sign: str) -> str:
    r"""A sign in ASCII: one that looks or means alike, the name of a Greek letter, or how Python writes it.

    >>> "".join(map(plain_sign, "ω² ≥ 5 ± 1 – é"))
    'omega^2 >= 5 +- 1 - \\xe9'
    """
    if sign.isascii() or sign in _ALIKE:
        return _ALIKE.get(sign, sign)
    name = unicodedata.name(sign, "")
    if name.startswith("GREEK") and "LETTER" in name and " WITH " not in name:
        letter = name.split()[-1]
        return letter.capitalize() if "CAPITAL" in name else letter.lower()
    if name.startswith(("SUPERSCRIPT", "SUBSCRIPT")):
        kept = unicodedata.normalize("NFKD", sign).replace("−", "-")
        return f"{'^' if name.startswith('SUPER') else '_'}{kept}"
    return sign.encode("unicode_escape").decode()


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain_sign, error.object[error.start : error.end])), error.end


_SHELLS = 128  # an exit code after a signal is its number beyond this, as shells have it
STOPPED = _SHELLS + signal.SIGINT  # after Ctrl-C
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_PATIENCE = 2.0  # seconds for compiled code to come back to Python, which sees signals
_STOPPED_SENTENCE = b"irgauge: stopped; no file is left half-written\n"
_SHOW_CURSOR = b"\x1b[?25h\r\x1b[K"  # what a progress bar under way hides, and its line


def stop_at_signals() -> None:
    """Let signals end this process, which runs one command, also while it is in long compiled code."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup has it ignored
            signal.signal(number, _end_by)
    if os.name == "posix":
        reader, teller = os.pipe()
        os.set_blocking(teller, False)
        signal.set_wakeup_fd(teller, warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(reader,), daemon=True).start()


def _end_by(number: int, _: FrameType | None) -> NoReturn:
    _end(number)


def _watch(reader: int) -> None:
    """End the process where compiled code keeps Python from it, when asked twice at once: a thread that wakes then."""
    while (number := os.read(reader, 1)[0]) not in _SIGNALS:
        pass
    select.select([reader], [], [], _PATIENCE)
    _end(number)


def _end(number: int) -> NoReturn:
    """End the process as one that this signal stops, and those that it started; what it was to write is removed."""
    active_children = getattr(sys.modules.get("multiprocessing"), "active_children", list)
    for child in active_children():
        child.kill()
    clear_up = getattr(sys.modules.get("irgauge.files.writing"), "clear_up", None)  # which may be half imported
    if clear_up is not None:
        clear_up()
    with suppress(OSError):  # past buffers that a thread may hold
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + _STOPPED_SENTENCE)
    os._exit(_SHELLS + number)
