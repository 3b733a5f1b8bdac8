"""Ferro, Kim and Sanderson 2019: all entries."""

from __future__ import annotations

from irgauge.papers.entry import Entry
from irgauge.papers.ferro_kim_sanderson_2019.anova import ENTRIES as _ANOVA
from irgauge.papers.ferro_kim_sanderson_2019.effects import ENTRIES as _EFFECTS
from irgauge.papers.ferro_kim_sanderson_2019.figures import ENTRIES as _FIGURES

ENTRIES: tuple[Entry, ...] = (*_ANOVA, *_EFFECTS, *_FIGURES)
