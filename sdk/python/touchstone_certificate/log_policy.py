"""Which logs and witnesses count, and how many witnesses are enough (C2SP: tlog-policy)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, FrozenSet, Iterable, List, Optional, Set, Union

from .encoding import standard_base64
from .log_checkpoint import COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44, ED25519, LogKey, decimal, read_vkey

_MAX_POLICY = 65_536
_Rule = Callable[[FrozenSet[str]], bool]


class LogPolicyError(ValueError):
    """A text that is no policy, for a reason, in a line."""

    def __init__(self, reason: str, line: Optional[int] = None) -> None:
        super().__init__(reason if line is None else "%s, line %d" % (reason, line))
        self.reason = reason
        self.line = line


@dataclass(frozen=True)
class EndedLog:
    """A log of which the key was revoked, with its last checkpoint and the size that the operator's quorum had cosigned."""

    key: LogKey
    time: int
    size: int
    root: bytes
    witnessed_size: int


class LogPolicy:
    """
    Which logs and witnesses count.

    :param data: the policy as bytes or text, at most 65,536 bytes
    :raises LogPolicyError: if it is none
    """

    def __init__(self, data: Union[bytes, str]) -> None:
        self.logs: List[LogKey] = []
        self.witnesses: Dict[str, LogKey] = {}
        self.ended: Dict[str, EndedLog] = {}
        """By origin."""
        self._rules: Dict[str, _Rule] = {}
        self._members: Set[str] = set()
        self._quorum: Optional[_Rule] = None
        self._has_quorum = False
        data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if len(data) > _MAX_POLICY:
            raise LogPolicyError("policy_too_large")
        for number, line in enumerate(data.split(b"\n"), 1):
            reason = self._read(line)
            if reason is not None:
                raise LogPolicyError(reason, number)
        if not self._has_quorum:
            raise LogPolicyError("policy_quorum_absent")

    @property
    def requires_witnesses(self) -> bool:
        """Whether the quorum is any but `none`."""
        return self._quorum is not None

    def is_met(self, names: Iterable[str]) -> bool:
        """Whether these witnesses are enough."""
        return self._quorum is None or self._quorum(frozenset(names))

    def _read(self, line: bytes) -> Optional[str]:
        if re.search(b"[\x00-\x08\x0b-\x1f\x7f]", line):
            return "policy_character_forbidden"
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode("latin-1")
        word, *items = [item for item in re.split("[ \t]+", text) if item] or ["#"]
        if word.startswith("#"):
            if word == "#ended" and len(items) in (5, 6):
                self._read_ended(items)
            return None
        readers = {"log": self._read_log, "witness": self._read_witness, "group": self._read_group, "quorum": self._read_quorum}
        return readers[word](items) if word in readers and items else "policy_line_malformed"

    def _read_log(self, items: List[str]) -> Optional[str]:
        if len(items) > 2:
            return "policy_line_malformed"
        key = read_vkey(items[0])
        if key is None:
            return "policy_key_malformed"
        if key.type == COSIGNATURE_ED25519:
            return "policy_key_type_wrong"
        if any(key.public == one.public for one in self.logs):
            return "policy_key_repeated"
        self.logs.append(key)
        return None

    def _read_ended(self, items: List[str]) -> None:
        """It is a comment: whoever does not know it does not trust the log; malformed, it is no more than that."""
        key, root = read_vkey(items[0]), standard_base64(items[3])
        time, size, witnessed = decimal(items[1]), decimal(items[2]), decimal(items[4])
        if key is None or key.type != ED25519 or root is None or len(root) != 32:
            return
        if time is not None and size is not None and witnessed is not None and witnessed <= size:
            self.ended.setdefault(key.name, EndedLog(key, time, size, root, witnessed))

    def _read_witness(self, items: List[str]) -> Optional[str]:
        if len(items) not in (2, 3):
            return "policy_line_malformed"
        name = items[0]
        if name == "none" or name in self._rules:
            return "policy_name_repeated"
        key = read_vkey(items[1])
        if key is None:
            return "policy_key_malformed"
        if key.type not in (COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44):
            return "policy_key_type_wrong"
        if any(key.public == one.public for one in self.witnesses.values()):
            return "policy_key_repeated"
        self.witnesses[name] = key
        self._rules[name] = lambda names: name in names
        return None

    def _read_group(self, items: List[str]) -> Optional[str]:
        name, members = items[0], items[2:]
        if not members:
            return "policy_line_malformed"
        if name == "none" or name in self._rules:
            return "policy_name_repeated"
        number = int(items[1]) if re.fullmatch("[1-9][0-9]{0,4}", items[1]) else 0
        count = {"any": 1, "all": len(members)}.get(items[1], number)
        if not 1 <= count <= len(members):
            return "policy_threshold_wrong"
        for member in members:
            if member not in self._rules:
                return "policy_name_unknown"
            if member in self._members:
                return "policy_member_repeated"
            self._members.add(member)
        rules = [self._rules[member] for member in members]
        self._rules[name] = lambda names: sum(rule(names) for rule in rules) >= count
        return None

    def _read_quorum(self, items: List[str]) -> Optional[str]:
        if len(items) > 1:
            return "policy_line_malformed"
        if self._has_quorum:
            return "policy_quorum_repeated"
        if items[0] != "none" and items[0] not in self._rules:
            return "policy_name_unknown"
        self._has_quorum, self._quorum = True, self._rules.get(items[0])
        return None
