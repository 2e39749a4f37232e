"""Whether the bytes of an image, and the document of its certificate, are what its proof was issued for."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .checks import CheckContext, certificate_integrity, same_id, same_page
from .describing import described
from .pages import host_of
from .proof import Proof
from .results import PASSED, CheckResult, failed, not_run

_PRODUCT_ASSERTION = "org.touchstone.product"


@dataclass(frozen=True)
class ManifestReading:
    """What a reader of C2PA manifests found in the bytes of an image."""

    has_manifest: bool
    valid: bool
    """Whether the manifest and its hashes validate, whoever signed it."""
    signer: str = "none"
    """trusted, untrusted or none."""
    failures: Sequence[str] = ()
    """C2PA status codes."""
    assertions: Sequence[Tuple[str, Any]] = ()
    """Labels with their data; without them it is not told that the service signed the image for another store."""


ReadManifest = Callable[[bytes], ManifestReading]


def _exact(one: str, other: str) -> bool:
    return one == other


_REPEATED: Tuple[Tuple[str, Tuple[str, ...], Callable[[str, str], bool]], ...] = (
    ("contentUrl", ("contentUrl",), _exact),
    ("imageId", ("imageId",), same_id),
    ("svc:issuedFor.assetId", ("assetId", "imageId"), same_id),
    ("svc:issuedFor.url", ("url",), same_page),
    ("svc:contentCredentials.hashes.uhash", ("uhash",), _exact),
    ("svc:contentCredentials.hashes.phash", ("phash",), _exact),
    ("svc:contentCredentials.sourceUhash", ("sourceUhash",), _exact),
    ("contentCredentials.sourceUhash", ("sourceUhash",), _exact),
    ("contentCredentials.hashes.uhash", ("uhash",), _exact),
    ("contentCredentials.hashes.phash", ("phash",), _exact),
    ("cryptographicProof.uhash.value", ("uhash",), _exact),
    ("cryptographicProof.phash.value", ("phash",), _exact),
)
"""Members of documents of images that repeat claims: path, claims of which the first counts, equality."""


def asset_integrity(context: CheckContext) -> CheckResult:
    """`certificate_integrity` for any kind: where the document of an image repeats a signed value, both must be equal."""
    common = certificate_integrity(context)
    if common.result is not True or context.kind == "product":
        return common
    claims: Mapping[str, Any] = (context.proof.claims if context.proof else None) or {}
    for path, names, same in _REPEATED:
        repeated = _at(context.document, path)
        if repeated is None:
            continue
        signed = next((claims[name] for name in names if name in claims), None)
        if isinstance(signed, str) and isinstance(repeated, str) and same(signed, repeated):
            continue
        is_signed = any(name in claims for name in names)
        return failed("document_differs", "%s %s" % (path, described(signed) if is_signed else "undefined"), described(repeated))
    return common


def _at(node: Optional[Mapping[str, Any]], path: str) -> Any:
    value: Any = node
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def image_bound(proof: Optional[Proof], image: Optional[bytes], manifest: Optional[ManifestReading]) -> CheckResult:
    """The SHA-256 of the bytes is the signed one, or that of the source of the certified file."""
    if image is None:
        return not_run("image_not_given")
    if proof is None:
        return not_run("nothing_signed")
    claims = proof.claims
    if claims is None:
        return not_run(proof.claims_fault)
    other = _other_store(manifest.assertions, claims) if manifest is not None and manifest.valid else None
    if other is not None:
        return failed("image_issued_to_another_store", described(claims.get("domain")), other)
    if "uhash" not in claims:
        return not_run("image_unbound")
    for name in ("uhash", "sourceUhash"):
        if name in claims and not isinstance(claims[name], str):
            return failed("claim_wrong_type", name + ": text")
    actual = hashlib.sha256(image).hexdigest()
    if actual == claims["uhash"]:
        return PASSED
    if actual == claims.get("sourceUhash"):
        return CheckResult(True, "image_source")
    return failed("image_differs", claims["uhash"], actual)


def _other_store(assertions: Sequence[Tuple[str, Any]], claims: Mapping[str, Any]) -> Optional[str]:
    """The host of the store that the service signed an image for, if it is not that of the proof."""
    hosts: List[Any] = [claims.get("domain")] + _hosts_in(claims, "storeUrl", "url")
    for label, stated in assertions:
        if label != _PRODUCT_ASSERTION and not label.startswith(_PRODUCT_ASSERTION + "__"):
            continue
        data: Dict[str, Any] = stated if isinstance(stated, dict) else {}
        own, product = claims.get("productId"), data.get("productId")
        if isinstance(product, str) and same_id(product, own if isinstance(own, str) else ""):
            continue
        named = _hosts_in(data, "storeUrl", "productUrl")
        if named and not any(host in hosts for host in named):
            return named[0]
    return None


def _hosts_in(values: Mapping[str, Any], *names: str) -> List[str]:
    found = [host_of(values[name]) for name in names if isinstance(values.get(name), str)]
    return [host for host in found if host is not None]


def c2pa_valid(image: Optional[bytes], manifest: Optional[ManifestReading], bound: CheckResult) -> CheckResult:
    """The bytes carry a C2PA manifest whose integrity validates; a source file without one is not judged."""
    if image is None:
        return not_run("image_not_given")
    if manifest is None:
        return not_run("manifest_not_read")
    if not manifest.has_manifest:
        return not_run("manifest_in_certified_file") if bound.reason == "image_source" else failed("manifest_absent")
    return PASSED if manifest.valid else failed("manifest_invalid", actual=", ".join(manifest.failures) or None)
