"""The verdict on a page, from its certificates (spec "Page check verdicts"), without a registry."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ..checks import same_page
from ..describing import shortened
from ..encoding import well_formed
from ..pages import host_of, same_host
from ..results import LOAD_BEARING, VerificationResult
from .graph import Node
from .source import Source

# which certificate of several decides: verified first, then failures before milder verdicts, so that no node hides one
_RANK = ("verified", "checks_failed", "certificate_expired", "unverified", "canonical_mismatch", "invalid_certificate")
_SOUND = ("signatureValid", "certificateIntegrity", "boundToDomain", "productIdMatches")


@dataclass(frozen=True)
class CheckedNode:
    """A certificate node with its result; None if its source is none of a trusted service."""

    node: Node
    source: Source
    result: Optional[VerificationResult] = None


@dataclass(frozen=True)
class Judged:
    """A verdict with its reasons, as codes; `details` tells what some are about."""

    verdict: str
    findings: Tuple[str, ...] = ()
    warnings: Tuple[str, ...] = ()
    errors: Tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    decided_by: Optional[CheckedNode] = None


def page_verdict(
    nodes: Sequence[CheckedNode], page_url: str, canonical_url: Optional[str], found: int, findings: Sequence[str]
) -> Judged:
    """
    The verdict on a page.

    :param nodes: its certificates that were checked, in the order of the page
    :param found: how many certificates it has, without duplicates
    :param findings: codes of reading it
    """
    verdicts = [_of_node(node, page_url, canonical_url) for node in nodes]
    if not verdicts:
        return Judged("no_certificate", tuple(findings), ("certificate_absent",))
    best = min(verdicts, key=lambda one: (_RANK.index(one.verdict), _is_of_another_page(one), _is_suspended(one)))
    others = [one for one in verdicts if one is not best]
    several: List[str] = ["several_certificates"] if others else []
    for other in others:
        if other.verdict != best.verdict:
            several.append("certificate_set_aside")
        elif _is_suspended(other) and not _is_suspended(best):
            several.append("certificate_outranked")
    several += ["too_many_certificates"] if found > len(nodes) else []
    told = tuple(dict.fromkeys(several)) + best.findings + tuple(findings)
    return Judged(best.verdict, told, best.warnings, best.errors, best.details, best.decided_by)


def _is_suspended(one: Judged) -> bool:
    result = None if one.decided_by is None else one.decided_by.result
    return result is not None and result.withdrawal is not None and result.withdrawal.status == "suspended"


def _is_of_another_page(one: Judged) -> bool:
    """One for the address without an added parameter is of this page, so that it is told before those of others."""
    result = None if one.decided_by is None else one.decided_by.result
    return result is not None and not _is_of_this_page(result)


def _is_of_this_page(result: VerificationResult) -> bool:
    is_bound = result.checks["boundToUrl"] is True or result.check_details["boundToUrl"].reason == "url_extra_parameter"
    return _is_sound(result) and is_bound


def _is_sound(result: VerificationResult) -> bool:
    return all(result.checks[name] is True for name in _SOUND)


def _of_node(checked: CheckedNode, page_url: str, canonical_url: Optional[str]) -> Judged:
    source, result = checked.source, checked.result
    if result is None:
        verdict = "canonical_mismatch" if source.kind == "mismatch" else "invalid_certificate"
        return Judged(verdict, errors=(source.code,), details={source.code: printable(source.detail)}, decided_by=checked)
    if result.status != "failed":
        return Judged(result.status, (), result.warnings, result.errors, decided_by=checked)
    if _is_merely_expired(result):
        warnings = ("certificate_past_lifetime",) + result.errors + result.warnings
        return Judged("certificate_expired", warnings=warnings, decided_by=checked)
    details = _next_steps(checked.node, result, page_url, canonical_url)
    return Judged("checks_failed", tuple(details), result.warnings, _site_first(result), details, checked)


def _is_merely_expired(result: VerificationResult) -> bool:
    """With any other failure it stays one: else a copied page would stop being a failure when its certificate expires."""
    others = all(result.checks[name] is True for name in LOAD_BEARING if name != "timestampValid")
    return others and result.check_details["timestampValid"].reason == "proof_expired"


def _site_first(result: VerificationResult) -> Tuple[str, ...]:
    """That a genuine certificate is on the wrong site matters most."""
    if result.checks["signatureValid"] is not True or result.checks["boundToDomain"] is not False:
        return result.errors
    lead = result.check_details["boundToDomain"].reason
    return tuple(sorted(result.errors, key=lambda code: code != lead))


def _next_steps(
    node: Node, result: VerificationResult, page_url: str, canonical_url: Optional[str]
) -> Dict[str, str]:
    """Where the certificate can be checked if only the address is not the signed one."""
    details: Dict[str, str] = {}
    if result.checks["boundToUrl"] is not False:
        return details
    if canonical_url is not None and _is_sound(result) and same_host(host_of(canonical_url), host_of(page_url)):
        stated = node.get("url")
        signed = stated if isinstance(stated, str) else result.check_details["boundToUrl"].expected
        if signed is not None and same_page(signed, canonical_url):
            details["canonical_link_matches"] = printable(canonical_url)
    if result.signed is not None and _is_of_this_page(result):
        details["certified_without_parameter"] = printable(str(result.signed["url"]))
    return details


_IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")


def printable(text: str) -> str:
    """Text of somebody else as one line of at most 200 characters, without control and invisible characters."""
    text = _IGNORABLE.sub(" ", well_formed(text[:2000]))
    seen = (" " if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") else character for character in text)
    return shortened(re.sub(" +", " ", "".join(seen)).strip())
