"""Warnings, errors and signed claims of a result."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

from .checks import CheckContext, claim_fault, issuer_fault
from .describing import utc
from .proof import KINDS, REQUIRED_CLAIMS, typ_of
from .results import CheckResult

_COUNTS = ("certifiedAssets", "totalAssets", "coveragePercent")


def distinct(codes: List[str]) -> Tuple[str, ...]:
    """Each code once, an untrusted issuer first: its unknown keys are only a consequence."""
    first = ["issuer_untrusted"] if "issuer_untrusted" in codes else []
    return tuple(dict.fromkeys(first + codes))


def failures(details: Mapping[str, CheckResult], names: Tuple[str, ...]) -> Tuple[str, ...]:
    """The reasons of the checks that are False."""
    return distinct([details[name].reason for name in names if details[name].result is False])


def document_warnings(context: CheckContext, dropped: Optional[str]) -> Tuple[str, ...]:
    """What is told besides the checks, and changes no verdict."""
    codes = [] if dropped is None else [dropped]
    codes += ["context_foreign"] if context.is_context_foreign else []
    codes += ["trust_block_differs"] if _trust_block_differs(context) else []
    return tuple(codes)


def _trust_block_differs(context: CheckContext) -> bool:
    """The signed counts decide; those in the document only cause a warning."""
    stated = None if context.document is None else context.document.get("svc:trust")
    claims = None if context.proof is None else context.proof.claims
    if stated is None or claims is None:
        return False
    if not isinstance(stated, dict):
        return True
    for name, value in stated.items():
        if value is None:
            continue
        if name not in _COUNTS:
            # older proofs did not cover other names
            if "members" in claims:
                return True
        elif name not in claims or not _is_same_scalar(value, claims[name]):
            return True
    return False


def _is_same_scalar(one: Any, other: Any) -> bool:
    if isinstance(one, (dict, list)) or isinstance(other, (dict, list)):
        return False
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def signed_claims(context: CheckContext) -> Optional[Dict[str, Any]]:
    """The claims of a proof whose signature is valid, whose issuer is trusted and which is complete, else None."""
    proof = context.proof
    if context.signature != "ok" or proof is None or proof.claims is None:
        return None
    kind = next((one for one in KINDS if typ_of(one) == proof.typ), None)
    if kind is None or claim_fault(kind, proof.claims) or issuer_fault(context.issuers, proof.claims):
        return None
    claims = proof.claims
    told: Dict[str, Any] = {
        "kind": kind,
        "issuer": claims["iss"],
        "issuedAt": utc(claims["iat"]),
        "expiresAt": utc(claims["exp"]),
    }
    for name, wanted in REQUIRED_CLAIMS[kind].items():
        if name not in ("iss", "iat", "exp"):
            told[name] = int(claims[name]) if wanted == "count" else claims[name]
    told.update({name: claims[name] for name in ("uhash", "phash") if isinstance(claims.get(name), str)})
    if "control" in claims:
        control = claims["control"]
        at = {"checkedAt": utc(control["checkedAt"])} if "checkedAt" in control else {}
        told["control"] = {"method": control["method"], **at}
    return told
