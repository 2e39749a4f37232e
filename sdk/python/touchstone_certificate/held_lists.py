"""The status lists of one set of issuers that share their keys: prefetched, and fetched when they are needed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Callable, Dict, List, Optional, Sequence, Union

from .cannot_verify import CannotVerifyError
from .fetching import MAX_BYTES, Fetch
from .keys import KeySet
from .status_list import StatusList, read_status_list, unverified_list

_FAILURE_SECONDS = 30.0
"""For which a list that could not be had is not requested again."""
_MAX_FETCHED, _MAX_FAILURES = 64, 1000

ListKeys = Callable[[datetime, Optional[str], object], KeySet]
"""Returns the keys of lists. :raises CannotVerifyError: if they cannot be read"""


@dataclass(frozen=True)
class HeldList:
    """A list, and when it was current, in seconds since 1970."""

    status_list: StatusList
    current_at: float
    is_prefetched: bool


@dataclass(frozen=True)
class _Failure:
    reason: str
    at: float


class HeldLists:
    """
    :param fetch: None: nothing is fetched
    :param prefetched: tokens; each counts until it expires, unless a newer one can be fetched
    """

    def __init__(self, keys: ListKeys, fetch: Optional[Fetch], prefetched: Sequence[str]) -> None:
        self._keys, self._fetch = keys, fetch
        self._lock = threading.RLock()
        self._held: "OrderedDict[str, HeldList]" = OrderedDict()
        self._failures: Dict[str, _Failure] = {}
        self._unread: Dict[str, List[str]] = {}
        for token in prefetched:
            subject = unverified_list(token).get("sub")
            if isinstance(subject, str):
                self._unread.setdefault(subject, []).append(token)

    def at(self, uri: str, now: datetime) -> Union[HeldList, str]:
        """The list at this address, fetched if it is not at hand or past its time; else why there is none."""
        moment = now.timestamp()
        with self._lock:
            self._read_prefetched(now)
            known, failure = self._held.get(uri), self._failures.get(uri)
            is_fresh = (
                known is not None
                and abs(moment - known.current_at) < known.status_list.ttl
                and known.status_list.time_fault(now) is None
            )
            is_asked = failure is not None and abs(moment - failure.at) < _FAILURE_SECONDS
            if self._fetch is not None and not is_asked and not is_fresh:
                self._refetch(uri, now, self._fetch)
            held = self._held.get(uri)
            if held is None:
                failure = self._failures.get(uri)
                return "status_list_unreachable" if failure is None else failure.reason
            return held.status_list.time_fault(now) or held

    def ended_at(self, uri: str, now: datetime) -> Optional[HeldList]:
        """The list that was at hand there and has ended: what it calls invalid is so for good."""
        held = self._held.get(uri)
        return held if held is not None and held.status_list.time_fault(now) == "status_list_expired" else None

    def revoking(self, kid: str, now: datetime) -> Optional[HeldList]:
        """A list at hand, also one that has ended, that names this key among the revoked ones."""
        with self._lock:
            self._read_prefetched(now)
            for held in self._held.values():
                found = held.status_list
                if kid in found.revoked_kids and found.time_fault(now) != "status_list_not_yet_valid":
                    return held
        return None

    def next_look(self, held: HeldList) -> float:
        """When a newer list is looked for; without a network, when this one ends. Seconds since 1970."""
        found = held.status_list
        if self._fetch is None:
            return found.expires_at
        failure = self._failures.get(found.uri)
        return max(held.current_at + found.ttl, float("-inf") if failure is None else failure.at + _FAILURE_SECONDS)

    def _read(self, token: str, uri: str, now: datetime) -> Union[StatusList, str]:
        stated = unverified_list(token)
        # nothing is requested for a token that cannot be one
        if "kid" not in stated:
            return read_status_list(token, KeySet(None), uri, now)
        try:
            key_set = self._keys(now, stated["kid"], stated["iat"])
        except CannotVerifyError:
            return "status_list_unreachable"
        return read_status_list(token, key_set, uri, now)

    def _keep(self, found: StatusList, current_at: float, is_prefetched: bool) -> None:
        """Keeps the newer of two lists of an address: a cache on the way may answer with an older one."""
        known = self._held.pop(found.uri, None)
        if known is not None:
            found = known.status_list if known.status_list.issued_at > found.issued_at else found
            is_prefetched = is_prefetched or known.is_prefetched
        self._held[found.uri] = HeldList(found, current_at, is_prefetched)
        fetched = [uri for uri, held in self._held.items() if not held.is_prefetched]
        if len(fetched) > _MAX_FETCHED:
            del self._held[fetched[0]]

    def _read_prefetched(self, now: datetime) -> None:
        for uri, tokens in list(self._unread.items()):
            for token in list(tokens):
                found = self._read(token, uri, now)
                if isinstance(found, str):
                    self._failures[uri] = _Failure(found, float("-inf"))
                else:
                    self._failures.pop(uri, None)
                    self._keep(found, found.issued_at, True)
                    tokens.remove(token)
            if not tokens:
                del self._unread[uri]

    def _refetch(self, uri: str, now: datetime, fetch: Fetch) -> None:
        found = self._fetched(uri, now, fetch)
        self._failures.pop(uri, None)
        if not isinstance(found, str):
            self._keep(found, now.timestamp(), False)
            return
        self._failures[uri] = _Failure(found, now.timestamp())
        if len(self._failures) > _MAX_FAILURES:
            del self._failures[next(iter(self._failures))]

    def _fetched(self, uri: str, now: datetime, fetch: Fetch) -> Union[StatusList, str]:
        try:
            answer = fetch(uri, {"accept": "application/statuslist+jwt"})
        except OSError:
            return "status_list_unreachable"
        except ValueError:
            return "status_list_too_large"
        if not 200 <= answer.status < 300:
            return "status_list_unreachable"
        if len(answer.body) > MAX_BYTES:
            return "status_list_too_large"
        return self._read(answer.body.decode("utf-8", "replace"), uri, now)
