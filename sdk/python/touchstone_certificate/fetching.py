"""Requests to issuers: only addresses that follow from the caller's trust, without redirects, within limits of size and time."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional

from .address import parse_address, written
from .cannot_verify import CannotVerifyError
from .strict_json import read_json

MAX_BYTES = 1_000_000
TIMEOUT = 10.0
"""Seconds for a whole response."""
_DEFAULT_MAX_AGE, _LONGEST_MAX_AGE = 3600, 86_400


@dataclass(frozen=True)
class Response:
    """What an address answered; names of headers are in lower case."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


Fetch = Callable[[str, Mapping[str, str]], Response]
"""
Requests an address with these headers by GET. It must follow no redirect, and raise OSError if there is no answer within a limited time,
or ValueError if the answer is over 1 MB.
"""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def http_fetch(url: str, headers: Mapping[str, str]) -> Response:
    """
    The default `Fetch`, by urllib, which uses the proxies of the environment.

    :raises OSError: if there is no answer within 10 seconds
    :raises ValueError: if the answer is over 1 MB
    """
    deadline = time.monotonic() + TIMEOUT
    request = urllib.request.Request(url, headers=dict(headers))
    try:
        answer = urllib.request.build_opener(_NoRedirect).open(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        body = b""
        while len(body) <= MAX_BYTES:
            if time.monotonic() > deadline:
                raise TimeoutError("It took over %d s." % TIMEOUT)
            part = answer.read(min(65_536, MAX_BYTES + 1 - len(body)))
            if not part:
                found: Dict[str, str] = {name.lower(): value for name, value in answer.headers.items()}
                return Response(answer.status or 0, body, found)
            body += part
    raise ValueError("It is over 1 MB.")


def safe_address(text: str) -> str:
    """
    The address, if keys may be taken from it: https, or http on this machine.

    :raises CannotVerifyError: keys_address_unsafe
    """
    address = parse_address(text)
    if address is not None and not address.has_credentials:
        is_local = re.fullmatch(r"localhost|127(\.[0-9]+){3}|\[::1\]|.*\.localhost", address.raw_host)
        if address.scheme == "https" or is_local:
            return written(address)
    raise CannotVerifyError("keys_address_unsafe", text)


@dataclass(frozen=True)
class FetchedJwks:
    """A JWKS that was fetched; its keys have not been looked at."""

    jwks: Dict[str, Any]
    max_age: float
    """Seconds for which it may be reused."""
    age: float
    """Seconds that it may have been in caches on the way."""


def fetch_jwks(url: str, fetch: Fetch, past_caches: bool) -> FetchedJwks:
    """
    Fetches a JWKS with at least one key.

    :param past_caches: whether the issuer itself must answer
    :raises CannotVerifyError: keys_unavailable
    """
    headers = {"accept": "application/json", **({"cache-control": "no-cache"} if past_caches else {})}
    try:
        answer = fetch(url, headers)
        if 300 <= answer.status < 400:
            raise ValueError("It redirects, which is not followed.")
        if not 200 <= answer.status < 300:
            raise ValueError("It answered %d." % answer.status)
        jwks = _jwks_in(answer.body)
    except (OSError, ValueError) as error:
        raise CannotVerifyError("keys_unavailable", "%s: %s" % (url, error)) from error
    return FetchedJwks(jwks, _max_age(answer.headers.get("cache-control")), _age(answer.headers.get("age")))


def _jwks_in(body: bytes) -> Dict[str, Any]:
    if len(body) > MAX_BYTES:
        raise ValueError("It is over 1 MB.")
    try:
        jwks = read_json(body.decode("utf-8", "replace"))
    except ValueError as error:
        raise ValueError("It is not JSON.") from error
    keys = jwks.get("keys") if isinstance(jwks, dict) else None
    if not isinstance(keys, list) or not keys:
        raise ValueError("It contains no keys.")
    return dict(jwks)


def _max_age(cache_control: Optional[str]) -> float:
    found = re.search(r"(?:^|[\s,])max-age=([0-9]{1,9})(?:$|[\s,])", cache_control or "", re.I)
    return _DEFAULT_MAX_AGE if found is None else min(int(found.group(1)), _LONGEST_MAX_AGE)


def _age(text: Optional[str]) -> float:
    if text is None:
        return 0
    # whole seconds, rounded up; what is no number may be of any age
    return int(text) + 1 if re.fullmatch("[0-9]{1,9}", text.strip()) else float("inf")
