"""Addresses, taken apart as browsers do (WHATWG URL standard), as far as their schemes are those of servers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List, Optional

from .host import parse_host

C0_OR_SPACE = "".join(map(chr, range(0x21)))
_ADDRESS = re.compile(r"(https?|ftp|wss?):[/\\]*([^/\\?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.I | re.S)
_SCHEME = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")
_SERVER = re.compile(r"(\[[^\]]*\]|[^:\[]*)(?::([0-9]*))?", re.S)
_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}


@dataclass(frozen=True)
class Address:
    """The parts of an address in their normal form; the host has no dot at its end, except in `raw_host`."""

    scheme: str
    host: str
    raw_host: str
    port: Optional[int]
    path: str
    query: str
    """Without the question mark."""
    fragment: str
    has_query: bool
    """Whether there is a question mark at all; likewise of the fragment."""
    has_fragment: bool
    credentials: str
    """As they were written."""

    @property
    def has_credentials(self) -> bool:
        """Whether there is a user name or a password."""
        return self.credentials not in ("", ":")

    @property
    def authority(self) -> str:
        """Host and port, as they stand in an address."""
        return self.raw_host if self.port is None else "%s:%d" % (self.raw_host, self.port)


def parse_address(text: str) -> Optional[Address]:
    """None for anything but an absolute http or https address."""
    address = _parse(_trimmed(text))
    return address if address is not None and address.scheme in ("http", "https") else None


def _trimmed(text: str) -> str:
    return re.sub(r"[\t\n\r]", "", text.strip(C0_OR_SPACE))


def _parse(text: str) -> Optional[Address]:
    found = _ADDRESS.match(text)
    if found is None:
        return None
    scheme, authority, path = found.group(1).lower(), found.group(2), found.group(3)
    query, fragment = found.group(4) or "", found.group(5) or ""
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
    is_web = scheme in ("http", "https")
    return Address(
        scheme=scheme,
        # only of hosts that are compared
        host=host[:-1] if is_web and host.endswith(".") else host,
        raw_host=host,
        port=None if port == _DEFAULT_PORTS[scheme] else port,
        path=_path_of(path),
        query=_percent_encoded(query[1:], "\"#<>'"),
        fragment=_percent_encoded(fragment[1:], '"<>`'),
        has_query=query != "",
        has_fragment=fragment != "",
        credentials=credentials,
    )


def resolve(text: str, base: str) -> Optional[Address]:
    """The address that a reference stands for on a page; None if the page has none, or the reference is of another scheme."""
    page, text = _parse(_trimmed(base)), _trimmed(text)
    if page is None:
        return None
    scheme = _SCHEME.match(text)
    if scheme is not None:
        rest = text[scheme.end() :]
        is_relative = scheme.group(1).lower() == page.scheme and not re.match(r"[/\\]{2}", rest)
        if not is_relative:
            return _parse(text)
        text = rest
    path = re.split("[?#]", text, maxsplit=1)[0]
    more, path = text[len(path) :], path.replace("\\", "/")
    credentials = page.credentials + "@" if page.has_credentials else ""
    if path.startswith("//"):
        return _parse("%s:%s%s" % (page.scheme, path, more))
    if path == "":
        query = "?" + page.query if page.has_query and not more.startswith("?") else ""
        path, more = page.path, query + more
    elif not path.startswith("/"):
        path = page.path.rpartition("/")[0] + "/" + path
    return _parse("%s://%s%s%s%s" % (page.scheme, credentials, page.authority, path, more))


def written(address: Address) -> str:
    """An address as text."""
    credentials = address.credentials + "@" if address.has_credentials else ""
    query = "?" + address.query if address.has_query else ""
    fragment = "#" + address.fragment if address.has_fragment else ""
    return "%s://%s%s%s%s%s" % (address.scheme, credentials, address.authority, address.path, query, fragment)


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
