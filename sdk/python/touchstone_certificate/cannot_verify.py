"""Why there can be no verdict."""

from __future__ import annotations

from typing import Mapping, Optional

CANNOT_VERIFY: Mapping[str, str] = {
    "no_trusted_issuer": "No issuer is trusted. Name the base address of the service whose certificates you trust.",
    "keys_unavailable": (
        "The public keys cannot be read at the moment. Keys read before the proof was issued may lack its key."
    ),
    "keys_address_unsafe": "Keys are only taken from an absolute https address, or from this machine.",
}


class CannotVerifyError(Exception):
    """
    Raised where no verdict is possible for a reason outside of the certificate, never for a fault of a document: an unreachable key set
    would otherwise make every genuine certificate look forged.
    """

    def __init__(self, code: str, detail: Optional[str] = None) -> None:
        super().__init__(CANNOT_VERIFY[code] + ("" if detail is None else " " + detail))
        self.code = code
        """no_trusted_issuer, keys_unavailable or keys_address_unsafe."""
