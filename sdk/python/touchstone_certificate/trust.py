"""Whom the caller trusts, and where their keys come from. Trust never comes from a document."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, List, Optional, Sequence, Tuple

from .cannot_verify import CannotVerifyError
from .fetching import Fetch, http_fetch
from .keys import KeySet, NoKeys
from .proof import Proof, read_proof
from .remote_keys import RemoteKeySet, may_predate, older_keys
from .submitted import proof_jwt


@dataclass(frozen=True)
class IssuerKeys:
    """The keys of one service. They verify proofs of these issuers and of no other."""

    issuers: Sequence[str]
    """Its base address, and those that share its keys, such as former ones."""
    jwks: Any = None
    """The keys as a parsed JWKS; given, nothing is requested for them."""
    fetched_at: Optional[datetime] = None
    """When `jwks` was read. A proof issued later by an unknown key gets no verdict. Default: unknown; an unknown key is a failure."""
    jwks_url: Optional[str] = None
    """Default: `{issuer}/api/v1/.well-known/jwks.json` of the first issuer."""


@dataclass(frozen=True)
class KeySource:
    """The keys of some issuers: at hand, or fetched."""

    issuers: Tuple[str, ...]
    key_set: Optional[KeySet] = None
    fetched_at: Optional[datetime] = None
    remote: Optional[RemoteKeySet[KeySet]] = None

    def keys(self, proof: Optional[Proof], now: datetime) -> KeySet:
        """
        The keys that may verify a proof.

        :raises CannotVerifyError: keys_unavailable
        """
        kid = proof.kid if proof is not None and proof.fault == "ok" else None
        issued_at = proof.claims.get("iat") if proof is not None and proof.claims is not None else None
        if self.remote is not None:
            # a document without a readable proof needs no key, so that garbage causes no requests
            return KeySet(None) if kid is None else self.remote.at(now, kid, issued_at)
        key_set = self.key_set or KeySet(None)
        read_at = None if self.fetched_at is None else self.fetched_at.timestamp()
        if kid is not None and read_at is not None and key_set.find(kid) == "key_unknown":
            if may_predate(read_at, now.timestamp(), issued_at):
                raise older_keys(", ".join(self.issuers))
        return key_set


class Trust:
    """Trusted issuers with their keys: make it once by `create_trust`, and use it for many verifications, in any thread."""

    def __init__(self, issuers: Sequence[str], sources: Sequence[KeySource]) -> None:
        self.issuers = tuple(issuers)
        """Values of `iss`, without a slash at the end."""
        self._sources = tuple(sources)

    def keys_for(self, proof: Optional[Proof], now: datetime) -> Tuple[Tuple[str, ...], KeySet]:
        """
        The keys that may verify a proof, and the issuers to whom they belong. `iss` only selects among those who are trusted.

        :raises CannotVerifyError: keys_unavailable
        """
        first = self._sources[0]
        if len(self._sources) == 1 and first.key_set is not None and first.fetched_at is None:
            return self.issuers, first.key_set
        claimed = proof.claims.get("iss") if proof is not None and proof.claims is not None else None
        for source in self._sources:
            if isinstance(claimed, str) and claimed in source.issuers:
                return source.issuers, source.keys(proof, now)
        return (), NoKeys()


def create_trust(
    *,
    trusted_issuers: Sequence[str],
    keys: Sequence[IssuerKeys] = (),
    jwks: Any = None,
    fetched_at: Optional[datetime] = None,
    jwks_url: Optional[str] = None,
    fetch: Fetch = http_fetch,
) -> Trust:
    """
    Trust in the issuers that the caller names.

    :param trusted_issuers: base addresses of services (values of `iss`); at least one
    :param keys: the keys of issuers, each set with those to whom it belongs; an issuer that is not named has a set of its own, fetched
        from its own address
    :param jwks: the keys of the only trusted issuer, as a parsed JWKS; then nothing is requested
    :param fetched_at: when `jwks` was read, as in `IssuerKeys`
    :param jwks_url: address of the keys of the only trusted issuer
    :param fetch: makes the requests
    :raises CannotVerifyError: no_trusted_issuer, keys_address_unsafe, and keys_unavailable for a `jwks` without keys
    :raises TypeError: if it is not clear whose keys are given
    """
    issuers = addresses_in(trusted_issuers, "trusted_issuers")
    if not issuers:
        raise CannotVerifyError("no_trusted_issuer")
    if jwks is not None or jwks_url is not None:
        if len(issuers) != 1 or keys:
            raise TypeError(
                "jwks and jwks_url are for one trusted issuer. For several, say whose keys they are: "
                "keys=[IssuerKeys([address], jwks)]."
            )
        keys = [IssuerKeys(issuers, jwks, fetched_at, jwks_url)]
    return Trust(issuers, [_source(one, fetch) for one in keys_by_issuer(issuers, keys)])


def _source(given: IssuerKeys, fetch: Fetch) -> KeySource:
    issuers = tuple(given.issuers)
    if given.jwks is None:
        url = given.jwks_url or jwks_url_of(issuers[0])
        return KeySource(issuers, remote=RemoteKeySet(url, fetch, KeySet))
    entries = given.jwks.get("keys") if isinstance(given.jwks, dict) else None
    if not isinstance(entries, list) or not entries:
        raise CannotVerifyError("keys_unavailable", "The given jwks of %s contains no keys." % ", ".join(issuers))
    return KeySource(issuers, KeySet(given.jwks), given.fetched_at)


def jwks_url_of(issuer: str) -> str:
    """Where an issuer publishes the keys of its proofs."""
    return issuer + "/api/v1/.well-known/jwks.json"


def keys_by_issuer(issuers: Sequence[str], keys: Sequence[IssuerKeys]) -> List[IssuerKeys]:
    """
    Every trusted issuer once, with the keys that belong to it.

    :raises TypeError: if an issuer is named twice, or is not trusted
    """
    left = list(issuers)
    named = []
    for one in keys:
        owners = addresses_in(one.issuers, "issuers of keys")
        for owner in owners:
            if owner not in left:
                raise TypeError("keys must name trusted issuers, each of them once: " + owner)
            left.remove(owner)
        named += [IssuerKeys(owners, one.jwks, one.fetched_at, one.jwks_url)] if owners else []
    return named + [IssuerKeys([issuer]) for issuer in left]


def addresses_in(named: Any, what: str) -> List[str]:
    """Each address once, without slashes at the end. :raises TypeError: unless it is a list of texts"""
    if not isinstance(named, (list, tuple)) or not all(isinstance(issuer, str) for issuer in named):
        raise TypeError("%s must be a list of addresses, such as ['https://certificates.example']." % what)
    addresses = (issuer.strip().rstrip("/") for issuer in named)
    return list(dict.fromkeys(address for address in addresses if address))


def proof_in(document: Any) -> Optional[Proof]:
    """The proof of a document, or given on its own, taken apart; None if there is none."""
    jwt = proof_jwt(document)
    return None if jwt is None else read_proof(jwt)
