"""Absolute http and https addresses, taken apart as browsers do (WHATWG URL standard)."""

from __future__ import annotations

import re
import urllib.parse
from dataclasses import dataclass
from typing import List, Optional

from .host import parse_host

C0_OR_SPACE = "".join(map(chr, range(0x21)))
_ADDRESS = re.compile(r"(https?):[/\\]*([^/\\?#]*)([^?#]*)(\?[^#]*)?(?:#(.*))?", re.I | re.S)
_SERVER = re.compile(r"(\[[^\]]*\]|[^:\[]*)(?::([0-9]*))?", re.S)
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Address:
    """The parts of an address in their normal form; the host has no dot at its end, except in `raw_host`."""

    scheme: str
    host: str
    raw_host: str
    port: Optional[int]
    path: str
    has_query: bool
    query: str
    fragment: str
    has_credentials: bool

    @property
    def authority(self) -> str:
        """Host and port, as they stand in an address."""
        return self.raw_host if self.port is None else "%s:%d" % (self.raw_host, self.port)


def parse_address(text: str) -> Optional[Address]:
    """None for anything but an absolute http or https address."""
    text = re.sub(r"[\t\n\r]", "", text.strip(C0_OR_SPACE))
    found = _ADDRESS.match(text)
    if found is None:
        return None
    scheme, authority, path, query = found.group(1).lower(), found.group(2), found.group(3), found.group(4) or ""
    credentials, _, server = authority.rpartition("@")
    split = _SERVER.fullmatch(server)
    host = parse_host(split.group(1)) if split else None
    if split is None or host is None:
        return None
    port = None
    if split.group(2):
        digits = split.group(2).lstrip("0") or "0"
        port = int(digits) if len(digits) < 6 else 65536
        if port > 65535:
            return None
    return Address(
        scheme=scheme,
        host=host[:-1] if host.endswith(".") else host,
        raw_host=host,
        port=None if port == _DEFAULT_PORTS[scheme] else port,
        path=_path_of(path),
        has_query=query != "",
        query=_percent_encoded(query[1:], "\"#<>'"),
        fragment=_percent_encoded(found.group(5) or "", '"<>`'),
        has_credentials=credentials not in ("", ":"),
    )


def resolve(text: str, base: str) -> Optional[Address]:
    """The address that a reference stands for on a page; None unless that is http or https."""
    text = re.sub(r"[\t\n\r]", "", text.strip(C0_OR_SPACE))
    if not re.match("[A-Za-z][A-Za-z0-9+.-]*:", text):
        text = urllib.parse.urljoin(base, text.replace("\\", "/"))
    elif re.match("https?:", text, re.I) and not re.match(r"https?:[/\\]{2}", text, re.I):
        text = urllib.parse.urljoin(base, text.partition(":")[2].replace("\\", "/"))
    return parse_address(text)


def written(address: Address) -> str:
    """An address as text, without user name and password."""
    query = "?" + address.query if address.query else ""
    fragment = "#" + address.fragment if address.fragment else ""
    return "%s://%s%s%s%s" % (address.scheme, address.authority, address.path, query, fragment)


def _percent_encoded(text: str, more: str) -> str:
    if text.isascii() and not any(character <= " " or character == "\x7f" or character in more for character in text):
        return text
    data = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")
    return "".join(chr(byte) if 0x20 < byte < 0x7F and chr(byte) not in more else "%%%02X" % byte for byte in data)


def _path_of(text: str) -> str:
    segments = re.split(r"[/\\]", text)[1:] or [""]
    path: List[str] = []
    for place, segment in enumerate(segments):
        dots = re.sub("%2e", ".", segment, flags=re.I)
        if dots == ".." and path:
            path.pop()
        if dots in (".", ".."):
            if place == len(segments) - 1:
                path.append("")
        else:
            path.append(_percent_encoded(segment, '"#<>?^`{}'))
    return "/" + "/".join(path)
