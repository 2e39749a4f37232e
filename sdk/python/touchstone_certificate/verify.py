"""Verifying a product certificate on the page where it was found, or a proof on its own."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, Optional

from .checks import (
    CheckContext,
    bound_to_domain,
    bound_to_url,
    certificate_integrity,
    context_of,
    product_id_matches,
    signature_valid,
    timestamp_valid,
)
from .conclusion import conclude
from .notes import document_warnings, failures, signed_claims
from .pages import host_of
from .proof import KINDS, Proof, read_proof
from .results import LOAD_BEARING, ProofVerification, VerificationResult, not_run, results_of
from .submitted import read_document
from .trust import Trust


def verify_product_certificate(
    document: Any, *, page_url: str, trust: Trust, now: Optional[datetime] = None, product_id: Optional[str] = None
) -> VerificationResult:
    """
    Verifies a product certificate against the page where it was found. A hostile document gets a verdict, never an exception. Without
    the registry of the issuer, the three advisory checks do not run.

    :param document: its text, or what a JSON parser made of it; of text, numbers and depth are read as the format wants
    :param page_url: address of the page, after redirects, from whoever saw it
    :param trust: made by `create_trust`
    :param now: when it must be valid; default: now
    :param product_id: the service's id of the product, if the caller knows it; default: the signed one
    :raises CannotVerifyError: if no verdict is possible, since keys are not available
    :raises TypeError: for options of the wrong type
    """
    moment = moment_of(now)
    if not isinstance(page_url, str):
        raise TypeError("page_url must be the address of the page, as a string.")
    submitted = read_document(document)
    proof = None if submitted.jwt is None else read_proof(submitted.jwt)
    issuers, key_set = trust.keys_for(proof, moment)
    wanted = product_id if product_id is not None else _signed_product_id(proof)
    context = replace(
        context_of(submitted.node, proof, key_set, "product", issuers, seconds_of(moment)),
        page_url=page_url,
        page_host=host_of(page_url),
        product_id=wanted,
    )
    return _result(context, submitted.dropped)


def _result(context: CheckContext, dropped: Optional[str]) -> VerificationResult:
    advisory = not_run("registry_not_asked")
    details = {
        "domainKnown": advisory,
        "domainVerified": advisory,
        "boundToUrl": bound_to_url(context),
        "boundToDomain": bound_to_domain(context),
        "productIdMatches": product_id_matches(context),
        "signatureValid": signature_valid(context),
        "certificateIntegrity": certificate_integrity(context),
        "trustDataCurrent": not_run("nothing_signed") if context.proof is None else advisory,
        "timestampValid": timestamp_valid(context),
    }
    checks = results_of(details)
    status = "verified" if all(checks[name] for name in LOAD_BEARING) else "failed"
    status = "unverified" if context.proof is None else status
    errors = failures(details, LOAD_BEARING) if status == "failed" else ()
    warnings = document_warnings(context, dropped)
    signed = signed_claims(context)
    return VerificationResult(
        status=status,
        product_id=context.product_id,
        checks=checks,
        check_details=details,
        conclusion=conclude(status, checks, signed, errors + warnings),
        warnings=warnings,
        errors=errors,
        signed=signed,
    )


def verify_proof(
    jwt: Any, *, trust: Trust, now: Optional[datetime] = None, kind: str = "product"
) -> ProofVerification:
    """
    Checks a proof on its own: its signature, its claims, its time.

    :param jwt: any value
    :param kind: product, asset or image
    :raises CannotVerifyError: if keys are not available
    :raises TypeError: for options of the wrong type
    """
    moment = moment_of(now)
    if kind not in KINDS:
        raise TypeError("kind must be 'product', 'asset' or 'image'.")
    proof = read_proof(jwt)
    issuers, key_set = trust.keys_for(proof, moment)
    context = context_of(None, proof, key_set, kind, issuers, seconds_of(moment))
    checks = {
        "signatureValid": signature_valid(context),
        "certificateIntegrity": certificate_integrity(context),
        "timestampValid": timestamp_valid(context),
    }
    return ProofVerification(checks, signed_claims(context))


def moment_of(now: Optional[datetime]) -> datetime:
    """The time that was given, else the present. :raises TypeError: unless it is a datetime with a time zone"""
    if now is None:
        return datetime.now(timezone.utc)
    if not isinstance(now, datetime) or now.tzinfo is None:
        raise TypeError("now must be a datetime with a time zone, such as datetime.now(timezone.utc).")
    return now


def seconds_of(moment: datetime) -> int:
    """Whole seconds since 1970."""
    return math.floor(moment.timestamp())


def _signed_product_id(proof: Optional[Proof]) -> str:
    claimed = proof.claims.get("productId") if proof is not None and proof.claims is not None else None
    return claimed if isinstance(claimed, str) and _UUID.fullmatch(claimed) else ""


_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
