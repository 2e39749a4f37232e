"""Canonical JSON (RFC 8785), within the limits of docs/format.md, section 4."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Optional

MAX_DEPTH = 64
MAX_VALUES = 20_000
MAX_LENGTH = 4_194_304
"""Characters of the output, in UTF-16."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def canonical_json(value: Any, namespace: str = "") -> Optional[str]:
    """
    The canonical JSON of a value.

    :param namespace: names that begin with it are written with `svc:` instead
    :returns: None for what has no canonical form (lone surrogates, infinite numbers, two names that become one), and for more than 64
        levels, 20,000 values or 4,194,304 characters
    """
    writer = _Writer(namespace)
    if not writer.write(value, 0):
        return None
    text = "".join(writer.parts)
    return text if len(text) + sum(1 for character in text if character > "\uffff") <= MAX_LENGTH else None


def canonical_number(value: float) -> str:
    """A finite double as ECMAScript writes it (RFC 8785, 3.2.2.3)."""
    if value == int(value) and abs(value) < 2**53:
        return str(int(value))
    mantissa, _, exponent = repr(abs(value)).partition("e")
    digits = mantissa.replace(".", "").lstrip("0")
    whole, _, fraction = mantissa.partition(".")
    point = (len(whole) if whole != "0" else len(fraction.lstrip("0")) - len(fraction)) + int(exponent or 0)
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    if 0 < point <= 21:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        return sign + whole + ("." + fraction if fraction else "")
    power = "e%s%d" % ("+" if point > 0 else "-", abs(point - 1))
    return sign + digits[0] + ("." + digits[1:] if digits[1:] else "") + power


class _Writer:
    """Writes parts until a limit is reached; `write` is false from then on."""

    def __init__(self, namespace: str) -> None:
        self.parts: List[str] = []
        self._namespace = namespace
        self._values = MAX_VALUES
        self._left = MAX_LENGTH

    def write(self, value: Any, depth: int) -> bool:
        self._values -= 1
        if self._values < 0 or self._left < 0:
            return False
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool):
            return self._put("null" if value is None else "true" if value else "false")
        if isinstance(value, (int, float)):
            is_finite = value == value and value not in (float("inf"), float("-inf"))
            return is_finite and self._put(canonical_number(value))
        if depth >= MAX_DEPTH:
            return False
        if isinstance(value, (list, tuple)):
            self._put("[")
            for place, entry in enumerate(value):
                if place:
                    self._put(",")
                if not self.write(entry, depth + 1):
                    return False
            return self._put("]")
        return isinstance(value, dict) and self._object(value, depth)

    def _object(self, value: Dict[str, Any], depth: int) -> bool:
        space = self._namespace
        names = value
        if space:
            names = {"svc:" + name[len(space) :] if name.startswith(space) else name: one for name, one in value.items()}
            if len(names) != len(value):
                return False
        self._put("{")
        for place, name in enumerate(sorted(names, key=_utf16)):
            if place:
                self._put(",")
            if not (self._text(name) and self._put(":") and self.write(names[name], depth + 1)):
                return False
        return self._put("}")

    def _text(self, text: str) -> bool:
        return not _SURROGATE.search(text) and self._put(json.dumps(text, ensure_ascii=False))

    def _put(self, part: str) -> bool:
        self.parts.append(part)
        self._left -= len(part)
        return True


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")
