"""Keys, signed checkpoints and cosignatures of transparency logs (C2SP: signed-note, tlog-checkpoint, tlog-cosignature)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Tuple, Union

from .encoding import standard_base64
from .keys import verify_ed25519

ED25519, COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44 = 1, 4, 6
_KEY_SIZES = {ED25519: 32, COSIGNATURE_ED25519: 32, COSIGNATURE_ML_DSA_44: 1312}
_MAX_NOTE, _MAX_SIGNATURES = 65_536, 100


@dataclass(frozen=True)
class LogKey:
    """A verifier key (vkey)."""

    name: str
    key_id: bytes
    type: int
    public: bytes


@dataclass(frozen=True)
class Checkpoint:
    """A signed checkpoint; its signatures have not been looked at."""

    text: str
    signatures: Tuple[Tuple[str, bytes, bytes], ...]
    """Name, id of the key, signature."""
    origin: str
    size: int
    root: bytes


def decimal(text: str) -> Optional[int]:
    """An integer from 0 to 2^53 - 1, written without sign or zeros before it; else None."""
    value = int(text) if re.fullmatch("0|[1-9][0-9]{0,15}", text) else None
    return value if value is not None and value < 2**53 else None


def _is_note_text(text: str) -> bool:
    return not re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", text)


def _is_key_name(name: str) -> bool:
    return name != "" and _is_note_text(name) and "+" not in name and not any(map(str.isspace, name))


def read_vkey(text: str) -> Optional[LogKey]:
    """None unless it is one, and its id follows from the rest."""
    found = re.fullmatch(r"([^+]+)\+([0-9a-f]{8})\+(.+)", text)
    data = standard_base64(found.group(3)) if found else None
    if found is None or not data or len(data) < 2 or not _is_key_name(found.group(1)):
        return None
    name, key_id, kind = found.group(1), bytes.fromhex(found.group(2)), data[0]
    if kind in _KEY_SIZES:
        wanted = hashlib.sha256(name.encode("utf-8") + b"\n" + data).digest()[:4]
        if len(data) != 1 + _KEY_SIZES[kind] or key_id != wanted:
            return None
    return LogKey(name, key_id, kind, data[1:])


def read_checkpoint(note: str) -> Union[Checkpoint, str]:
    """A checkpoint, or why it is none."""
    if len(note.encode("utf-8", "surrogatepass")) > _MAX_NOTE:
        return "note_too_large"
    text, blank, lines = note.rpartition("\n\n")
    if not blank or not lines.endswith("\n") or not _is_note_text(note):
        return "note_malformed"
    signatures: List[Tuple[str, bytes, bytes]] = []
    for line in lines[:-1].split("\n"):
        found = re.fullmatch("\u2014 ([^ ]+) ([^ ]+)", line)
        data = standard_base64(found.group(2)) if found else None
        if found is None or not data or len(data) < 5 or not _is_key_name(found.group(1)):
            return "note_malformed"
        signatures.append((found.group(1), data[:4], data[4:]))
    if len(signatures) > _MAX_SIGNATURES:
        return "note_too_large"
    origin, *rest = text.split("\n")
    size, root = decimal((rest + [""])[0]), standard_base64((rest + ["", ""])[1])
    if not origin or size is None or root is None or len(root) != 32 or "" in rest:
        return "checkpoint_malformed"
    return Checkpoint(text + "\n", tuple(signatures), origin, size, root)


def verify_checkpoint(
    read: Checkpoint, logs: Iterable[LogKey], witnesses: Iterable[LogKey]
) -> Union[List[Tuple[LogKey, int]], str]:
    """
    The cosignatures by known witnesses, each with its time in seconds since 1970, of a checkpoint that one of these logs signed; or a
    reason. A wrong signature of a known key spoils all.
    """
    own = [key for key in logs if key.name == read.origin]
    if not own:
        return "log_unknown"
    known = own + list(witnesses)
    cosigned: Dict[LogKey, int] = {}
    is_signed = False
    for name, key_id, stated in read.signatures:
        key = next((one for one in known if (one.name, one.key_id) == (name, key_id) and one.type in (1, 4)), None)
        if key is None:
            continue
        signature, message, time = stated, read.text, None
        if key.type == COSIGNATURE_ED25519:
            time, signature = int.from_bytes(stated[:8], "big"), stated[8:]
            message = "cosignature/v1\ntime %d\n%s" % (time, read.text)
        is_in_time = time is None or time < 2**53
        if not is_in_time or not verify_ed25519(key.public, signature, message.encode("utf-8")):
            return "log_checkpoint_signature_invalid"
        is_signed = is_signed or key in own
        if time is not None:
            cosigned.setdefault(key, time)
    return list(cosigned.items()) if is_signed else "log_checkpoint_signature_invalid"
