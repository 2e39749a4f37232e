"""Parsing a JSON-LD block, with the errors repaired that pages commonly have."""

from __future__ import annotations

import html
import re
from typing import Any, List, Optional, Tuple

from ..strict_json import read_json

_JS_SPACE = "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_OPENINGS = re.compile(
    r"(?:[%s]|//(?=[%s]*<!)|/\*(?=[%s]*<!)|<!--|<!\[CDATA\[|(?<=\[)[%s]*\*/)+" % ((_JS_SPACE,) * 4)
)
_CLOSINGS = ("//", "/*", "-->", "]]>", "*/", ";")
_COMMENTS = (("/*", "*/"), ("//", "\n"), ("<!--", "-->"))
_PLAIN = re.compile('[^",/<\xa0\x00-\x08\x0b\x0c\x0e-\x1f]+')
_IN_STRING = re.compile(r'[^"\\\x00-\x1f]+')


def parse_json_ld(text: str) -> Optional[Tuple[Any, bool]]:
    """The value of a block, and whether it had to be repaired; None if it cannot be read."""
    bare = text.strip(_JS_SPACE)
    value = _parsed(bare)
    if value is not None:
        return value[0], False
    unwrapped = _unwrapped(bare)
    candidates = [bare] if unwrapped == bare else [unwrapped, bare]
    if re.search("&(?:quot|#34|#x22|amp);", unwrapped, re.I):
        candidates.append(html.unescape(unwrapped))
    for candidate in candidates:
        value = _parsed(candidate) or _parsed_repaired(_repaired(candidate))
        if value is not None:
            return value[0], True
    return None


def _parsed(text: str) -> Optional[Tuple[Any]]:
    try:
        return (read_json(text),)
    except ValueError:
        return None


def _parsed_repaired(text: str) -> Optional[Tuple[Any]]:
    """Several objects in one block are a list; in repaired text, no string contains a raw line break."""
    value = _parsed(text)
    if value is not None or not text.startswith("{"):
        return value
    between = r"\}([%s]*)\{" % _JS_SPACE
    return _parsed("[" + re.sub(between, lambda found: "},{" if "\n" in found.group(1) else found.group(0), text) + "]")


def _unwrapped(text: str) -> str:
    opened = _OPENINGS.sub("", text, count=1) if _OPENINGS.match(text) else text
    opened = re.sub(r"\A[%s]*\*/" % _JS_SPACE, "", opened)
    end = len(opened.rstrip(_JS_SPACE))
    opened = opened[:end].lstrip(_JS_SPACE)
    end = len(opened)
    while True:
        closing = next((one for one in _CLOSINGS if opened.endswith(one, 0, end)), None)
        if closing is None:
            return opened[:end]
        end -= len(closing)
        while end > 0 and opened[end - 1] in _JS_SPACE:
            end -= 1


def _repaired(text: str) -> str:
    """Repairs the text in one pass that tells strings from structure."""
    out: List[str] = []
    at = 0
    while at < len(text):
        plain = _PLAIN.match(text, at)
        if plain is not None:
            out.append(plain.group())
            at = plain.end()
            continue
        sign = text[at]
        after = _after_comment(text, at)
        if sign == '"':
            at = _repair_string(text, at, out)
        elif after > at:
            at = after
        elif sign == ",":
            at = _repair_comma(text, at, out)
        else:
            if sign >= " ":
                out.append(" " if sign == "\xa0" else sign)
            at += 1
    return "".join(out)


def _after_comment(text: str, at: int) -> int:
    """The end of the comment that begins here; the same place if none does."""
    for opening, closing in _COMMENTS:
        if text.startswith(opening, at):
            end = text.find(closing, at + len(opening))
            return len(text) if end == -1 else end + len(closing)
    return at


def _repair_comma(text: str, at: int, out: List[str]) -> int:
    """Drops a comma that is followed by a closing bracket or another comma."""
    following = at + 1
    while True:
        while following < len(text) and (text[following] == "," or text[following] in _JS_SPACE):
            following += 1
        after = _after_comment(text, following)
        if after == following:
            break
        following = after
    last = out[-1][-1:] if out else ""
    if text[following : following + 1] not in ("}", "]", "") and last not in ("{", "["):
        out.append(",")
    return following


def _closes_string(text: str, quote: int) -> bool:
    """Whether a quote ends its string, by what follows; otherwise it is an unescaped one within."""
    following = _after_space(text, quote + 1)
    sign = text[following : following + 1]
    if sign == "" or sign in '}]:"':
        return True
    if sign != ",":
        return any(text.startswith(opening, following) for opening, _ in _COMMENTS)
    place = _after_space(text, following + 1)
    value = text[place : place + 1]
    return value == "" or value in '"{[]},/<tfn-' or value in "0123456789"


def _after_space(text: str, at: int) -> int:
    while at < len(text) and (text[at] <= " " or text[at] == "\xa0"):
        at += 1
    return at


def _repair_string(text: str, at: int, out: List[str]) -> int:
    out.append('"')
    at += 1
    while at < len(text):
        plain = _IN_STRING.match(text, at)
        if plain is not None:
            out.append(plain.group())
            at = plain.end()
            continue
        sign = text[at]
        if sign == '"':
            if _closes_string(text, at):
                break
            # an inch mark or quotation mark
            out.append('\\"')
        elif sign == "\\":
            following = text[at + 1 : at + 2]
            is_good = following != "" and following in '"\\/bfnrtu'
            if following == "u":
                is_good = re.match("[0-9A-Fa-f]{4}", text[at + 2 : at + 6]) is not None
            out.append(("\\" if is_good else "") + following)
            at += 1
        else:
            out.append("\\u%04x" % ord(sign))
        at += 1
    out.append('"')
    return at + 1
