"""Whether a certificate was withdrawn since it was signed: what the issuer's status lists say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Mapping, Optional, Sequence, Tuple

from .cannot_verify import CannotVerifyError
from .fetching import Fetch, http_fetch
from .held_lists import HeldList, HeldLists, ListKeys
from .keys import KeySet
from .proof import is_whole
from .remote_keys import RemoteKeySet
from .results import Withdrawal
from .status_list import entry_at, is_list_of, status_entry, unverified_list
from .trust import IssuerKeys, addresses_in, jwks_url_of, keys_by_issuer, proof_in
from .verify import moment_of

NOT_LOOKED_AT = Withdrawal(None, "not_looked_at")


class ListKeySet(KeySet):
    """The keys of an issuer's status lists."""

    def __init__(self, jwks: Any) -> None:
        super().__init__(jwks)
        stated = jwks.get("claim_required_from") if isinstance(jwks, dict) else None
        since: Any = float(stated) if isinstance(stated, int) and not isinstance(stated, bool) else stated
        self.claim_required_from: float = since if is_whole(since) else float("inf")
        """Seconds since 1970: every proof issued from then on names a list."""


@dataclass(frozen=True)
class _Source:
    """Issuers that share their keys, with their lists; those of one source say nothing about proofs of another."""

    issuers: Sequence[str]
    keys: ListKeys
    lists: HeldLists
    proof_keys: Optional[RemoteKeySet[KeySet]]


class StatusLists:
    """
    The status lists of trusted issuers: make them once, and use them for many verifications, in any thread. A list is fetched from the
    address that follows from the issuer and the number of the list, reused for its `ttl`, and not requested again for 30 s where it could
    not be had.

    :param trusted_issuers: as for `create_trust`
    :param keys: the keys of status lists, each set with its issuers; others are fetched from
        `{issuer}/api/v1/.well-known/status-list-jwks.json`
    :param prefetched: status lists that were fetched before
    :param fetch: makes the requests
    :param offline: nothing is fetched
    :raises CannotVerifyError: keys_address_unsafe
    :raises TypeError: if it is not clear whose keys are given
    """

    def __init__(
        self,
        *,
        trusted_issuers: Sequence[str],
        keys: Sequence[IssuerKeys] = (),
        prefetched: Sequence[str] = (),
        fetch: Fetch = http_fetch,
        offline: bool = False,
    ) -> None:
        issuers = addresses_in(trusted_issuers, "trusted_issuers")
        self._fetch = None if offline else fetch
        self._sources = [self._source(given, prefetched) for given in keys_by_issuer(issuers, keys)]

    def _source(self, given: IssuerKeys, prefetched: Sequence[str]) -> _Source:
        fetch, first = self._fetch, given.issuers[0]
        keys = _list_keys(given, fetch)
        own = [token for token in prefetched if _is_of_one_of(token, given.issuers)]
        proof_keys = None if fetch is None else RemoteKeySet(jwks_url_of(first), fetch, KeySet)
        return _Source(given.issuers, keys, HeldLists(keys, fetch, own), proof_keys)

    def look_up(self, proof: Any, issuer: Optional[str], now: Optional[datetime] = None) -> Withdrawal:
        """
        Looks up whether a certificate was withdrawn. Whatever is wrong with the list, its keys or the network is a reason, never an
        exception.

        :param proof: the proof (`proof.jwt`), or the document that contains it
        :param issuer: of the proof, once its signature is valid and the issuer trusted: `signed["issuer"]` of a result. Without it nothing
            is looked up
        """
        moment = moment_of(now)
        source = next((one for one in self._sources if issuer in one.issuers), None)
        read = proof_in(proof)
        if source is None or issuer is None or read is None or read.fault != "ok" or read.claims is None:
            return NOT_LOOKED_AT
        if read.claims.get("iss") != issuer:
            return NOT_LOOKED_AT
        return _look_up(source, (read.kid, read.claims, issuer), moment)


def _list_keys(given: IssuerKeys, fetch: Optional[Fetch]) -> ListKeys:
    if given.jwks is not None:
        key_set = ListKeySet(given.jwks)
        return lambda _now, _kid, _issued_at: key_set
    if fetch is None:

        def unavailable(_now: datetime, _kid: Optional[str], _issued_at: object) -> KeySet:
            raise CannotVerifyError("keys_unavailable", "The keys of the status lists are not given.")

        return unavailable
    url = given.jwks_url or given.issuers[0] + "/api/v1/.well-known/status-list-jwks.json"
    remote = RemoteKeySet(url, fetch, ListKeySet)
    return remote.at


def _is_of_one_of(token: str, issuers: Sequence[str]) -> bool:
    subject = unverified_list(token).get("sub")
    return isinstance(subject, str) and any(is_list_of(issuer, subject) for issuer in issuers)


def _look_up(source: _Source, proof: Tuple[str, Mapping[str, Any], str], now: datetime) -> Withdrawal:
    kid, claims, issuer = proof
    lists = source.lists
    entry = status_entry(claims, issuer)
    if isinstance(entry, str):
        return Withdrawal(None, entry)
    found = _why_unlisted(source, claims.get("iat"), now) if entry is None else lists.at(entry[1], now)

    def told(status: str, reason: str, held: HeldList) -> Withdrawal:
        return Withdrawal(status, reason, _time(held.status_list.issued_at), _time(lists.next_look(held)))

    revoking = lists.revoking(kid, now)
    if revoking is not None:
        return told("invalid", "key_revoked", revoking)
    if isinstance(found, str) or entry is None:
        ended = lists.ended_at(entry[1], now) if entry is not None else None
        if entry is not None and ended is not None and entry_at(ended.status_list.entries, 2, entry[0]) == 1:
            return told("invalid", "withdrawn", ended)
        if _is_taken_back(source, kid, claims.get("iat"), now):
            return Withdrawal("invalid", "key_revoked")
        return Withdrawal(None, str(found))
    value = entry_at(found.status_list.entries, 2, entry[0])
    if value == 0:
        return told("valid", "not_withdrawn", found)
    if value == 1:
        return told("invalid", "withdrawn", found)
    return told("suspended", "suspended", found) if value == 2 else Withdrawal(None, "status_value_unknown")


def _why_unlisted(source: _Source, issued_at: Any, now: datetime) -> str:
    """A proof without the claim is from before its issuer had lists, or not one that the issuer made."""
    try:
        key_set = source.keys(now, None, None)
    except CannotVerifyError:
        return "status_list_unreachable"
    since = key_set.claim_required_from if isinstance(key_set, ListKeySet) else float("inf")
    return "status_claim_absent" if isinstance(issued_at, float) and issued_at < since else "status_claim_required"


def _is_taken_back(source: _Source, kid: str, issued_at: Any, now: datetime) -> bool:
    """
    Whether the issuer no longer publishes the key of a proof, which it takes back within the life of a proof only if it was revoked; the
    thief of a key would name a list that does not exist, or none.
    """
    if source.proof_keys is None:
        return False
    try:
        return source.proof_keys.at(now, kid, issued_at).find(kid) == "key_unknown"
    except CannotVerifyError:
        return False


def _time(seconds: float) -> Optional[datetime]:
    try:
        return datetime.fromtimestamp(seconds, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return None
