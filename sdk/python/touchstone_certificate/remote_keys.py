"""The keys of an issuer, fetched on demand and cached."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, Generic, Optional, TypeVar

from .cannot_verify import CannotVerifyError
from .fetching import Fetch, fetch_jwks, safe_address
from .keys import KeySet

EARLY = 300
COOLDOWN = 30.0
"""Seconds between two requests, and between two for an unknown key, whatever names proofs carry."""
STALE_IF_ERROR = 86_400.0
"""Seconds for which expired keys are still used while the issuer cannot be reached."""

Keys = TypeVar("Keys", bound=KeySet)


def may_predate(read_at: float, now: float, issued_at: Any) -> bool:
    """
    Whether a genuine proof of this `iat` may be signed with a key newer than a set that was read at `read_at`; then nothing follows from
    the key's absence.
    """
    is_number = isinstance(issued_at, float) and not isinstance(issued_at, bool)
    return is_number and read_at < now and read_at <= issued_at <= now + EARLY


def older_keys(source: str) -> CannotVerifyError:
    """No verdict by keys that may lack that of the proof."""
    return CannotVerifyError("keys_unavailable", source + ": the keys were read before the proof was issued.")


@dataclass(frozen=True)
class _Held(Generic[Keys]):
    keys: Keys
    since: float
    max_age: float
    sent_at: float
    """When the issuer sent them; unknown (0) unless caches were bypassed."""


class RemoteKeySet(Generic[Keys]):
    """
    Keys at an address that the caller trusts, for many verifications in any number of threads: one request at a time. It has no clock.

    :raises CannotVerifyError: keys_address_unsafe
    """

    def __init__(self, url: str, fetch: Fetch, read: Callable[[Any], Keys]) -> None:
        self._url = safe_address(url)
        self._fetch = fetch
        self._read = read
        self._lock = threading.Lock()
        self._held: Optional[_Held[Keys]] = None
        self._failure: Optional[CannotVerifyError] = None
        self._last_asked = [float("-inf"), float("-inf")]

    def at(self, now: datetime, kid: Optional[str] = None, issued_at: Any = None) -> Keys:
        """
        The keys; fetched again when they have expired, or past all caches when none has this name.

        :param issued_at: `iat` of the proof with this `kid`
        :raises CannotVerifyError: keys_unavailable, also for keys that may be older than a proof by an unknown key
        """
        moment = now.timestamp()
        with self._lock:
            if self._held is None or abs(moment - self._held.since) >= self._held.max_age:
                self._ask(moment, self._is_unknown(kid))
            if self._is_unknown(kid):
                self._ask(moment, True)
            held, failure = self._held, self._failure
            if held is None or (failure and abs(moment - held.since) >= held.max_age + STALE_IF_ERROR):
                raise failure or CannotVerifyError("keys_unavailable", self._url)
            if self._is_unknown(kid) and may_predate(held.sent_at, moment, issued_at):
                raise failure or older_keys(self._url)
            return held.keys

    def _is_unknown(self, kid: Optional[str]) -> bool:
        return kid is not None and self._held is not None and self._held.keys.find(kid) == "key_unknown"

    def _ask(self, moment: float, past_caches: bool) -> None:
        # by distance: a verification for a later date must not block the requests of one for today
        if abs(moment - self._last_asked[past_caches]) < COOLDOWN:
            return
        self._last_asked[past_caches] = moment
        try:
            found = fetch_jwks(self._url, self._fetch, past_caches)
        except CannotVerifyError as error:
            self._failure = error
            return
        sent_at = moment - found.age if past_caches else 0.0
        self._held = _Held(self._read(found.jwks), moment, found.max_age, sent_at)
        self._failure = None
