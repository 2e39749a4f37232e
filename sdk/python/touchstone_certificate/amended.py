"""Results with what is known besides the certificate: of a withdrawal, and of a transparency log."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, Mapping, Optional, Tuple, TypeVar

from .conclusion import conclude
from .results import CheckResult, LogFinding, ProfileVerification, VerificationResult, Withdrawal, results_of
from .withdrawal import NOT_LOOKED_AT

STATUS_FAULTS = ("status_claim_required", "status_claim_malformed", "status_uri_differs", "status_index_out_of_range")
_REPLACED = ("domain_differs", "another_address_of_shop")
_LOG_NOT_LOOKED_AT = LogFinding(None, "log_not_looked_at")

Result = TypeVar("Result", VerificationResult, ProfileVerification)


def with_withdrawal(result: Result, withdrawal: Withdrawal, policy: str = "ifReachable") -> Result:
    """
    A result with what is known about a withdrawal. Withdrawn makes `boundToDomain` False; suspended comes first among the warnings, and
    nothing is then trusted. Without a valid signature nothing is looked at, except at a revoked key.

    :param policy: if nothing is known: `required`, nothing may be relied on; `ifReachable`, the result stays as it is; `none`: it is not
        looked at
    """
    if policy not in ("required", "ifReachable", "none"):
        raise TypeError("policy must be 'required', 'ifReachable' or 'none'.")
    details = _details(result)
    # the key is no longer accepted where it was revoked
    is_signed = details["signatureValid"].result is True or withdrawal.reason == "key_revoked"
    if not is_signed or policy == "none":
        return replace(result, withdrawal=NOT_LOOKED_AT)
    failing = _failing(withdrawal, details)
    if failing is not None:
        return _failed(result, failing, withdrawal)
    if withdrawal.status == "suspended":
        return _warned(replace(result, withdrawal=withdrawal), "certificate_suspended", 0)
    if withdrawal.status is None and policy == "required" and withdrawal.reason not in STATUS_FAULTS:
        return _warned(replace(result, withdrawal=withdrawal), "withdrawal_unknown", 0)
    return replace(result, withdrawal=withdrawal)


def _details(result: Result) -> Mapping[str, CheckResult]:
    return result.check_details if isinstance(result, VerificationResult) else result.checks


def _failing(withdrawal: Withdrawal, details: Mapping[str, CheckResult]) -> Optional[Tuple[str, str]]:
    """The check that is False because of it, with its reason; another fault of the proof keeps its own."""
    if withdrawal.status == "invalid":
        return "boundToDomain", "certificate_withdrawn"
    if withdrawal.reason in STATUS_FAULTS and details["certificateIntegrity"].result is not False:
        return "certificateIntegrity", withdrawal.reason
    return None


def _failed(result: Result, failing: Tuple[str, str], withdrawal: Withdrawal) -> Result:
    name, reason = failing
    details: Dict[str, CheckResult] = {**_details(result), name: CheckResult(False, reason)}
    # a withdrawn certificate is never told as a copy
    replaced = _REPLACED if name == "boundToDomain" else ()
    errors: Tuple[str, ...] = (reason,) + tuple(code for code in result.errors if code not in replaced)
    if isinstance(result, ProfileVerification):
        told = {profile: "untrusted" for profile in result.profiles}
        return replace(result, status="untrusted", profiles=told, checks=details, errors=errors, withdrawal=withdrawal)
    checks = results_of(details)
    return replace(
        result,
        status="failed",
        checks=checks,
        check_details=details,
        errors=errors,
        conclusion=conclude("failed", checks, result.signed, errors + result.warnings),
        withdrawal=withdrawal,
    )


def _warned(result: Result, code: str, place: int) -> Result:
    """With a warning for which nothing is trusted or good."""
    warnings = result.warnings[:place] + (code,) + result.warnings[place:]
    if isinstance(result, ProfileVerification):
        told = {name: _not_trusted(status) for name, status in result.profiles.items()}
        return replace(result, status=_not_trusted(result.status), profiles=told, warnings=warnings)
    conclusion = conclude(result.status, result.checks, result.signed, result.errors + warnings)
    return replace(result, warnings=warnings, conclusion=conclusion)


def _not_trusted(status: str) -> str:
    return "undetermined" if status == "trusted" else status


def with_log(result: Result, finding: LogFinding, policy: str = "ifPresent") -> Result:
    """
    A result with what is known about the log. No check changes, since a certificate does not bind what it says about its log; if that is
    wrong, the warning `log_proof_invalid` comes first, and nothing is trusted.

    :param policy: `required`: likewise `log_required`, unless the proof is logged as the policy of logs wants; `ifPresent`; `none`: it is
        not looked at
    """
    if policy not in ("required", "ifPresent", "none"):
        raise TypeError("policy must be 'required', 'ifPresent' or 'none'.")
    if _details(result)["signatureValid"].result is not True or policy == "none":
        return replace(result, log=_LOG_NOT_LOOKED_AT)
    told = replace(result, log=finding)
    # what is told first of every suspended certificate stays first
    place = 1 if result.warnings[:1] == ("certificate_suspended",) else 0
    if finding.status == "invalid":
        return _warned(told, "log_proof_invalid", place)
    if policy == "required" and not finding.is_enough:
        return _warned(told, "log_required", place)
    return told
