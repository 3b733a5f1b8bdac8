"""`python -m irgauge` is the `irgauge` program."""

from irgauge.cli import entry

entry()
