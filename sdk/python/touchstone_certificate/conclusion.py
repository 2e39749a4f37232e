"""What a reader may conclude (docs/conclusions.md): the first row of one table that applies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, FrozenSet, Iterable, Mapping, Optional, Tuple

from .results import Conclusion
from .sentences import CONCLUSIONS


@dataclass(frozen=True)
class Evidence:
    """Everything that a conclusion depends on."""

    verdict: str
    checks: Mapping[str, Optional[bool]]
    codes: FrozenSet[str]
    control: str
    """proven, unproven or unknown."""


_Test = Callable[[Evidence], bool]


def conclude(
    verdict: str,
    checks: Mapping[str, Optional[bool]],
    signed: Optional[Mapping[str, Any]],
    codes: Iterable[str],
) -> Conclusion:
    """
    Draws the conclusion. Nothing that a page shows is compared here, so that the best is `page_not_compared`.

    :param verdict: of a verification or of a page
    :param codes: of all errors, warnings and findings
    """
    evidence = Evidence(verdict, checks, frozenset(codes), _control_of(signed))
    for code, verdicts, test in _TABLE:
        if verdict in verdicts and (test is None or test(evidence)):
            level, sentence = CONCLUSIONS[code]
            return Conclusion(level, code, re.sub(r"\{(\w+)\}", lambda found: _filled(found.group(1), signed), sentence))
    raise ValueError("No conclusion for %s." % verdict)


def _has(*codes: str) -> _Test:
    return lambda evidence: bool(evidence.codes & set(codes))


def _false(name: str) -> _Test:
    return lambda evidence: evidence.checks.get(name) is False


_VERIFIED = ("verified",)
_FAILED = ("failed", "checks_failed")
_EXPIRED = ("certificate_expired",)
_LOGGED = ("verified", "undetermined")

_TABLE: Tuple[Tuple[str, Tuple[str, ...], Optional[_Test]], ...] = (
    ("withdrawn", _VERIFIED + _FAILED + _EXPIRED, _has("certificate_withdrawn")),
    (
        "not_in_status_list",
        _FAILED,
        _has("status_claim_required", "status_claim_malformed", "status_uri_differs", "status_index_out_of_range"),
    ),
    ("suspended", _VERIFIED, _has("certificate_suspended")),
    ("withdrawal_unknown", _VERIFIED, _has("withdrawal_unknown")),
    ("log_proof_invalid", _LOGGED, _has("log_proof_invalid")),
    ("log_required", _LOGGED, _has("log_required")),
    # verified, what speaks against relying on it first
    ("redirected", _VERIFIED, _has("redirected_to_another_host", "redirected_to_another_page")),
    ("control_unproven", _VERIFIED, lambda evidence: evidence.control == "unproven"),
    ("context_foreign", _VERIFIED, _has("context_foreign")),
    ("control_unknown", _VERIFIED, lambda evidence: evidence.control == "unknown"),
    ("page_not_compared", _VERIFIED, None),
    # signed, but a decisive check did not pass
    ("page_url_invalid", _FAILED, _has("page_url_invalid")),
    ("issuer_untrusted", _FAILED, _has("issuer_untrusted")),
    ("not_signed_by_issuer", _FAILED, lambda evidence: evidence.checks.get("signatureValid") is not True),
    ("altered", _FAILED, _false("certificateIntegrity")),
    ("another_host", _FAILED, _false("boundToDomain")),
    ("another_product", _FAILED, _false("productIdMatches")),
    ("unknown_parameter", _FAILED, _has("url_extra_parameter")),
    ("another_page", _FAILED, _false("boundToUrl")),
    ("not_yet_valid", _FAILED, _has("proof_not_yet_valid")),
    ("certificate_expired", _FAILED + _EXPIRED, _has("proof_expired", "certificate_past_lifetime")),
    ("checks_failed", _FAILED + _EXPIRED, None),
    # nothing signed, or nothing that could be read
    ("unverified", ("unverified",), None),
    ("no_certificate", ("no_certificate",), None),
    ("invalid_certificate", ("invalid_certificate",), None),
    ("canonical_mismatch", ("canonical_mismatch",), None),
    ("password_protected", ("password_protected",), None),
    ("page_fetch_failed", ("page_fetch_failed",), None),
)


def _control_of(signed: Optional[Mapping[str, Any]]) -> str:
    """The proof says how it was when it was signed; older proofs say nothing."""
    control = None if signed is None else signed.get("control")
    if control is None:
        return "unknown"
    return "unproven" if control["method"] == "none" else "proven"


def _filled(name: str, signed: Optional[Mapping[str, Any]]) -> str:
    claims: Mapping[str, Any] = signed or {}
    if name == "host":
        return str(claims.get("domain", "its site"))
    if name == "expired":
        return _day(claims.get("expiresAt"))
    checked_at = claims.get("control", {}).get("checkedAt")
    return "whose control was proven" if checked_at is None else "whose control was last proven on " + _day(checked_at)


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _day(time: Optional[str]) -> str:
    """`3 Mar 2026`, UTC."""
    try:
        day = datetime.strptime(str(time)[:10], "%Y-%m-%d")
    except ValueError:
        return "an unknown day"
    return "%d %s %d" % (day.day, _MONTHS[day.month - 1], day.year)
