"""Status lists (draft-ietf-oauth-status-list-20), read strictly (docs/format.md, section 8)."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, FrozenSet, Mapping, Optional, Tuple, Union

from .encoding import base64url
from .keys import KeySet, verify_rs256
from .proof import header_fault, is_count, jws_parts
from .strict_json import strict_object
from .verify import seconds_of

LIST_ENTRIES = 1_048_576
MAX_TOKEN = 700_000
"""Characters of a token."""
_MAX_LIST = 2_147_483_647
_SKEW = 60
_LIFETIME = 86_400


@dataclass(frozen=True)
class StatusList:
    """A list whose signature is valid. Times are seconds since 1970."""

    uri: str
    issued_at: float
    expires_at: float
    """A day after its issue at the latest."""
    ttl: float
    """Seconds for which it is reused, 60 to 86,400."""
    revoked_kids: FrozenSet[str]
    entries: bytes
    """Before compression (`entry_at`)."""

    def time_fault(self, now: datetime) -> Optional[str]:
        """Why it does not count at this time, if so."""
        return _time_fault(self.issued_at, self.expires_at, now)


def decode_entries(bits: Any, lst: Any) -> Tuple[Optional[bytes], str]:
    """The bytes of a list, and why there are none. No more than the bytes of 2^20 entries are ever inflated."""
    data = base64url(lst) if isinstance(lst, str) and bits in (1, 2, 4, 8) else None
    if not data:
        return None, "status_list_malformed"
    size = LIST_ENTRIES * int(bits) // 8
    stream = zlib.decompressobj()
    try:
        entries = stream.decompress(data, size + 1)
    except zlib.error:
        return None, "status_list_malformed"
    if len(entries) > size:
        return None, "status_list_too_large"
    is_whole = stream.eof and not stream.unused_data and entries
    return (entries, "ok") if is_whole else (None, "status_list_malformed")


def entry_at(entries: bytes, bits: int, index: int) -> Optional[int]:
    """The value of an entry: the first is in the lowest bits of the first byte. None where the list ends before."""
    place = index * bits // 8
    return entries[place] >> index * bits % 8 & (1 << bits) - 1 if place < len(entries) else None


def read_status_list(token: Any, key_set: KeySet, uri: str, now: datetime) -> Union[StatusList, str]:
    """
    Reads a list of ours; never raises for any token.

    :param key_set: the keys of the issuer's status lists, never those of its proofs
    :param uri: address of the list that is wanted
    :returns: the list, or the first fault
    """
    if not isinstance(token, str):
        return "status_list_malformed"
    if len(token) > MAX_TOKEN:
        return "status_list_too_large"
    parts = jws_parts(token)
    header = None if parts is None else strict_object(parts[0])
    if parts is None or header is None or header_fault(header) != "ok":
        return "status_list_malformed"
    if header.get("typ") != "statuslist+jwt":
        return "status_list_type_wrong"
    key = key_set.find(header["kid"])
    if isinstance(key, str):
        return "status_list_key_unknown"
    if not verify_rs256(key, parts[2], token.rpartition(".")[0].encode("ascii")):
        return "status_list_signature_invalid"
    claims = _claims_of(parts[1])
    if claims is None:
        return "status_list_malformed"
    if claims["sub"] != uri:
        return "status_list_subject_differs"
    # whoever had a key for a moment must not make a list that counts for years
    expires_at = min(claims["exp"], claims["iat"] + _LIFETIME)
    untimely = _time_fault(claims["iat"], expires_at, now)
    if untimely is not None:
        return untimely
    entries, fault = decode_entries(2, claims["status_list"]["lst"])
    if entries is None:
        return fault
    if len(entries) * 4 != LIST_ENTRIES:
        return "status_list_malformed"
    ttl = min(max(claims["ttl"], 60), _LIFETIME)
    return StatusList(uri, claims["iat"], expires_at, ttl, frozenset(claims["revoked_kids"]), entries)


def _claims_of(payload: bytes) -> Optional[Dict[str, Any]]:
    read = strict_object(payload)
    if read is None:
        return None
    claims = {"ttl": 900.0, "revoked_kids": [], **read}
    if not isinstance(claims.get("sub"), str) or not all(is_count(claims.get(name)) for name in ("iat", "exp", "ttl")):
        return None
    stated, kids = claims.get("status_list"), claims["revoked_kids"]
    if claims["exp"] <= claims["iat"] or not isinstance(stated, dict):
        return None
    if stated.get("bits") != 2 or isinstance(stated.get("bits"), bool) or not isinstance(stated.get("lst"), str):
        return None
    if not isinstance(kids, list) or not all(isinstance(kid, str) for kid in kids):
        return None
    return claims if base64url(stated["lst"]) is not None else None


def _time_fault(issued_at: float, expires_at: float, now: datetime) -> Optional[str]:
    seconds = seconds_of(now)
    if issued_at > seconds + _SKEW:
        return "status_list_not_yet_valid"
    return "status_list_expired" if expires_at <= seconds - _SKEW else None


def unverified_list(token: Any) -> Mapping[str, Any]:
    """What a token says of itself (`kid`, `iat`, `sub`), unverified: to choose among key sets and addresses, and nothing else."""
    parts = token.split(".", 2) if isinstance(token, str) and len(token) <= MAX_TOKEN else []
    data = [base64url(part) for part in parts[:2]]
    header = strict_object(data[0]) if data and data[0] is not None else None
    if header is None or header_fault(header) != "ok":
        return {}
    claims = strict_object(data[1]) if len(data) > 1 and data[1] is not None else None
    claims = claims or {}
    return {"kid": header["kid"], "iat": claims.get("iat"), "sub": claims.get("sub")}


def is_list_of(issuer: str, uri: str) -> bool:
    """Whether an address is one of a list of this issuer, written exactly so."""
    found = re.fullmatch(re.escape(issuer) + "/api/v1/mc4p/status/([1-9][0-9]{0,9})", uri)
    return found is not None and int(found.group(1)) <= _MAX_LIST


def status_entry(claims: Mapping[str, Any], issuer: str) -> Union[Tuple[int, str], str, None]:
    """Index and address that a proof names for its status; None if it names none, or the fault of the claim."""
    if "status" not in claims:
        return None
    status = claims["status"]
    entry = status.get("status_list") if isinstance(status, dict) else None
    if not isinstance(entry, dict) or not isinstance(entry.get("uri"), str) or not is_count(entry.get("idx")):
        return "status_claim_malformed"
    if not is_list_of(issuer, entry["uri"]):
        return "status_uri_differs"
    return (int(entry["idx"]), entry["uri"]) if entry["idx"] < LIST_ENTRIES else "status_index_out_of_range"
