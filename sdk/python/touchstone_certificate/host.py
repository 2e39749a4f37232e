"""Hosts of addresses, by the WHATWG URL standard (UTS 46, non-transitional) as far as the tables of Python say."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from typing import List, Optional, Union

_FORBIDDEN = re.compile(r"[\x00-\x20#/:<>?@\[\\\]^|%\x7f]")
_IGNORED = re.compile(
    "[\u00ad\u034f\u17b4\u17b5\u180b-\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff\U0001bca0-\U0001bca3\U000e0100-\U000e01ef]"
)
_DOTS = re.compile("[\u3002\uff0e\uff61]")
_REFUSED = "\u3002\u115f\u1160\u3164\ufe12\ufffc\ufffd"
_NO_LETTERS = ("Cn", "Co", "Cs", "Cc", "Cf", "Zs", "Zl", "Zp")
_UNREADABLE = "\ufffd"


def parse_host(text: str) -> Optional[str]:
    """The host as a URL has it: a domain in ASCII, or an IP address in normal form; None if it is none."""
    if text.startswith("["):
        if not re.fullmatch(r"\[[0-9A-Fa-f:.]+\]", text):
            return None
        try:
            return "[%s]" % ipaddress.IPv6Address(text[1:-1])
        except ValueError:
            return None
    host = _domain_to_ascii(_percent_decoded(text))
    if not host or _FORBIDDEN.search(host):
        return None
    address = _ipv4(host)
    if address is None:
        return host
    return None if address is False else str(ipaddress.IPv4Address(address))


def _percent_decoded(text: str) -> str:
    if "%" not in text and text.isascii():
        return text
    data = text.encode("utf-8", "replace")
    data = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found.group(1), 16)]), data)
    return data.decode("utf-8", "replace")


def _domain_to_ascii(text: str) -> Optional[str]:
    if text.isascii():
        return text.lower()
    text = _DOTS.sub(".", _IGNORED.sub("", text))
    text = unicodedata.normalize("NFC", "".join(map(_mapped, text)))
    decoded = [_from_punycode(label) for label in text.split(".")]
    if _UNREADABLE in "".join(decoded):
        return None
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in "".join(decoded)):
        if any(label and _breaks_bidi(label) for label in decoded):
            return None
    labels = [_label_to_ascii(label) if label else "" for label in text.split(".")]
    return None if None in labels else ".".join(label for label in labels if label is not None)


def _mapped(character: str) -> str:
    """Letters become lower case, but these two stay what they are; no mapping makes a dot."""
    if character in "\u00df\u03c2":
        return character
    folded = "\u00df" if character == "\u1e9e" else unicodedata.normalize("NFKC", character).casefold()
    return _UNREADABLE if "." in folded and character != "." else folded


def _label_to_ascii(label: str) -> Optional[str]:
    """Punycode of a label; None where it is no domain's, and where the tables of Python do not say."""
    if label.startswith("xn--"):
        text = _from_punycode(label)
        is_normal = text == unicodedata.normalize("NFC", "".join(map(_mapped, text)))
        return label if is_normal and not text.isascii() and _label_to_ascii(text) == label else None
    if label.isascii():
        return label
    if unicodedata.category(label[0]).startswith("M"):
        return None
    for place, character in enumerate(label):
        if character in "\u200c\u200d":  # the joiners stand behind a virama; their other rule is beyond these tables
            if place == 0 or unicodedata.combining(label[place - 1]) != 9:
                return None
        elif unicodedata.category(character) in _NO_LETTERS or character in _REFUSED:
            return None
        elif 0x2FF0 <= ord(character) <= 0x2FFF:
            return None
    return "xn--" + label.encode("punycode").decode("ascii")


def _from_punycode(label: str) -> str:
    try:
        return label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label
    except (UnicodeError, ValueError):
        return _UNREADABLE


def _breaks_bidi(label: str) -> bool:
    """RFC 5893, 2: writing from right to left is not mixed with writing from left to right."""
    kinds = [unicodedata.bidirectional(character) for character in label]
    while kinds and kinds[-1] == "NSM":
        kinds.pop()
    if not kinds or kinds[0] not in ("L", "R", "AL"):
        return True
    if kinds[0] == "L":
        return bool(set(kinds) & {"R", "AL", "AN"}) or kinds[-1] not in ("L", "EN")
    return "L" in kinds or {"EN", "AN"} <= set(kinds) or kinds[-1] not in ("R", "AL", "EN", "AN")


def _ipv4(host: str) -> Union[int, None, bool]:
    """The number of an IPv4 address in any of its spellings; None where it is none, False if it is a broken one."""
    labels = host.split(".")
    if len(labels) > 1 and labels[-1] == "":
        labels.pop()
    if not re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1]):
        return None
    numbers: List[int] = []
    for label in labels:
        digits, base = (label[2:], 16) if label.startswith("0x") else (label, 10)
        if base == 10 and len(label) > 1 and label.startswith("0"):
            digits, base = label[1:], 8
        # a sign or underscore is none of its digits, though int() would take them
        if not re.fullmatch("[0-9a-f]*", digits) or (base == 10 and not digits):
            return False
        try:
            numbers.append(int(digits or "0", base))
        except ValueError:
            return False
    if len(numbers) > 4 or any(number > 255 for number in numbers[:-1]):
        return False
    if numbers[-1] >= 256 ** (5 - len(numbers)):
        return False
    return numbers[-1] + sum(number << 8 * (3 - place) for place, number in enumerate(numbers[:-1]))
