"""The command line for receipts: `python -m touchstone_certificate.receipt_command`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Optional, Sequence

from .receipts import verify_receipt
from .strict_json import read_json
from .trust import IssuerKeys


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the command with these arguments, by default those of the process; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m touchstone_certificate.receipt_command",
        description="Verifies a receipt of a verification or a page check.",
        epilog="The exit code is 0 if there is no fault, 1 for a receipt that proves nothing, 64 for wrong usage. "
        "A time stamp is for openssl ts -verify.",
    )
    parser.add_argument("receipt", help="the receipt, its JWS, or the answer that contains it")
    parser.add_argument("--issuer", action="append", required=True, help="base address of a service that you trust")
    parser.add_argument("--jwks", required=True, help="its /api/v1/.well-known/receipt-jwks.json, as a file")
    parser.add_argument("--answer", help="the answer, if the first file does not contain it")
    parser.add_argument("--request", help="the body of the request")
    parser.add_argument("--page", help="the bytes of the page")
    try:
        named = parser.parse_args(argv)
    except SystemExit as exit_:
        return 64 if exit_.code else 0
    try:
        text = _bytes_of(named.receipt).decode("utf-8").strip()
        given = read_json(text) if text.startswith("{") else text
        answer = _json_of(named.answer)
        if answer is None and isinstance(given, dict) and "receipt" in given:
            answer = given
        found = verify_receipt(
            given,
            trusted_issuers=named.issuer,
            keys=[IssuerKeys(named.issuer, _json_of(named.jwks))],
            answer=answer,
            request=_json_of(named.request),
            page=None if named.page is None else _bytes_of(named.page),
        )
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 64
    print(json.dumps({"valid": found.valid, "faults": found.faults, "claims": found.claims}, indent=2))
    return 0 if found.valid else 1


def _bytes_of(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()


def _json_of(name: Optional[str]) -> Any:
    return None if name is None else read_json(_bytes_of(name).decode("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
