"""Reading a saved page and judging its certificates."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Callable, List, Mapping, Optional, Sequence, Union

from ..address import resolve, written
from ..canonical import canonical_json
from ..cannot_verify import CannotVerifyError
from ..conclusion import conclude
from ..results import PageVerification, VerificationResult
from ..trust import Trust
from ..verify import moment_of, verify_product_certificate, verify_proof
from .charset import decode_page
from .elements import Element, elements_of
from .graph import Node, certificates_in, json_ld_blocks
from .source import SelectedNode, distinct_nodes, select_nodes
from .verdict import CheckedNode, page_verdict

_MAX_LINK = 4000

AfterVerify = Callable[[VerificationResult, Node], VerificationResult]


def verify_from_html(
    html: Union[str, bytes],
    *,
    page_url: str,
    trust: Trust,
    now: Optional[datetime] = None,
    product_id: Optional[str] = None,
    content_type: Optional[str] = None,
    after_verify: Optional[AfterVerify] = None,
) -> PageVerification:
    """
    Reads a saved page and judges its certificate, without a registry. What the page states about its product is not read, so that the
    conclusion of a verified page is `page_not_compared` at best; and a page that only asks for a password or shows a robot check is
    `no_certificate`.

    :param html: the page as text, or its bytes
    :param page_url: where it was seen, after redirects, from whoever saw it: never an address that the file states about itself
    :param product_id: the product that the certificate must be for; default: the one that its canonical source names
    :param content_type: of the response, if known
    :param after_verify: changes the result of each certificate, such as by `with_withdrawal`
    :raises CannotVerifyError: if keys are not available
    :raises TypeError: for options of the wrong type
    """
    moment = moment_of(now)
    if not isinstance(page_url, str):
        raise TypeError("page_url must be the address of the page, as a string.")
    if not isinstance(html, (str, bytes, bytearray, memoryview)):
        raise TypeError("html must be the text of the page, or its bytes.")
    findings: List[str] = []
    source = html if isinstance(html, str) else decode_page(bytes(html), content_type, findings)
    elements = elements_of(source, findings)
    namespaces = [issuer + "/ns#" for issuer in trust.issuers]
    certificates = certificates_in(json_ld_blocks(elements, findings), namespaces, findings)
    distinct = distinct_nodes(certificates, canonical_json)
    canonical_url = _canonical_url(elements, page_url)

    def read_signed(jwt: str) -> Optional[Mapping[str, Any]]:
        try:
            return verify_proof(jwt, trust=trust, now=moment).signed
        except CannotVerifyError:
            return None

    def verify(one: SelectedNode) -> CheckedNode:
        if one.source.kind != "ok":
            return CheckedNode(one.node, one.source)
        wanted = one.source.product_id if product_id is None else product_id
        result = verify_product_certificate(one.node, page_url=page_url, trust=trust, now=moment, product_id=wanted)
        return CheckedNode(one.node, one.source, result if after_verify is None else after_verify(result, one.node))

    nodes = _decided(select_nodes(distinct, page_url, trust.issuers, read_signed), verify)
    judged = page_verdict(nodes, page_url, canonical_url, len(distinct), list(dict.fromkeys(findings)))
    verification = None if judged.decided_by is None else judged.decided_by.result
    return PageVerification(
        verdict=judged.verdict,
        conclusion=conclude(
            judged.verdict,
            {} if verification is None else verification.checks,
            None if verification is None else verification.signed,
            judged.errors + judged.warnings + judged.findings,
        ),
        findings=judged.findings,
        warnings=judged.warnings,
        errors=judged.errors,
        verification=verification,
        canonical_url=canonical_url,
        details=judged.details,
    )


def _decided(selected: Sequence[SelectedNode], verify: Callable[[SelectedNode], CheckedNode]) -> List[CheckedNode]:
    """A node that cannot be decided is left out beside a verified one: else an added one could hide the genuine one."""
    checked: List[CheckedNode] = []
    fault: Optional[CannotVerifyError] = None
    for one in selected:
        try:
            checked.append(verify(one))
        except CannotVerifyError as error:
            fault = fault or error
    is_verified = any(one.result is not None and one.result.status == "verified" for one in checked)
    if fault is not None and not is_verified:
        raise fault
    return checked


def _canonical_url(elements: Sequence[Element], page_url: str) -> Optional[str]:
    """The canonical link of the page, as an http or https address."""
    base = page_url
    stated = next((one for one in elements if one.name == "base"), None)
    if stated is not None and "href" in stated.attributes:
        base = _absolute(stated.attributes["href"], page_url) or page_url
    for one in elements:
        if one.name == "link" and "canonical" in one.attributes.get("rel", "").lower().split():
            if "href" in one.attributes:
                return _absolute(one.attributes["href"], base)
    return None


def _absolute(href: str, base: str) -> Optional[str]:
    text = href.strip()
    address = resolve(text, base) if text and len(text) <= _MAX_LINK else None
    return written(address) if address is not None and address.scheme in ("http", "https") else None
