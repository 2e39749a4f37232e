"""Whether two hosts, or two addresses of pages, are the same (docs/format.md, sections 6 and 7)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import List, Optional, Tuple

from .address import Address, parse_address
from .encoding import utf16_length

MAX_ADDRESS = 8192
"""Characters of an address that is compared."""

IGNORED_PARAMETER = re.compile(
    "(utm_.*|gclid|gad_.*|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|li_fat_id|srsltid|igshid|mc_[ce]id"
    "|_hsenc|_hsmi|mkt_tok|_kx|_ga|_gl|ref|ref_src|variant|_pos|_sid|_ss|_psq|_fid|_v)"
)
"""Parameters that only track a visitor or select a variant; the list is closed."""

_COLLECTION = re.compile("/collections/[^/]+(?=/products/)")
_NO_BARE_HOST = re.compile("[/\\\\?#@:\\s%\\[\\]\ufeff]")
_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")
_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})[0-9A-Fa-f]?(?:%[0-9A-Fa-f]{2})*|%[0-9A-Fa-f]{2}")
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")


def host_of(url: str) -> Optional[str]:
    """The host of an http or https address, in normal form; None if it is none."""
    address = parse_address(url)
    return address.host if address else None


def normalize_host(text: str) -> Optional[str]:
    """The normal form of a bare hostname; None for anything more or less."""
    if _NO_BARE_HOST.search(text):
        return None
    host = host_of("http://" + text + "/")
    return None if host is None or "" in host.split(".") else host


def same_host(one: Optional[str], other: Optional[str]) -> bool:
    """Whether two hosts in normal form are the same domain. An IP address is nobody's domain."""
    return one is not None and one == other and not one.startswith("[") and not re.fullmatch(r"[0-9.]+", one)


@dataclass(frozen=True)
class PageComparison:
    """`reason` is "ok" if both are the same page; else `expected` and `actual` are what was compared."""

    reason: str
    expected: Optional[str] = None
    actual: Optional[str] = None


_Page = Tuple[str, List[str], str]


def compare_pages(signed: str, page: str) -> PageComparison:
    """Compares the signed address with that of a page: scheme, host, port, path, parameters and route."""
    longest = max(utf16_length(signed), utf16_length(page))
    if longest > MAX_ADDRESS:
        return PageComparison("url_too_long", "at most %d characters" % MAX_ADDRESS, "%d characters" % longest)
    expected, actual = parse_address(signed), parse_address(page)
    if actual is None:
        return PageComparison("page_url_invalid", actual=page)
    if expected is None:
        return PageComparison("signed_url_invalid", expected=signed)
    wanted = _normalized(expected)
    if expected.has_credentials or actual.has_credentials:
        return PageComparison("url_credentials", expected=_text_of(wanted))
    found = _without_additions(_normalized(actual), wanted)
    if found == wanted:
        return PageComparison("ok")
    extra = _extra_parameters(wanted, found)
    if not extra:
        return PageComparison("url_differs", _text_of(wanted), _text_of(found))
    return PageComparison("url_extra_parameter", _text_of(wanted), "%s (extra: %s)" % (_text_of(found), ", ".join(extra)))


def _decoded(text: str) -> str:
    """Decodes unreserved characters. Triplets that would make a percent sign before them whole stay as they are."""
    return _PERCENT.sub(_decoded_one, text) if "%" in text else text


def _decoded_one(found: "re.Match[str]") -> str:
    text = found.group(0)
    character = chr(int(text[1:], 16)) if len(text) == 3 and _TRIPLET.fullmatch(text) else ""
    if _UNRESERVED.fullmatch(character):
        return character
    return _TRIPLET.sub(lambda triplet: triplet.group(0).upper(), text)


def _normalized(address: Address) -> _Page:
    port = "" if address.port is None else ":%d" % address.port
    path = _decoded(address.path)
    path = path[:-1] if path.endswith("/") and not path.endswith("//") else path
    pairs = [pair for pair in _decoded(address.query).split("&") if pair]
    route = "#" + _decoded(address.fragment) if address.fragment[:1] in ("!", "/") else ""
    return address.scheme + "://" + address.host + port + path, sorted(pairs, key=_name), route


def _name(pair: str) -> str:
    return pair.split("=", 1)[0]


def _text_of(page: _Page) -> str:
    base, pairs, route = page
    return base + ("?" + "&".join(pairs) if pairs else "") + route


def _without_additions(page: _Page, signed: _Page) -> _Page:
    """What the signed address carries is never dropped from the page's."""
    (base, pairs, route), (signed_base, signed_pairs, signed_route) = page, signed
    if not _COLLECTION.search(signed_base):
        base = _COLLECTION.sub("", base, count=1)
    carried = {_name(pair) for pair in signed_pairs}
    pairs = [pair for pair in pairs if _name(pair) in carried or not IGNORED_PARAMETER.fullmatch(_name(pair))]
    return base, pairs, route if signed_route else ""


def _extra_parameters(signed: _Page, page: _Page) -> List[str]:
    """Names of the page's extra parameters; empty if anything else differs too."""
    if (signed[0], signed[2]) != (page[0], page[2]):
        return []
    missing = Counter(signed[1]) - Counter(page[1])
    left, extra = Counter(signed[1]), []
    for pair in page[1]:
        if left[pair] > 0:
            left[pair] -= 1
        else:
            extra.append(_name(pair))
    # shops read the last of several values: a signed parameter that is repeated may be another product's
    repeated = set(extra) & {_name(pair) for pair in signed[1]}
    return [] if missing or repeated else extra
