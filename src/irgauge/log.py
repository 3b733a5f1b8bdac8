"""The log of the package, under the name irgauge: what was read (DEBUG, INFO) and how long verbs took (INFO)."""

from __future__ import annotations

import logging

LOG = logging.getLogger("irgauge")
LOG.addHandler(logging.NullHandler())  # whoever wants to read it says where
