"""Bytes deflated, as text that may stand in a page; `inflate.js` undoes it."""

from __future__ import annotations

import base64
import zlib


def deflated(content: bytes) -> dict[str, object]:
    """How many bytes they are, and these deflated, in base64."""
    packer = zlib.compressobj(wbits=-15)
    return {"size": len(content), "data": base64.b64encode(packer.compress(content) + packer.flush()).decode()}
