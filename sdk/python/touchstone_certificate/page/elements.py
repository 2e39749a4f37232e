"""The elements of a page that its certificates are in, and that tell of its address: one pass over the markup, in linear time."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

MAX_HTML = 8_000_000
"""Characters that are read of a page."""

_TAG_NAME = re.compile(r"[A-Za-z][^\t\n\f\r />]*")
_BEFORE_ATTRIBUTE = re.compile(r"[\t\n\f\r /]*")
_ATTRIBUTE_NAME = re.compile(r"=?[^\t\n\f\r />=]*")
_EQUALS = re.compile(r"[\t\n\f\r ]*=[\t\n\f\r ]*")
_UNQUOTED = re.compile(r"[^\t\n\f\r >]*")
_COMMENT_END = re.compile("--!?>")
# elements whose content is text alone
_RAW = {"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"}
_WANTED = {"script", "link", "base"}


@dataclass(frozen=True)
class Element:
    """A script, link or base element. Names are in lower case, values decoded; `text` is the content of a script."""

    name: str
    attributes: Dict[str, str]
    text: str = ""


def elements_of(source: str, findings: List[str]) -> List[Element]:
    """The elements in the order of the page, as browsers find them, but for scripts within scripts' comments."""
    if len(source) > MAX_HTML:
        findings.append("page_cut")
        source = source[:MAX_HTML]
    found: List[Element] = []
    at = source.find("<")
    while at != -1:
        following = source[at + 1 : at + 2]
        if following.isascii() and following.isalpha():
            tag = _start_tag(source, at + 1)
            if tag is None or tag[0] == "plaintext":
                return found
            name, attributes, end = tag
            start = end
            if name in _RAW:
                end = _end_of_raw(source, name, start)
            if name in _WANTED:
                found.append(Element(name, attributes, source[start:end] if name == "script" else ""))
            at = end
        elif source.startswith("<!--", at):
            at = _after_comment(source, at + 4)
        elif following in ("!", "?", "/"):
            end = source.find(">", at + 2)
            at = len(source) if end == -1 else end + 1
        else:
            at += 1
        at = source.find("<", at)
    return found


def _start_tag(source: str, at: int) -> Optional[Tuple[str, Dict[str, str], int]]:
    """Name, attributes and end of a start tag; None if it does not end."""
    found = _TAG_NAME.match(source, at)
    if found is None:
        return None
    name, at = found.group().lower(), found.end()
    is_wanted = name in _WANTED
    attributes: Dict[str, str] = {}
    while True:
        at = _end(_BEFORE_ATTRIBUTE, source, at)
        sign = source[at : at + 1]
        if sign == "":
            return None
        if sign == ">":
            return name, attributes, at + 1
        end = _end(_ATTRIBUTE_NAME, source, at)
        attribute = source[at:end].lower()
        equals = _EQUALS.match(source, end)
        value, at = ("", end) if equals is None else _value(source, equals.end())
        if at == -1:
            return None
        if is_wanted and attribute not in attributes:
            attributes[attribute] = html.unescape(value) if "&" in value else value


def _value(source: str, at: int) -> Tuple[str, int]:
    quote = source[at : at + 1]
    if quote in ('"', "'") and quote:
        end = source.find(quote, at + 1)
        return ("", -1) if end == -1 else (source[at + 1 : end], end + 1)
    end = _end(_UNQUOTED, source, at)
    return source[at:end], end


def _end(pattern: "re.Pattern[str]", source: str, at: int) -> int:
    found = pattern.match(source, at)
    return at if found is None else found.end()


def _end_of_raw(source: str, name: str, at: int) -> int:
    """Where the end tag begins; the end of the page if there is none."""
    found = re.compile("</%s(?=[\t\n\f\r />])" % name, re.I).search(source, at)
    return len(source) if found is None else found.start()


def _after_comment(source: str, at: int) -> int:
    for short in (">", "->"):
        if source.startswith(short, at):
            return at + len(short)
    found = _COMMENT_END.search(source, at)
    return len(source) if found is None else found.end()
