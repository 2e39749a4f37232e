"""Verifying by profiles: Minimal (the proof and the domain), Standard (also product and page), Full (also the image's bytes)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, Dict, Mapping, Optional, Tuple

from .checks import (
    CheckContext,
    bound_to_domain,
    bound_to_url,
    context_of,
    product_id_matches,
    signature_valid,
    timestamp_valid,
)
from .image_bytes import ManifestReading, ReadManifest, asset_integrity, c2pa_valid, image_bound
from .notes import distinct, failures, signed_claims
from .pages import host_of, normalize_host
from .proof import KINDS, read_proof
from .results import LOAD_BEARING, CheckResult, ProfileVerification, not_run
from .submitted import read_document
from .trust import Trust
from .verify import moment_of, seconds_of

PROFILES = ("minimal", "standard", "full")
_MINIMAL = ("signatureValid", "certificateIntegrity", "timestampValid", "boundToDomain")
_CONTEXT = ("productIdMatches", "boundToUrl")
_BYTES = ("imageBound", "c2paValid")
_NOT_GIVEN = not_run("context_not_given")


def verify_by_profile(
    document: Any,
    *,
    profile: str,
    trust: Trust,
    now: Optional[datetime] = None,
    kind: str = "product",
    page_url: Optional[str] = None,
    product_id: Optional[str] = None,
    image: Optional[bytes] = None,
    read_manifest: Optional[ReadManifest] = None,
) -> ProfileVerification:
    """
    Verifies a certificate of any kind by a profile.

    :param profile: minimal, standard or full. Full needs the certificate of an image, its bytes and a reader of manifests, of which this
        package has none: without one it is undetermined at best
    :param page_url: where it was seen, after redirects; None if nobody knows, and no profile is then trusted
    :param image: the bytes shown to the visitor
    :raises CannotVerifyError: if keys are not available
    :raises TypeError: for options of the wrong type
    """
    if profile not in PROFILES:
        raise TypeError("profile must be 'minimal', 'standard' or 'full'.")
    if image is not None and not isinstance(image, (bytes, bytearray, memoryview)):
        raise TypeError("image must be its bytes.")
    if page_url is not None and not isinstance(page_url, str):
        raise TypeError("page_url must be the address of the page, as a string.")
    found = verify_profiles(
        document,
        trust=trust,
        now=now,
        kind=kind,
        domain=None if page_url is None else host_of(page_url) or "",
        page_url=page_url,
        product_id=product_id,
        image=None if image is None else bytes(image),
        read_manifest=read_manifest,
    )
    return replace(found, status=found.profiles[profile])


def verify_profiles(
    document: Any,
    *,
    trust: Trust,
    now: Optional[datetime] = None,
    kind: str = "product",
    domain: Optional[str] = None,
    page_url: Optional[str] = None,
    product_id: Optional[str] = None,
    image: Optional[bytes] = None,
    read_manifest: Optional[ReadManifest] = None,
) -> ProfileVerification:
    """All profiles, for whoever knows the host where it was seen and perhaps not the page; `status` is that of Standard."""
    moment = moment_of(now)
    if kind not in KINDS:
        raise TypeError("kind must be 'product', 'asset' or 'image'.")
    submitted = read_document(document)
    proof = None if submitted.jwt is None else read_proof(submitted.jwt)
    issuers, key_set = trust.keys_for(proof, moment)
    context = replace(
        context_of(submitted.node, proof, key_set, kind, issuers, seconds_of(moment)),
        page_url=page_url if page_url is not None else domain or "",
        page_host=None if domain is None else normalize_host(domain),
        product_id=product_id or "",
    )
    manifest = read_manifest(image) if image is not None and read_manifest is not None else None
    bound = image_bound(proof, image, manifest)
    checks = {
        "signatureValid": signature_valid(context),
        "certificateIntegrity": asset_integrity(context),
        "timestampValid": timestamp_valid(context),
        "boundToDomain": _NOT_GIVEN if domain is None else bound_to_domain(context),
        "productIdMatches": _NOT_GIVEN if product_id is None else product_id_matches(context),
        "boundToUrl": _NOT_GIVEN if page_url is None else bound_to_url(context),
        "imageBound": bound,
        "c2paValid": c2pa_valid(image, manifest, bound),
    }
    profiles = _combined(context, checks)
    return ProfileVerification(
        status=profiles["standard"],
        profiles=profiles,
        checks=checks,
        warnings=_warnings(context, submitted.dropped, manifest, bound),
        errors=failures(checks, LOAD_BEARING + _BYTES),
        signed=signed_claims(context),
    )


def _warnings(
    context: CheckContext, dropped: Optional[str], manifest: Optional[ManifestReading], bound: CheckResult
) -> Tuple[str, ...]:
    codes = [] if dropped is None else [dropped]
    codes += ["context_foreign"] if context.is_context_foreign else []
    is_untrusted = manifest is not None and manifest.valid and manifest.signer == "untrusted"
    codes += ["signer_untrusted"] if is_untrusted else []
    codes += ["image_source"] if bound.reason == "image_source" else []
    return distinct(codes)


def _combined(context: CheckContext, checks: Mapping[str, CheckResult]) -> Dict[str, str]:
    """Without a proof, Standard and Full are untrusted. Under a remote context, nothing is trusted."""
    # at least one of product and page must be given, and each that is given must match
    known = tuple(name for name in _CONTEXT if checks[name].reason != "context_not_given")
    standard = _MINIMAL + (known or _CONTEXT)

    def combine(names: Tuple[str, ...]) -> str:
        results = [checks[name].result for name in names]
        if False in results:
            return "untrusted"
        return "trusted" if all(results) and not context.is_context_foreign else "undetermined"

    is_signed = context.proof is not None
    return {
        "minimal": combine(_MINIMAL),
        "standard": combine(standard) if is_signed else "untrusted",
        "full": combine(standard + _BYTES) if is_signed else "untrusted",
    }
