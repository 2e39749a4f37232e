"""The results of verifications; plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Dict, Mapping, Optional, Tuple

from .describing import shortened
from .version import VERIFIER

LOAD_BEARING = (
    "signatureValid",
    "certificateIntegrity",
    "timestampValid",
    "boundToDomain",
    "productIdMatches",
    "boundToUrl",
)
"""The six checks that decide the verdict; the other three are advisory."""


@dataclass(frozen=True)
class CheckResult:
    """One check: True, False, or None if it did not run. `reason` is a code of docs/codes.md."""

    result: Optional[bool]
    reason: str
    expected: Optional[str] = None
    """What a passing document would have had, where that helps; at most 200 characters."""
    actual: Optional[str] = None


PASSED = CheckResult(True, "ok")


def failed(reason: str, expected: Optional[str] = None, actual: Optional[str] = None) -> CheckResult:
    """A check that ran and failed, with what it compared."""
    return CheckResult(
        False,
        reason,
        None if expected is None else shortened(expected),
        None if actual is None else shortened(actual),
    )


def not_run(reason: str) -> CheckResult:
    """A check that could not run."""
    return CheckResult(None, reason)


@dataclass(frozen=True)
class Conclusion:
    """What follows: `level` is good (go ahead), caution, bad or none; only "good" is a reason to go ahead."""

    level: str
    code: str
    sentence: str


@dataclass(frozen=True)
class Withdrawal:
    """Whether a certificate was withdrawn: `status` is valid, invalid, suspended or None, unknown, for `reason`."""

    status: Optional[str]
    reason: str
    list_issued_at: Optional[datetime] = None
    next_look: Optional[datetime] = None
    """From when on a newer list is looked for; without a network, when the list ends."""


@dataclass(frozen=True)
class LogFinding:
    """Whether a proof is in a transparency log: `status` is witnessed, logged, invalid or None, unknown, for `reason`."""

    status: Optional[str]
    reason: str
    origin: Optional[str] = None
    index: Optional[int] = None
    tree_size: Optional[int] = None
    witnesses: Tuple[str, ...] = ()
    """Names in the policy of those who have cosigned."""
    is_enough: bool = False
    """Whether the quorum of the policy is met, or it requires none."""


@dataclass(frozen=True)
class ProofVerification:
    """The three checks of a proof alone, and its claims if its signature is valid and its issuer trusted."""

    checks: Mapping[str, CheckResult]
    signed: Optional[Mapping[str, Any]] = None


@dataclass(frozen=True)
class VerificationResult:
    """The verification of a certificate on a page."""

    status: str
    """verified, failed or unverified."""
    product_id: str
    """The requested product; else the signed one."""
    checks: Mapping[str, Optional[bool]]
    check_details: Mapping[str, CheckResult]
    conclusion: Conclusion
    warnings: Tuple[str, ...] = ()
    """Codes of docs/codes.md; `sentence` tells what each means."""
    errors: Tuple[str, ...] = ()
    """Codes, one for each reason of the checks that decide and are False."""
    signed: Optional[Mapping[str, Any]] = None
    """What was signed, under the names of the claims; None unless the signature is valid and the issuer trusted."""
    withdrawal: Optional[Withdrawal] = None
    """None if nobody looked (`with_withdrawal`)."""
    log: Optional[LogFinding] = None
    """None if nobody looked (`with_log`)."""
    verifier: str = VERIFIER


@dataclass(frozen=True)
class ProfileVerification:
    """The verification by profiles: each is trusted, untrusted or undetermined."""

    status: str
    """That of the profile which was asked for."""
    profiles: Mapping[str, str]
    checks: Mapping[str, CheckResult]
    warnings: Tuple[str, ...] = ()
    errors: Tuple[str, ...] = ()
    signed: Optional[Mapping[str, Any]] = None
    withdrawal: Optional[Withdrawal] = None
    log: Optional[LogFinding] = None
    verifier: str = VERIFIER


@dataclass(frozen=True)
class PageVerification:
    """The verdict on a page, by the certificate that determined it."""

    verdict: str
    """One of the verdicts of page checks, such as verified, checks_failed, no_certificate."""
    conclusion: Conclusion
    findings: Tuple[str, ...] = ()
    warnings: Tuple[str, ...] = ()
    errors: Tuple[str, ...] = ()
    verification: Optional[VerificationResult] = None
    """None if no certificate was verified."""
    canonical_url: Optional[str] = None
    """The page's canonical link, which the page states about itself."""
    details: Mapping[str, str] = field(default_factory=dict)
    """What a code is about, such as the address or the host; from the page, made printable."""
    verifier: str = VERIFIER


def results_of(details: Mapping[str, CheckResult]) -> Dict[str, Optional[bool]]:
    """The results alone."""
    return {name: detail.result for name, detail in details.items()}
