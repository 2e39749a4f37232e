"""The command line: `python -m touchstone_certificate`."""

from __future__ import annotations

import argparse
import json
import re
import sys
from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .amended import with_log, with_withdrawal
from .cannot_verify import CannotVerifyError
from .describing import utc
from .log_policy import LogPolicy
from .log_proof import verify_log_proof
from .results import CheckResult, LogFinding, VerificationResult, Withdrawal
from .sentences import sentence
from .strict_json import read_json
from .trust import IssuerKeys, create_trust
from .verify import verify_product_certificate
from .withdrawal import StatusLists

_EPILOG = """
Keys belong to issuers. If several are trusted, name them: --jwks https://certificates.example=jwks.json, or
--jwks https://certificates.example,https://former.example=jwks.json for issuers that share their keys.

The exit code is 0 for verified, 1 for failed (also withdrawn), 2 for unverified (also suspended), 3 if no verdict is possible (no
trusted issuer, no keys, no status list or log where one is required, a wrong statement about the log), 64 for wrong usage.
"""
_STATUS_EXITS = {"verified": 0, "failed": 1, "unverified": 2}
_WARNING_EXITS = {"certificate_suspended": 2, "withdrawal_unknown": 3, "log_proof_invalid": 3, "log_required": 3}


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the command with these arguments, by default those of the process; returns its exit code."""
    try:
        options = _parser().parse_args(argv)
    except SystemExit as exit_:
        return 64 if exit_.code else 0
    issuers = list(dict.fromkeys(issuer.rstrip("/") for issuer in options.issuer if issuer.strip("/ ")))
    try:
        files = _files_by_issuer(options.jwks, issuers, "--jwks")
        status_files = _files_by_issuer(options.status_keys, issuers, "--status-keys") if options.status_keys else []
    except ValueError as fault:
        print(fault, file=sys.stderr)
        return 64
    try:
        document = _text_of(options.document)
        keys = [IssuerKeys(owners, _json_of(name), options.keys_fetched_at) for owners, name in files]
        status_keys = [IssuerKeys(owners, _json_of(name)) for owners, name in status_files]
        tokens = [_text_of(name).strip() for name in options.status_list]
        logs = None if options.log is None else _policy_of(options.log)
    except (OSError, ValueError) as fault:
        print("A file cannot be read: %s" % fault, file=sys.stderr)
        return 64
    try:
        trust = create_trust(trusted_issuers=issuers, keys=keys)
        asked = {"page_url": options.page_url, "now": options.now, "product_id": options.product_id}
        result = verify_product_certificate(document, trust=trust, **asked)
        policy = _withdrawal_policy(options)
        if policy != "none":
            offline = not options.fetch_status
            lists = StatusLists(trusted_issuers=issuers, keys=status_keys, prefetched=tokens, offline=offline)
            issuer = None if result.signed is None else result.signed["issuer"]
            result = with_withdrawal(result, lists.look_up(document, issuer, options.now), policy)
    except CannotVerifyError as error:
        print("There can be no verdict (%s): %s" % (error.code, error))
        return 3
    if logs is not None:
        finding = verify_log_proof(document, policy=logs)
        result = with_log(result, finding, "required" if options.log_required else "ifPresent")
    print(json.dumps(result_json(result), indent=2))
    if result.status != "verified":
        return _STATUS_EXITS[result.status]
    return next((_WARNING_EXITS[code] for code in result.warnings if code in _WARNING_EXITS), 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m touchstone_certificate",
        description="Verifies a product certificate, offline unless told to fetch.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("document", help="the certificate: a JSON file, or - for standard input")
    add("--page-url", required=True, help="the page on which it was found")
    add("--issuer", action="append", default=[], help="a service whose certificates you trust; repeatable")
    add(
        "--jwks",
        action="append",
        required=True,
        help="file with the public keys of the issuer; if several are trusted: ISSUER=FILE, or ISSUER,ISSUER=FILE; repeatable",
    )
    add(
        "--keys-fetched-at",
        type=_moment,
        help="when the files of --jwks were fetched: a proof issued later by an unknown key is undecided, not failed",
    )
    add("--status-list", action="append", default=[], help="file with a status list; repeatable")
    add(
        "--status-keys",
        action="append",
        default=[],
        help="file with the issuer's keys for status lists; if several are trusted: ISSUER=FILE; repeatable",
    )
    add("--fetch-status", action="store_true", help="fetch lists and keys that are not given")
    add(
        "--withdrawal",
        choices=("required", "ifReachable", "none"),
        help="what an unknown status means: no verdict, or nothing; default: ifReachable with any of the options above",
    )
    add("--log", help="policy of transparency logs and witnesses (tlog-policy): whether the proof is logged")
    add("--log-required", action="store_true", help="no verdict unless it is, as the policy requires")
    add("--product-id", help="the expected product")
    add("--now", type=_moment, default=datetime.now(timezone.utc), help="the time of verification; default: now")
    return parser


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return moment if moment.tzinfo else moment.astimezone()


def _withdrawal_policy(options: argparse.Namespace) -> str:
    has_status = bool(options.status_keys or options.status_list or options.fetch_status)
    return str(options.withdrawal or ("ifReachable" if has_status else "none"))


def _files_by_issuer(given: Sequence[str], issuers: List[str], option: str) -> List[Tuple[List[str], str]]:
    """Each file with the issuers that it was given for. :raises ValueError: unless every trusted issuer has exactly one"""
    if not issuers or (len(given) == len(issuers) == 1 and not re.match("https?://", given[0])):
        return [(issuers, name) for name in given]
    files = []
    for text in given:
        # addresses and names of files may contain both signs, so a list counts only if all of it is trusted
        for sign in re.finditer("=", text):
            owners = [owner.rstrip("/") for owner in text[: sign.start()].split(",")]
            if all(owner in issuers for owner in owners):
                files.append((owners, text[sign.end() :]))
                break
    named = sorted(owner for owners, _ in files for owner in owners)
    if len(files) != len(given) or named != sorted(issuers):
        raise ValueError("Name whose keys each file holds, once for each --issuer: %s %s=FILE" % (option, issuers[0]))
    return files


def _text_of(name: str) -> str:
    with sys.stdin if name == "-" else open(name, encoding="utf-8") as file:
        return file.read()


def _json_of(name: str) -> Any:
    try:
        return read_json(_text_of(name))
    except ValueError as fault:
        raise ValueError("%s holds no JSON: %s" % (name, fault)) from fault


def _policy_of(name: str) -> LogPolicy:
    with open(name, "rb") as file:
        return LogPolicy(file.read(65_537))


def result_json(result: VerificationResult) -> Dict[str, Any]:
    """A result as the other command lines of this project write it; None is left out but in checks and statuses."""
    details = {name: _detail(detail) for name, detail in result.check_details.items()}
    told: Dict[str, Any] = {
        "status": result.status,
        "productId": result.product_id,
        "checks": dict(result.checks),
        "checkDetails": details,
        "warnings": _notes(result.warnings, result.check_details),
        "errors": _notes(result.errors, result.check_details),
        "conclusion": dict(vars(result.conclusion)),
        "verifier": result.verifier,
    }
    told.update({} if result.signed is None else {"signed": dict(result.signed)})
    told.update({} if result.withdrawal is None else {"withdrawal": _withdrawal(result.withdrawal)})
    told.update({} if result.log is None else {"log": _log(result.log)})
    return told


def _detail(detail: CheckResult) -> Dict[str, Any]:
    more = {"expected": detail.expected, "actual": detail.actual}
    return {"result": detail.result, "reason": detail.reason, **{name: text for name, text in more.items() if text is not None}}


def _notes(codes: Sequence[str], details: Mapping[str, CheckResult]) -> List[str]:
    """`code: sentence`, with the values that were compared."""
    notes = []
    for code in codes:
        found = [one for one in details.values() if one.reason == code and one.result is False]
        detail = next((one for one in found if one.expected is not None), found[0] if found else None)
        parts = ["%s: %s" % (code, sentence(code))]
        if detail is not None and detail.expected is not None:
            parts.append("Expected %s." % detail.expected)
        if detail is not None and detail.actual is not None:
            parts.append("Found %s." % detail.actual)
        notes.append(" ".join(parts))
    return notes


def _withdrawal(found: Withdrawal) -> Dict[str, Any]:
    times = {"listIssuedAt": found.list_issued_at, "nextLook": found.next_look}
    written = {name: utc(time.timestamp()) for name, time in times.items() if time is not None}
    return {"status": found.status, "reason": found.reason, **written}


def _log(found: LogFinding) -> Dict[str, Any]:
    told: Dict[str, Any] = {"status": found.status, "reason": found.reason}
    if found.origin is not None:
        told.update(origin=found.origin, index=found.index, treeSize=found.tree_size)
    if found.status in ("witnessed", "logged"):
        told.update(witnesses=list(found.witnesses), isEnough=found.is_enough)
    return told
