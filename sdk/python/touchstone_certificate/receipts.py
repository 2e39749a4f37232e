"""Verifying a receipt of a verification or of a page check (docs/format.md, section 10)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .canonical import canonical_json
from .encoding import base64url, sha256_base64url, utf16_length, well_formed
from .fetching import Fetch, fetch_jwks, http_fetch, safe_address
from .keys import verify_ed25519
from .proof import is_count, jws_parts
from .strict_json import strict_object
from .trust import IssuerKeys, addresses_in, keys_by_issuer
from .verify import moment_of

MAX_RECEIPT = 8192
_ADDED = ("receipt", "evidence", "untrusted")


@dataclass(frozen=True)
class ReceiptFinding:
    """What a receipt proves: without a fault, that its issuer gave this answer to this request at that time."""

    valid: bool
    faults: Tuple[str, ...]
    """Codes of docs/codes.md."""
    claims: Optional[Mapping[str, Any]] = None
    """None unless the signature is valid and the claims are complete."""


def verify_receipt(
    receipt: Any,
    *,
    trusted_issuers: Sequence[str],
    jwks: Any = None,
    keys: Sequence[IssuerKeys] = (),
    answer: Any = None,
    request: Any = None,
    page: Optional[bytes] = None,
    now: Optional[datetime] = None,
    fetch: Fetch = http_fetch,
) -> ReceiptFinding:
    """
    Verifies a receipt, and compares it with what else is given. The time stamp, if there is one, is for `openssl ts -verify`.

    :param receipt: the receipt, its JWS, or the answer that contains it, as a JSON parser made them
    :param trusted_issuers: base addresses of services
    :param jwks: the receipt keys of the only trusted issuer; `keys`: of several. Keys that are not given are fetched from
        `{issuer}/api/v1/.well-known/receipt-jwks.json`
    :param answer: the answer
    :param request: the body of the request
    :param page: the bytes of the page
    :raises CannotVerifyError: keys_unavailable, keys_address_unsafe
    :raises TypeError: if it is not clear whose keys are given
    """
    moment = moment_of(now)
    issuers = addresses_in(trusted_issuers, "trusted_issuers")
    if jwks is not None:
        if len(issuers) != 1 or keys:
            raise TypeError("jwks is for one trusted issuer; for several: keys=[IssuerKeys([address], jwks)].")
        keys = [IssuerKeys(issuers, jwks)]
    sources = keys_by_issuer(issuers, keys)
    read = _read(jws_in(receipt))
    if isinstance(read, str):
        return ReceiptFinding(False, (read,))
    claims = read.claims
    source = next((one for one in sources if _is_in(claims.get("iss"), one.issuers)), None)
    if source is None:
        return ReceiptFinding(False, ("receipt_issuer_untrusted",))
    key = _key(_keys_of(source, fetch), read.kid)
    if key is None:
        return ReceiptFinding(False, ("receipt_key_unknown",))
    if not verify_ed25519(key, read.signature, read.signed):
        return ReceiptFinding(False, ("receipt_signature_invalid",))
    if claims.get("v") != 1 or isinstance(claims.get("v"), bool):
        return ReceiptFinding(False, ("receipt_version_unknown",))
    if not _is_complete(claims):
        return ReceiptFinding(False, ("receipt_claims_malformed",))
    faults: List[str] = ["receipt_from_future"] if claims["iat"] > moment.timestamp() + 60 else []
    faults += [] if request is None else _request_faults(request, claims)
    faults += [] if answer is None else _answer_faults(answer, claims)
    faults += [] if page is None else _page_faults(page, claims)
    return ReceiptFinding(not faults, tuple(faults), claims)


def jws_in(given: Any) -> Optional[str]:
    """The JWS of what was kept: itself, the receipt, or the answer that contains it."""
    if isinstance(given, dict):
        receipt = given.get("receipt")
        given = (receipt if isinstance(receipt, dict) else given).get("jws")
    return given if isinstance(given, str) else None


@dataclass(frozen=True)
class _Parts:
    kid: str
    claims: Dict[str, Any]
    signature: bytes
    signed: bytes


def _read(jws: Optional[str]) -> "_Parts | str":
    if jws is None:
        return "receipt_malformed"
    if utf16_length(jws) > MAX_RECEIPT:
        return "receipt_too_large"
    parts = jws_parts(jws)
    if parts is None or len(parts[2]) != 64:
        return "receipt_malformed"
    header, claims = strict_object(parts[0]), strict_object(parts[1])
    if header is None or claims is None:
        return "receipt_malformed"
    if header.get("typ") != "touchstone-receipt+jwt":
        return "receipt_type_wrong"
    if header.get("alg") != "Ed25519":
        return "receipt_algorithm_not_allowed"
    if not set(header) <= {"alg", "kid", "typ"}:
        return "receipt_header_not_allowed"
    if not _is_text(header.get("kid")):
        return "receipt_malformed"
    return _Parts(header["kid"], claims, parts[2], jws.rpartition(".")[0].encode("ascii"))


def _is_in(issuer: Any, issuers: Sequence[str]) -> bool:
    return isinstance(issuer, str) and issuer in issuers


def _keys_of(source: IssuerKeys, fetch: Fetch) -> Any:
    if source.jwks is not None:
        return source.jwks
    url = source.jwks_url or source.issuers[0] + "/api/v1/.well-known/receipt-jwks.json"
    return fetch_jwks(safe_address(url), fetch, True).jwks


def _key(jwks: Any, kid: str) -> Optional[bytes]:
    entries = jwks.get("keys") if isinstance(jwks, dict) else None
    named = [key for key in entries if isinstance(key, dict) and key.get("kid") == kid] if isinstance(entries, list) else []
    if len(named) != 1 or named[0].get("kty") != "OKP" or named[0].get("crv") != "Ed25519":
        return None
    if named[0].get("use", "sig") != "sig" or named[0].get("alg", "Ed25519") != "Ed25519":
        return None
    data = base64url(named[0]["x"]) if isinstance(named[0].get("x"), str) else None
    return data if data is not None and len(data) == 32 else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[A-Za-z0-9_-]{43}", value) is not None


def _are_hashes(value: Any) -> bool:
    return isinstance(value, dict) and _is_hash(value.get("sha256")) and _is_hash(value.get("querySha256", "A" * 43))


def _is_complete(claims: Mapping[str, Any]) -> bool:
    page, log = claims.get("page"), claims.get("log")
    has_page = isinstance(page, dict) and _are_hashes(page) and _is_text(page.get("url")) and _is_text(page.get("fetchedAt"))
    return (
        all(_is_text(claims.get(name)) for name in ("iss", "verdict", "conclusion", "verifier"))
        and all(_is_text(claims.get(name, "-")) for name in ("productId", "commit"))
        and is_count(claims.get("iat"))
        and claims.get("operation") in ("verifyProductCertificate", "checkPage")
        and _are_hashes(claims.get("request"))
        and _are_hashes(claims.get("answer"))
        and (
            claims.get("observed") == "fetched"
            if has_page
            else claims.get("observed") == "submitted" and "page" not in claims
        )
        and ("log" not in claims or (isinstance(log, dict) and _is_text(log.get("origin")) and is_count(log.get("index"))))
    )


def _request_faults(request: Any, claims: Mapping[str, Any]) -> List[str]:
    named: Dict[str, Any] = request if isinstance(request, dict) else {}
    is_check = claims["operation"] == "checkPage"
    address = named.get("url" if is_check else "productUrl")
    if not isinstance(address, str):
        return ["receipt_request_unreadable"]
    cut = re.search(r"[?#]", address)
    url, query = (address, None) if cut is None else (address[: cut.start()], address[cut.start() :])
    asked: Dict[str, Any]
    if is_check:
        fresh = "fresh" if named.get("evidence") is True else named.get("freshness") or "cached"
        asked = {"url": url, "freshness": fresh, "images": named.get("images"), "original": named.get("original")}
        asked.update({name: True for name in ("explain", "evidence") if named.get(name) is True})
    else:
        product = named.get("productId", claims.get("productId"))
        product = product.lower() if isinstance(product, str) else product
        asked = {"productUrl": url, "productId": product, "document": named.get("document")}
    text = canonical_json({name: value for name, value in asked.items() if value is not None})
    if text is None:
        return ["receipt_request_unreadable"]
    if sha256_base64url(text.encode("utf-8")) != claims["request"]["sha256"]:
        return ["receipt_request_differs"]
    if query is not None and sha256_base64url(well_formed(query).encode("utf-8")) != claims["request"].get("querySha256"):
        return ["receipt_query_differs"]
    return []


def _answer_faults(answer: Any, claims: Mapping[str, Any]) -> List[str]:
    if not isinstance(answer, dict):
        return ["receipt_answer_unreadable"]
    text = canonical_json({name: value for name, value in answer.items() if name not in _ADDED})
    if text is None:
        return ["receipt_answer_unreadable"]
    return [] if sha256_base64url(text.encode("utf-8")) == claims["answer"]["sha256"] else ["receipt_answer_differs"]


def _page_faults(page: bytes, claims: Mapping[str, Any]) -> List[str]:
    if "page" not in claims:
        return ["receipt_page_absent"]
    return [] if sha256_base64url(page) == claims["page"]["sha256"] else ["receipt_page_differs"]
