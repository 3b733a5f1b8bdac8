"""The lab, optional: from text to runs of systems whose every part is known."""
