"""Base64 in canonical form alone, and lengths of texts in UTF-16, by which limits are counted."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Optional

_BASE64URL = re.compile("[A-Za-z0-9_-]*")


def base64url(text: str) -> Optional[bytes]:
    """Canonical base64url without padding: no other alphabet, no white space, no bits left over; else None."""
    if not _BASE64URL.fullmatch(text):
        return None
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if to_base64url(data) == text else None


def to_base64url(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def sha256_base64url(data: bytes) -> str:
    """The SHA-256 of bytes, as base64url."""
    return to_base64url(hashlib.sha256(data).digest())


def standard_base64(text: str) -> Optional[bytes]:
    """Canonical base64 with padding; None for anything else."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None


def utf16_length(text: str) -> int:
    """Code units of a text in UTF-16, which is how the limits of the format count."""
    return len(text) + sum(1 for character in text if character > "\uffff")


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined, and lone surrogates replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
