"""The checks of a certificate (docs/format.md, section 5); each is pure and tells its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Union

from .describing import described, utc
from .keys import KeySet, verify_rs256
from .members import Alteration, Comparison
from .pages import compare_pages, normalize_host, same_host
from .proof import LIFETIME, REQUIRED_CLAIMS, Proof, is_of_type, is_whole, typ_of
from .results import PASSED, CheckResult, failed, not_run

EARLY = 300
"""Seconds that `iat` may lie ahead: clocks of laptops can be minutes slow."""
LATE = 60
"""Seconds that a proof is accepted after `exp`."""


@dataclass(frozen=True)
class CheckContext:
    """What the checks read."""

    proof: Optional[Proof]
    signature: str
    """`ok`, or why the signature is not valid."""
    kind: str
    document: Optional[Mapping[str, Any]]
    """Under the names by which it was issued; None for a proof on its own."""
    altered: Optional[Alteration]
    is_context_foreign: bool
    issuers: Sequence[str]
    now: int
    """Seconds since 1970."""
    page_url: str = ""
    page_host: Optional[str] = None
    product_id: str = ""


def context_of(
    node: Optional[Dict[str, Any]], proof: Optional[Proof], key_set: KeySet, kind: str, issuers: Sequence[str], now: int
) -> CheckContext:
    """Checks the signature, and compares the document with what the proof binds."""
    signature = "nothing_signed" if proof is None else _signature_of(proof, key_set)
    context = CheckContext(proof, signature, kind, node, None, False, issuers, now)
    if node is None or proof is None or proof.claims is None or signature != "ok" or proof.typ != typ_of(kind):
        return context
    if not is_of_type(proof.claims.get("members"), "digests") or not isinstance(proof.claims.get("namespace"), str):
        return context
    found = Comparison(node, kind, proof.claims, proof.kid)
    return CheckContext(proof, signature, kind, found.document, found.altered, found.is_context_foreign, issuers, now)


def _signature_of(proof: Proof, key_set: KeySet) -> str:
    if proof.fault != "ok":
        return proof.fault
    key = key_set.find(proof.kid)
    if isinstance(key, str):
        return key
    return "ok" if verify_rs256(key, proof.signature, proof.signed) else "signature_mismatch"


def signature_valid(context: CheckContext) -> CheckResult:
    """A suitable key of the issuer signed the proof."""
    if context.proof is None:
        return not_run(context.signature)
    if context.signature == "ok":
        return PASSED
    # certificate_integrity tells which issuer it is
    kid = None if context.signature == "issuer_untrusted" else context.proof.kid
    return failed(context.signature, actual="kid " + kid if kid else None)


def certificate_integrity(context: CheckContext) -> CheckResult:
    """The proof decodes, is of the kind, complete and of a trusted issuer; the document repeats it truly and is as issued."""
    proof = context.proof
    if proof is None:
        return not_run("nothing_signed")
    if proof.claims is None:
        return failed(proof.claims_fault)
    if proof.fault == "proof_malformed":
        return failed(proof.fault)
    if proof.typ != typ_of(context.kind):
        return failed("proof_kind_wrong", typ_of(context.kind), described(proof.typ))
    return (
        claim_fault(context.kind, proof.claims)
        or _binding_fault(proof.claims)
        or _lifetime_fault(proof.claims)
        or issuer_fault(context.issuers, proof.claims)
        or _document_fault(context, proof.claims)
        or (failed("member_altered", context.altered.expected, context.altered.actual) if context.altered else PASSED)
    )


def claim_fault(kind: str, claims: Mapping[str, Any]) -> Optional[CheckResult]:
    """The first claim that is missing or has the wrong type."""
    fault = _type_fault(claims, REQUIRED_CLAIMS[kind])
    # older proofs do not have it
    return fault if fault or "control" not in claims else _type_fault(claims, {"control": "method and time"})


def _type_fault(claims: Mapping[str, Any], required: Mapping[str, str]) -> Optional[CheckResult]:
    for name, wanted in required.items():
        if name not in claims:
            return failed("claim_missing", name)
        if not is_of_type(claims[name], wanted):
            return failed("claim_wrong_type", "%s: %s" % (name, wanted), described(claims[name]))
    return None


def _binding_fault(claims: Mapping[str, Any]) -> Optional[CheckResult]:
    """Both claims or neither: older proofs bind no members."""
    if "namespace" not in claims and "members" not in claims:
        return None
    return _type_fault(claims, {"namespace": "text", "members": "digests"})


def _lifetime_fault(claims: Mapping[str, Any]) -> Optional[CheckResult]:
    lifetime = claims["exp"] - claims["iat"]
    return None if lifetime == LIFETIME else failed("lifetime_wrong", "%d s" % LIFETIME, described(lifetime) + " s")


def issuer_fault(issuers: Sequence[str], claims: Mapping[str, Any]) -> Optional[CheckResult]:
    """Fails unless the issuer is one of those to whom the keys belong."""
    if claims["iss"] in issuers:
        return None
    return failed("issuer_untrusted", ", ".join(issuers), described(claims["iss"]))


_Same = Callable[[str, str], bool]


def same_id(one: str, other: str) -> bool:
    """Whether two identifiers are the same; UUIDs compare without regard to case (RFC 9562)."""
    return one.lower() == other.lower()


def same_page(one: str, other: str) -> bool:
    """Whether two addresses are of one page."""
    return compare_pages(one, other).reason == "ok"


def _same_domain(one: str, other: str) -> bool:
    return one == other or same_host(normalize_host(one), normalize_host(other))


def _document_fault(context: CheckContext, claims: Mapping[str, Any]) -> Optional[CheckResult]:
    """Where the document repeats a signed value, both must be equal; an absent member is no difference."""
    document = context.document
    if document is None:
        return None
    if context.signature != "ok":
        repeats = any(document.get(name) is not None for name in ("productID", "url", "svc:issuedFor"))
        return not_run("document_not_compared") if repeats else None
    issued_for = document.get("svc:issuedFor")
    issued_for = {} if issued_for is None else issued_for
    if not isinstance(issued_for, dict):
        return failed("document_differs", "svc:issuedFor", described(issued_for))
    return (
        _differs("productID", claims["productId"], document.get("productID"), same_id)
        or _differs("svc:issuedFor.productID", claims["productId"], issued_for.get("productID"), same_id)
        or _differs("svc:issuedFor.domain", claims["domain"], issued_for.get("domain"), _same_domain)
        or _differs("url", claims["url"], document.get("url"), same_page)
    )


def _differs(name: str, signed: str, repeated: Any, same: _Same) -> Optional[CheckResult]:
    if repeated is None or (isinstance(repeated, str) and same(signed, repeated)):
        return None
    return failed("document_differs", "%s %s" % (name, signed), described(repeated))


def timestamp_valid(context: CheckContext) -> CheckResult:
    """`iat` and `exp` are in range now."""
    proof, now = context.proof, context.now
    if proof is None:
        return not_run("nothing_signed")
    if proof.claims is None:
        return not_run(proof.claims_fault)
    for name in ("iat", "exp"):
        if name not in proof.claims:
            return failed("claim_missing", name)
        if not is_whole(proof.claims[name]):
            return failed("claim_wrong_type", name + ": time", described(proof.claims[name]))
    issued_at, expires_at = proof.claims["iat"], proof.claims["exp"]
    if issued_at > now + EARLY:
        return failed("proof_not_yet_valid", utc(now), utc(issued_at))
    return PASSED if expires_at > now - LATE else failed("proof_expired", utc(expires_at), utc(now))


def _text_claim(context: CheckContext, name: str) -> Union[str, CheckResult]:
    """The claim, or a check that has nothing to compare: a missing claim is a fault of certificate_integrity alone."""
    proof = context.proof
    if proof is None:
        return not_run("nothing_signed")
    if proof.claims is None:
        return not_run(proof.claims_fault)
    if name not in proof.claims:
        return not_run("claim_missing")
    value = proof.claims[name]
    return value if isinstance(value, str) else not_run("claim_wrong_type")


def bound_to_domain(context: CheckContext) -> CheckResult:
    """The signed `domain` is the host of the page."""
    domain = _text_claim(context, "domain")
    if not isinstance(domain, str):
        return domain
    if context.page_host is None:
        return failed("page_url_invalid", domain, context.page_url)
    is_same = same_host(normalize_host(domain), context.page_host)
    return PASSED if is_same else failed("domain_differs", domain, context.page_host)


def product_id_matches(context: CheckContext) -> CheckResult:
    """The signed `productId` is the requested product."""
    product_id = _text_claim(context, "productId")
    if not isinstance(product_id, str):
        return product_id
    return PASSED if same_id(product_id, context.product_id) else failed("product_differs", context.product_id, product_id)


def bound_to_url(context: CheckContext) -> CheckResult:
    """The signed `url` is the page where the certificate was found."""
    url = _text_claim(context, "url")
    if not isinstance(url, str):
        return url
    found = compare_pages(url, context.page_url)
    return PASSED if found.reason == "ok" else failed(found.reason, found.expected, found.actual)
