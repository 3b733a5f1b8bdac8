"""The first screen of a report, as data: one sentence, some facts, and why methods count other pairs."""
