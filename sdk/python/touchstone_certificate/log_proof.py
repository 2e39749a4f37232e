"""Whether the proof of a certificate is in a transparency log (docs/format.md, section 9; C2SP: tlog-proof)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, Dict, Optional, Sequence, Tuple

from .canonical import canonical_json
from .encoding import base64url, sha256_base64url, standard_base64, utf16_length
from .log_checkpoint import Checkpoint, decimal, read_checkpoint, verify_checkpoint
from .log_policy import LogPolicy
from .members import LOG_PROOF
from .proof import is_whole, read_proof, typ_of
from .results import LogFinding
from .strict_json import strict_object
from .submitted import proof_jwt, read_document

_MAX_LOG_PROOF, _MAX_HASHES, _MAX_LEAF = 2 * 65_536 + 90_000, 64, 1024


@dataclass(frozen=True)
class _LogProof:
    extra: bytes
    index: int
    path: Tuple[bytes, ...]
    checkpoint: Checkpoint


def verify_log_proof(proof: Any, *, policy: LogPolicy, text: Optional[str] = None) -> LogFinding:
    """
    Whether the proof of a certificate is logged: the entry is about this proof, it is in the tree, the log has signed the tree, and enough
    witnesses have. Nothing follows from it without a valid signature of the proof (`with_log`).

    :param proof: the proof (`proof.jwt`), or the document that contains it
    :param text: tlog-proof; default: the one that the document carries
    """
    given: Any = text
    if given is None:
        node = read_document(proof).node
        given = None if node is None else node.get(LOG_PROOF)
    if given is None:
        return LogFinding(None, "log_proof_absent")
    parts = _read_log_proof(given)
    if parts is None or not parts.extra:
        return LogFinding("invalid", "log_proof_malformed")
    fault = _leaf_fault(proof_jwt(proof), parts.extra, parts.checkpoint.origin)
    if fault is not None:
        return replace(_told_of(parts), status="invalid", reason=fault)
    return verify_included(parts.extra, given, policy=policy)


def verify_included(entry: bytes, text: Any, *, policy: LogPolicy) -> LogFinding:
    """Whether an entry is in a log of the policy, by any tlog-proof: inclusion, checkpoint and quorum."""
    parts = _read_log_proof(text)
    if parts is None:
        return LogFinding("invalid", "log_proof_malformed")
    told, read = _told_of(parts), parts.checkpoint
    if _root_of(entry, parts.index, read.size, parts.path) != read.root:
        return replace(told, status="invalid", reason="log_inclusion_invalid")
    ended = policy.ended.get(read.origin)
    cosigned = verify_checkpoint(read, policy.logs if ended is None else [ended.key], policy.witnesses.values())
    if isinstance(cosigned, str):
        return replace(told, status=None if cosigned == "log_unknown" else "invalid", reason=cosigned)
    is_last = ended is None or (read.size, read.root) == (ended.size, ended.root)
    # others can sign with a revoked key: but for its last checkpoint, only what witnesses cosigned before counts
    keys = [
        key
        for key, time in cosigned
        if is_last or ended is None or (time <= ended.time and read.size <= ended.witnessed_size)
    ]
    names = tuple(name for name, key in policy.witnesses.items() if key in keys)
    is_witnessed = policy.requires_witnesses and policy.is_met(names)
    if not is_last and not is_witnessed:
        return replace(told, status=None, reason="log_ended")
    status, reason = ("witnessed", "witnessed") if is_witnessed else ("logged", "logged_not_witnessed")
    return replace(told, status=status, reason=reason, witnesses=names, is_enough=policy.is_met(names))


def _told_of(parts: _LogProof) -> LogFinding:
    read = parts.checkpoint
    return LogFinding(None, "log_proof_absent", origin=read.origin, index=parts.index, tree_size=read.size)


def _read_log_proof(text: Any) -> Optional[_LogProof]:
    """None for anything else."""
    if not isinstance(text, str) or utf16_length(text) > _MAX_LOG_PROOF:
        return None
    head, blank, checkpoint = text.partition("\n\n")
    if not blank:
        return None
    first, *lines = head.split("\n")
    has_extra = bool(lines) and lines[0].startswith("extra ")
    extra = standard_base64(lines.pop(0)[6:]) if has_extra else b""
    line = lines.pop(0) if lines else ""
    index = decimal(line[6:]) if line.startswith("index ") else None
    path = [standard_base64(one) for one in lines]
    if first != "c2sp.org/tlog-proof@v1" or index is None or extra is None or (has_extra and not extra):
        return None
    hashes = tuple(one for one in path if one is not None and len(one) == 32)
    if len(path) > _MAX_HASHES or len(hashes) != len(path):
        return None
    read = read_checkpoint(checkpoint)
    return None if isinstance(read, str) else _LogProof(extra, index, hashes, read)


def _root_of(entry: bytes, index: int, size: int, path: Sequence[bytes]) -> Optional[bytes]:
    """The root that follows from an inclusion proof (RFC 9162, 2.1.3.2); None if it has the wrong length."""
    node, last, root = index, size - 1, hashlib.sha256(b"\0" + entry).digest()
    if index >= size:
        return None
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            root = hashlib.sha256(b"\1" + sibling + root).digest()
            while node and not node & 1:
                node, last = node >> 1, last >> 1
        else:
            root = hashlib.sha256(b"\1" + root + sibling).digest()
        node, last = node >> 1, last >> 1
    return root if last == 0 else None


_LEAF_NAMES = {"exp", "iat", "kid", "kind", "proof", "subject", "v"}


def _leaf_fault(jwt: Optional[str], entry: bytes, origin: str) -> Optional[str]:
    """Why an entry is not about this proof; None if it is."""
    proof, leaf = read_proof(jwt), _leaf_of(entry)
    if jwt is None or leaf is None or proof.fault != "ok" or proof.claims is None:
        return "log_leaf_differs"
    claims = proof.claims
    is_about = (
        leaf["proof"] == sha256_base64url(jwt.encode("ascii"))
        and leaf["kid"] == proof.kid
        and isinstance(leaf["kind"], str)
        and typ_of(leaf["kind"]) == proof.typ
        and leaf.get("domain", claims.get("domain")) == claims.get("domain")
        and all(isinstance(claims.get(name), float) and leaf[name] == claims[name] for name in ("iat", "exp"))
    )
    if not is_about:
        return "log_leaf_differs"
    year = re.search(r"/log/([0-9]{4})(?:-[1-9][0-9]{0,2})?\Z", origin)
    return None if year is None or _year_of(leaf["iat"]) == int(year.group(1)) else "log_year_differs"


def _leaf_of(entry: bytes) -> Optional[Dict[str, Any]]:
    """The members of an entry, if it has the form of one."""
    leaf = strict_object(entry) if len(entry) <= _MAX_LEAF else None
    if leaf is None or leaf.get("v") != 1 or isinstance(leaf.get("v"), bool):
        return None
    hosts = {"domain", "domainHash"} & set(leaf)
    text = canonical_json(leaf)
    if len(hosts) != 1 or set(leaf) != _LEAF_NAMES | hosts or text is None or text.encode("utf-8") != entry:
        return None
    hashes = [leaf[name] for name in ("proof", "subject", *(hosts - {"domain"}))]
    if not all(isinstance(one, str) and len(base64url(one) or b"") == 32 for one in hashes):
        return None
    is_text = isinstance(leaf.get("domain", ""), str)
    return leaf if is_text and is_whole(leaf["iat"]) and is_whole(leaf["exp"]) else None


def _year_of(seconds: float) -> Optional[int]:
    try:
        return datetime.fromtimestamp(seconds, timezone.utc).year
    except (ValueError, OverflowError, OSError):
        return None
