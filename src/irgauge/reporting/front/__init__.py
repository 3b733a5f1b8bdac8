"""The first screen of a report: the answer in a sentence, a picture, some facts; and why methods count other pairs."""
