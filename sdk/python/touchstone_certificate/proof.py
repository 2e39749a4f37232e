"""The proof of a certificate: a compact JWS, read strictly (docs/format.md, section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Tuple

from .encoding import base64url, utf16_length
from .strict_json import strict_object

MAX_PROOF = 8192
"""Characters of a proof."""

LIFETIME = 604_800
"""Seconds from `iat` to `exp`."""

KINDS = ("product", "asset", "image")

_COMMON: Dict[str, str] = {"iss": "text", "iat": "time", "exp": "time"}
_COMMON.update(
    dict.fromkeys(("domain", "url", "productId", "externalProductId", "productName", "storeName", "storeUrl"), "text")
)
REQUIRED_CLAIMS: Mapping[str, Mapping[str, str]] = {
    "product": {**_COMMON, "certifiedAssets": "count", "totalAssets": "count", "coveragePercent": "percent"},
    "asset": {**_COMMON, "assetId": "text", "contentUrl": "text"},
    "image": {**_COMMON, "imageId": "text", "contentUrl": "text"},
}
"""The claims of each kind with their types, in the order in which they are checked."""


def typ_of(kind: str) -> str:
    """The header `typ` of a kind of certificate."""
    return kind + "-certificate+jwt"


@dataclass(frozen=True)
class Proof:
    """A proof taken apart. A header that is none leaves the claims readable, and the other way round."""

    fault: str
    """`ok`, or why no signature can be checked."""
    claims_fault: str
    """`ok`, or why there are no claims."""
    claims: Optional[Dict[str, Any]] = None
    typ: Any = None
    kid: str = ""
    """Not empty if `fault` is `ok`."""
    signature: bytes = b""
    signed: bytes = b""


def read_proof(token: Any) -> Proof:
    """Takes any value apart; never raises."""
    if not isinstance(token, str):
        return Proof("proof_malformed", "proof_malformed")
    if utf16_length(token) > MAX_PROOF:
        return Proof("proof_too_large", "proof_too_large")
    parts = jws_parts(token)
    if parts is None or not parts[2]:
        return Proof("proof_malformed", "proof_malformed")
    header, claims = strict_object(parts[0]), strict_object(parts[1])
    fault = header_fault(header)
    return Proof(
        fault=fault,
        claims_fault="claims_unreadable" if claims is None else "ok",
        claims=claims,
        typ=None if header is None else header.get("typ"),
        kid=header["kid"] if header is not None and fault == "ok" else "",
        signature=parts[2],
        signed=token.rpartition(".")[0].encode("ascii"),
    )


def jws_parts(token: str) -> Optional[Tuple[bytes, bytes, bytes]]:
    """The three parts of a compact JWS in canonical base64url; None for anything else."""
    if token.count(".") != 2:
        return None
    header, payload, signature = map(base64url, token.split("."))
    return None if header is None or payload is None or signature is None else (header, payload, signature)


def header_fault(header: Optional[Mapping[str, Any]]) -> str:
    """`ok` for a header of RS256 with `kid` and nothing else but `typ`, else why not."""
    if header is None:
        return "proof_malformed"
    if header.get("alg") != "RS256":
        return "algorithm_not_allowed"
    if not set(header) <= {"alg", "kid", "typ"}:
        return "header_not_allowed"
    kid = header.get("kid")
    return "ok" if isinstance(kid, str) and kid else "kid_missing"


def is_whole(value: Any) -> bool:
    """Whether a number read from JSON is an integer that a double can hold exactly."""
    return isinstance(value, float) and value.is_integer() and abs(value) < 2**53


def is_count(value: Any) -> bool:
    """Whether a number read from JSON is an integer from 0 to 2^53 - 1."""
    return is_whole(value) and value >= 0


def is_of_type(value: Any, kind: str) -> bool:
    """Whether a claim has the type that `REQUIRED_CLAIMS` names."""
    if kind == "text":
        return isinstance(value, str)
    if kind == "percent":
        return isinstance(value, float) and 0 <= value <= 100
    if kind == "digests":
        return isinstance(value, dict) and all(isinstance(digest, str) for digest in value.values())
    if kind == "method and time":
        if not isinstance(value, dict) or not isinstance(value.get("method"), str):
            return False
        return "checkedAt" not in value if value["method"] == "none" else is_count(value.get("checkedAt"))
    return is_count(value)
