#!/usr/bin/env python3
"""Verifies a product certificate. One file, Python 3.8 or later, nothing but its standard library.

    verify.py certificate.json --page-url https://shop.example/products/cup \\
        --issuer https://certificates.example --jwks jwks.json

Keys belong to issuers. If several are trusted, name them: --jwks https://certificates.example=jwks.json, or
--jwks https://certificates.example,https://former.example=jwks.json for issuers that share their keys.

Whether it was withdrawn meanwhile is told by a status list of the issuer: from files (--status-list, --status-keys),
or with --fetch-status from the issuer, the only use of the network here. --log POLICY verifies what it says about its
place in a transparency log.

Written from docs/format.md alone, as a second opinion: it shares no code with the service, and passes every proof and
document vector of test/vectors. The exit code is 0 for verified, 1 for failed (also withdrawn), 2 for unverified (also
suspended), 3 if no verdict is possible (no trusted issuer, no keys, no status list or log where one is required, a wrong
statement about the log), 64 for wrong usage.
"""
import argparse
import base64
import hashlib
import ipaddress
import itertools
import json
import re
import sys
import threading
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections import Counter
from datetime import datetime, timezone

# ------------------------------------------------------------------------------------------------ JSON, strictly


class KeysUnavailable(Exception):
    """No verdict: the keys were read before the proof was issued, which may be signed with a newer one."""


class Refused(Exception):
    """A text that two readers could understand differently."""


def _unique(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Refused("a name stands twice")
    return dict(pairs)


def _no_constant(name):
    raise Refused(name + " is no JSON")


def read_json(text, unique=False):
    """Every number becomes a double, as in most languages: 9007199254740993 and 1e400 must stay the same here."""
    hook = {"object_pairs_hook": _unique} if unique else {}
    return json.loads(text, parse_int=float, parse_float=float, parse_constant=_no_constant, **hook)


def strict_object(data):
    """Bytes as one JSON object in UTF-8, without byte order mark and without a name twice; None for anything else."""
    try:
        value = read_json(data.decode("utf-8"), unique=True)
    except (ValueError, Refused, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def base64url(text):
    """Canonical base64url without padding: no other alphabet, no white space, no bits left over; else None."""
    if not re.fullmatch("[A-Za-z0-9_-]*", text):
        return None
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if base64.urlsafe_b64encode(data).rstrip(b"=") == text.encode("ascii") else None


# ------------------------------------------------------------------------------------- addresses (WHATWG, http and https)

_C0_OR_SPACE = "".join(map(chr, range(0x21)))
_FORBIDDEN_IN_HOST = re.compile(r"[\x00-\x20#/:<>?@\[\\\]^|%\x7f]")
_IGNORED_IN_HOST = re.compile(
    "[\u00ad\u034f\u17b4\u17b5\u180b-\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff\U0001bca0-\U0001bca3\U000e0100-\U000e01ef]"
)
_DOTS = re.compile("[\u3002\uff0e\uff61]")


def _percent_encode(text, more):
    data = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")
    keep = lambda byte: 0x20 < byte < 0x7F and chr(byte) not in more  # noqa: E731
    return "".join(chr(byte) if keep(byte) else "%%%02X" % byte for byte in data)


def _percent_decode(text):
    data = text.encode("utf-8", "replace")
    data = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found.group(1), 16)]), data)
    return data.decode("utf-8", "replace")


def _mapped(character):
    """UTS 46, non-transitional: letters become lower case, but these two stay what they are; no mapping makes a dot."""
    if character in "\u00df\u03c2":
        return character
    folded = "\u00df" if character == "\u1e9e" else unicodedata.normalize("NFKC", character).casefold()
    return "\ufffd" if "." in folded and character != "." else folded


def _label_to_ascii(label):
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


_REFUSED = "\u3002\u115f\u1160\u3164\ufe12\ufffc\ufffd"
_NO_LETTERS = ("Cn", "Co", "Cs", "Cc", "Cf", "Zs", "Zl", "Zp")


def _breaks_bidi(label):
    """RFC 5893, 2: writing from right to left is not mixed with writing from left to right."""
    kinds = [unicodedata.bidirectional(character) for character in label]
    while kinds and kinds[-1] == "NSM":
        kinds.pop()
    if not kinds or kinds[0] not in ("L", "R", "AL"):
        return True
    if kinds[0] == "L":
        return bool(set(kinds) & {"R", "AL", "AN"}) or kinds[-1] not in ("L", "EN")
    return "L" in kinds or {"EN", "AN"} <= set(kinds) or kinds[-1] not in ("R", "AL", "EN", "AN")


def _domain_to_ascii(text):
    if text.isascii():
        return text.lower()
    text = _DOTS.sub(".", _IGNORED_IN_HOST.sub("", text))
    text = unicodedata.normalize("NFC", "".join(map(_mapped, text)))
    decoded = [_from_punycode(label) for label in text.split(".")]
    if "\ufffd" in "".join(decoded):
        return None
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in "".join(decoded)):
        if any(label and _breaks_bidi(label) for label in decoded):
            return None
    labels = [_label_to_ascii(label) if label else "" for label in text.split(".")]
    return None if None in labels else ".".join(labels)


def _from_punycode(label):
    try:
        return label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label
    except (UnicodeError, ValueError):
        return "\ufffd"


def _ipv4(host):
    """Whether the host is an IPv4 address in any of its spellings: its number, None where it is none, False if broken."""
    labels = host.split(".")
    if len(labels) > 1 and labels[-1] == "":
        labels.pop()
    last = labels[-1]
    if not re.fullmatch(r"[0-9]+|0x[0-9a-f]*", last):
        return None
    numbers = []
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
    return numbers[-1] + sum(number * 256 ** (3 - place) for place, number in enumerate(numbers[:-1]))


def _parse_host(text):
    if text.startswith("["):
        if not re.fullmatch(r"\[[0-9A-Fa-f:.]+\]", text):
            return None
        try:
            return "[%x]" % int(ipaddress.IPv6Address(text[1:-1]))
        except ValueError:
            return None
    host = _domain_to_ascii(_percent_decode(text))
    if not host or _FORBIDDEN_IN_HOST.search(host):
        return None
    address = _ipv4(host)
    if address is None:
        return host
    return None if address is False else str(ipaddress.IPv4Address(address))


class Address:
    """An absolute http or https address, taken apart as browsers do."""

    def __init__(self, scheme, host, port, path, query, fragment, has_credentials):
        self.scheme, self.host, self.port = scheme, host[:-1] if host.endswith(".") else host, port
        self.path, self.query, self.fragment, self.has_credentials = path, query, fragment, has_credentials


def parse_address(text):
    """None for anything but an absolute http or https address."""
    text = re.sub(r"[\t\n\r]", "", text.strip(_C0_OR_SPACE))
    found = re.match(r"(https?):[/\\]*([^/\\?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", text, re.I | re.S)
    if found is None:
        return None
    scheme, authority, path, query = found.group(1).lower(), found.group(2), found.group(3), found.group(4) or ""
    credentials, _, server = authority.rpartition("@")
    split = re.fullmatch(r"(\[[^\]]*\]|[^:\[]*)(?::([0-9]*))?", server, re.S)
    host = _parse_host(split.group(1)) if split else None
    if host is None:
        return None
    port = int(split.group(2)) if split.group(2) else None
    if port is not None and port > 65535:
        return None
    port = None if port == {"http": 80, "https": 443}[scheme] else port
    has_credentials = credentials not in ("", ":")
    query, fragment = _percent_encode(query, "\"#<>'"), _percent_encode(found.group(5) or "", "\"<>`")
    return Address(scheme, host, port, _parse_path(path), query, fragment, has_credentials)


def _parse_path(text):
    segments = re.split(r"[/\\]", text)[1:] or [""]
    path = []
    for place, segment in enumerate(segments):
        dots = re.sub("%2e", ".", segment, flags=re.I)
        if dots == ".." and path:
            path.pop()
        if dots in (".", ".."):
            if place == len(segments) - 1:
                path.append("")
        else:
            path.append(_percent_encode(segment, "\"#<>?^`{}"))
    return "/" + "/".join(path)


# -------------------------------------------------------------------------- the same host, the same page (format.md, 6 and 7)

_IGNORED_PARAMETER = re.compile(
    "(utm_.*|gclid|gad_.*|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|li_fat_id|srsltid|igshid|mc_[ce]id"
    "|_hsenc|_hsmi|mkt_tok|_kx|_ga|_gl|ref|ref_src|variant|_pos|_sid|_ss|_psq|_fid|_v)"
)


def _decode_unreserved(text):
    """Triplets that would make a percent sign before them whole stay as they are."""

    def one(found):
        character = chr(int(found.group(0)[1:], 16)) if len(found.group(0)) == 3 else ""
        if re.fullmatch(r"[A-Za-z0-9\-._~]", character):
            return character
        return re.sub("%[0-9A-Fa-f]{2}", lambda triplet: triplet.group(0).upper(), found.group(0))

    return re.sub("%(?![0-9A-Fa-f]{2})[0-9A-Fa-f]?(?:%[0-9A-Fa-f]{2})*|%[0-9A-Fa-f]{2}", one, text)


def host_of(url):
    address = parse_address(url)
    return address.host if address else None


def normalize_host(text):
    """The normal form of a bare hostname; None for anything more or less."""
    if re.search("[/\\\\?#@:\\s%\\[\\]\ufeff]", text):
        return None
    host = host_of("http://" + text + "/")
    return None if host is None or "" in host.split(".") else host


def same_host(a, b):
    """An IP address is nobody's domain."""
    return a is not None and a == b and not a.startswith("[") and not re.fullmatch(r"[0-9.]+", a)


MAX_ADDRESS = 8192
_COLLECTION = "/collections/[^/]+(?=/products/)"


def _name(pair):
    return pair.split("=", 1)[0]


def _normalize_page(address):
    port = "" if address.port is None else ":%d" % address.port
    path = _decode_unreserved(address.path)
    path = path[:-1] if path.endswith("/") and not path.endswith("//") else path
    pairs = [pair for pair in _decode_unreserved(address.query).split("&") if pair]
    route = _decode_unreserved(address.fragment) if address.fragment[:1] in ("!", "/") else ""
    return address.scheme + "://" + address.host + port + path, sorted(pairs, key=_name), route


def _without_additions(page, signed):
    """What the signed address carries is never dropped from the page's."""
    (base, pairs, route), (signed_base, signed_pairs, signed_route) = page, signed
    if not re.search(_COLLECTION, signed_base):
        base = re.sub(_COLLECTION, "", base, count=1)
    carried = {_name(pair) for pair in signed_pairs}
    pairs = [pair for pair in pairs if _name(pair) in carried or not _IGNORED_PARAMETER.fullmatch(_name(pair))]
    return base, pairs, route if signed_route else ""


def compare_pages(signed, page):
    """The reason code: "ok" when both are the same page."""
    if any(len(text.encode("utf-16-le", "surrogatepass")) > 2 * MAX_ADDRESS for text in (signed, page)):
        return "url_too_long"
    expected, actual = parse_address(signed), parse_address(page)
    if actual is None:
        return "page_url_invalid"
    if expected is None:
        return "signed_url_invalid"
    if expected.has_credentials or actual.has_credentials:
        return "url_credentials"
    wanted = _normalize_page(expected)
    found = _without_additions(_normalize_page(actual), wanted)
    if found == wanted:
        return "ok"
    if (found[0], found[2]) != (wanted[0], wanted[2]):
        return "url_differs"
    missing, extra = Counter(wanted[1]) - Counter(found[1]), Counter(found[1]) - Counter(wanted[1])
    # shops read the last of several values: a signed parameter that is repeated may be another product's
    repeated = {_name(pair) for pair in extra} & {_name(pair) for pair in wanted[1]}
    return "url_extra_parameter" if extra and not missing and not repeated else "url_differs"


# ------------------------------------------------------------------------------------------------------------ keys

_ROCA_PRIMES = (11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157)


def _integer(text, longest):
    data = base64url(text) if isinstance(text, str) and len(text) <= longest else None
    return int.from_bytes(data, "big") if data else None


def _suitable(jwk):
    """The modulus and exponent of a key that may check RS256 signatures, else None."""
    if jwk.get("kty") != "RSA" or "d" in jwk:
        return None
    if jwk.get("use", "sig") != "sig" or jwk.get("alg", "RS256") != "RS256":
        return None
    operations = jwk.get("key_ops", ["verify"])
    if not isinstance(operations, list) or "verify" not in operations:
        return None
    n, e = _integer(jwk.get("n"), 2048), _integer(jwk.get("e"), 8)
    if n is None or e is None or n % 2 == 0 or e % 2 == 0 or e <= 65536 or not 2048 <= n.bit_length() <= 8192:
        return None
    if all(any(pow(65537, i, prime) == n % prime for i in range(prime)) for prime in _ROCA_PRIMES):
        return None  # CVE-2017-15361
    return n, e


def _find_key(jwks, kid):
    keys = jwks.get("keys") if isinstance(jwks, dict) else None
    named = [key for key in keys if isinstance(key, dict) and key.get("kid") == kid] if isinstance(keys, list) else []
    if len(named) != 1:
        return "key_ambiguous" if named else "key_unknown"
    return _suitable(named[0]) or "key_unsuitable"


_SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def _rs256(key, signature, data):
    """RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.2): the padding is made, not parsed."""
    n, e = key
    size = (n.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= n:
        return False
    tail = _SHA256_INFO + hashlib.sha256(data).digest()
    wanted = b"\x00\x01" + b"\xff" * (size - len(tail) - 3) + b"\x00" + tail
    return pow(number, e, n).to_bytes(size, "big") == wanted


# ------------------------------------------------------------------------------------------------------- the proof

LIFETIME, EARLY, LATE = 604800, 300, 60
_TEXTS = ("domain", "url", "productId", "externalProductId", "productName", "storeName", "storeUrl")
_COMMON = [("iss", "text"), ("iat", "time"), ("exp", "time")] + [(name, "text") for name in _TEXTS]
CLAIMS = {
    "product": _COMMON + [("certifiedAssets", "count"), ("totalAssets", "count"), ("coveragePercent", "percent")],
    "asset": _COMMON + [("assetId", "text"), ("contentUrl", "text")],
    "image": _COMMON + [("imageId", "text"), ("contentUrl", "text")],
}


class Proof:
    """A proof taken apart. A header that is none leaves the claims readable, and the other way round."""

    def __init__(self, token):
        self.header = self.claims = None
        self.signature = self.signed = b""
        self.fault = self.claims_fault = "proof_malformed"
        if not isinstance(token, str):
            return
        if len(token.encode("utf-16-le", "surrogatepass")) > 2 * 8192:
            self.fault = self.claims_fault = "proof_too_large"
            return
        parts = [base64url(part) for part in token.split(".")]
        if len(parts) != 3 or None in parts or not parts[2]:
            return
        self.signature, self.signed = parts[2], token.rpartition(".")[0].encode("ascii")
        self.header, self.claims = strict_object(parts[0]), strict_object(parts[1])
        self.fault = self._header_fault()
        self.claims_fault = "claims_unreadable" if self.claims is None else "ok"

    def _header_fault(self):
        if self.header is None:
            return "proof_malformed"
        if self.header.get("alg") != "RS256":
            return "algorithm_not_allowed"
        if not set(self.header) <= {"alg", "kid", "typ"}:
            return "header_not_allowed"
        kid = self.header.get("kid")
        return "ok" if isinstance(kid, str) and kid else "kid_missing"


def _is_whole(value):
    return isinstance(value, float) and value.is_integer() and abs(value) < 2**53


def _is_of_type(value, kind):
    if kind == "text":
        return isinstance(value, str)
    if kind == "percent":
        return isinstance(value, float) and 0 <= value <= 100
    return _is_whole(value) and value >= 0


def _is_control(value):
    """How control of the host had been proven, and when it was last checked; "none" has no time."""
    if not isinstance(value, dict) or not isinstance(value.get("method"), str):
        return False
    if value["method"] == "none":
        return "checkedAt" not in value
    return _is_of_type(value.get("checkedAt"), "time")


def _may_predate(read_at, now, issued_at):
    """Whether keys read at this time may lack the key of a genuine proof of this `iat`."""
    if read_at is None or not isinstance(issued_at, float):
        return False
    return read_at < now and read_at <= issued_at <= now + EARLY


def signature_valid(proof, keys, now, read_at=None):
    if proof.fault != "ok":
        return proof.fault
    issuer = (proof.claims or {}).get("iss")
    # if there is only one set, the signature is checked whoever claims it; certificate_integrity checks the issuer
    sets = [jwks for issuers, jwks in keys if issuer in issuers or len(keys) == 1]
    if not sets:
        return "issuer_untrusted"
    key = _find_key(sets[0], proof.header["kid"])
    if key == "key_unknown" and _may_predate(read_at, now, (proof.claims or {}).get("iat")):
        raise KeysUnavailable()
    if isinstance(key, str):
        return key
    return "ok" if _rs256(key, proof.signature, proof.signed) else "signature_mismatch"


def certificate_integrity(proof, kind, issuers, document, is_signed):
    claims = proof.claims
    if claims is None:
        return proof.claims_fault
    if proof.fault == "proof_malformed":
        return proof.fault
    if proof.header.get("typ") != kind + "-certificate+jwt":
        return "proof_kind_wrong"
    for name, wanted in CLAIMS[kind]:
        if name not in claims:
            return "claim_missing"
        if not _is_of_type(claims[name], wanted):
            return "claim_wrong_type"
    if "control" in claims and not _is_control(claims["control"]):
        return "claim_wrong_type"
    namespace, digests = claims.get("namespace"), claims.get("members")
    if ("namespace" in claims) != ("members" in claims):
        return "claim_missing"
    if "members" in claims:
        if not isinstance(namespace, str) or not isinstance(digests, dict):
            return "claim_wrong_type"
        if not all(isinstance(digest, str) for digest in digests.values()):
            return "claim_wrong_type"
    if claims["exp"] - claims["iat"] != LIFETIME:
        return "lifetime_wrong"
    if claims["iss"] not in issuers:
        return "issuer_untrusted"
    is_bound = is_signed and digests is not None
    is_restated = False
    if document is not None and is_bound:
        document, is_restated = _named_as_issued(document, namespace, claims["url"])
    if document is None:
        return "ok"
    if any(document.get(name) is not None for name in ("productID", "url", "svc:issuedFor")):
        if not is_signed:
            return "document_not_compared"
        if not _repeats_truly(document, claims):
            return "document_differs"
    is_altered = is_bound and (is_restated or _is_altered(document, namespace, digests))
    return "member_altered" if is_altered else "ok"


# -------------------------------------------------------------------------- the members of a document (format.md, 4)

_DIGESTED = ("svc:status", "svc:record", "svc:images", "additionalProperty", "verification")
LOG_PROOF = "svc:logProof"  # made after the proof, which does not bind it
_REPEATED = ("productID", "url", "svc:issuedFor", "svc:trust")
_SCHEMA_ORG = re.compile(r"(schema:|https?://(www\.)?schema\.org/?(docs/jsonldcontext\.json(ld)?$)?)")
_INNER = ("@nest", "@included", "@graph", "@reverse")
_PROOF = {"type": "JsonWebSignature2020", "algorithm": "RS256"}


def _number(value):
    """A double as ECMAScript writes it (RFC 8785, 3.2.2.3)."""
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


class _NotCanonical(Exception):
    pass


def canonical(value, rename=lambda name: name, depth=0):
    """RFC 8785; refuses lone surrogates, numbers that are none, and what is over 64 levels deep."""
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise _NotCanonical
        return json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise _NotCanonical
        return _number(value)
    if depth >= 64:
        raise _NotCanonical
    if isinstance(value, list):
        return "[" + ",".join(canonical(entry, rename, depth + 1) for entry in value) + "]"
    names = {rename(name): member for name, member in value.items()}
    if len(names) != len(value):
        raise _NotCanonical
    parts = [canonical(name) + ":" + canonical(names[name], rename, depth + 1) for name in sorted(names, key=_utf16)]
    return "{" + ",".join(parts) + "}"


def _utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


def _prefixer(namespace):
    return lambda name: "svc:" + name[len(namespace) :] if namespace and name.startswith(namespace) else name


def _is_ours(name):
    return (name.startswith("svc:") and name != LOG_PROOF) or name == "proof" or name in _DIGESTED or name in _REPEATED


def _listed(value):
    return value if isinstance(value, list) else [value]


class _Context:
    """What the @context of a document says about names (JSON-LD 1.1), as far as it is known without a request."""

    def __init__(self, stated, namespace):
        self.namespace, self.terms = namespace, {}
        self.is_ours, self.is_foreign, self.changes_values = True, False, False
        referred, has_schema_org = set(), False
        parts = _listed("https://schema.org" if stated is None else stated)
        for entry in parts:
            if _without_schema_org(entry) == "":
                has_schema_org = True
            elif isinstance(entry, str):
                self.is_foreign = True
            elif not isinstance(entry, dict):
                self.is_ours = False
            else:
                for name, definition in entry.items():
                    has_schema_org = self._define(name, definition, referred) or has_schema_org
        self.is_ours = self.is_ours and has_schema_org and len(self.terms) <= 100 and len(parts) <= 100

    def _define(self, name, definition, referred):
        if name == "svc":
            self.is_ours = self.is_ours and definition == self.namespace
        elif name in ("@vocab", "schema"):
            self.is_ours = self.is_ours and _without_schema_org(definition) == ""
            return name == "@vocab"
        elif name.startswith("@"):
            self.is_ours = self.is_ours and name not in ("@import", "@propagate")
            self.changes_values = self.changes_values or name == "@base"
        else:
            more = dict(definition) if isinstance(definition, dict) else {"@id": definition}
            target = more.pop("@id", name)
            target = "" if target is None else target
            if not isinstance(target, str):
                self.is_ours = False
                return False
            iri = self.terms.get(target) if target != name else None
            iri = self.without_prefix(target) if iri is None else iri
            if name in referred or self.terms.get(name, iri) != iri or "@context" in more or "@reverse" in more:
                self.is_ours = False
            self.changes_values = self.changes_values or any(key != "@prefix" for key in more)
            self.is_ours = self.is_ours and len(iri) <= 500
            self.terms[name] = iri
            referred.update([target] if target != name else [], [target.split(":")[0]])
        return False

    def without_prefix(self, text):
        prefix, colon, rest = text.partition(":")
        return self.terms[prefix] + rest if colon and not rest.startswith("//") and prefix in self.terms else text

    def name_of(self, name, is_defined=True):
        """The name under which a member is issued; that of anything else is none of ours."""
        iri = self.terms.get(name, self.without_prefix(name)) if is_defined else name
        if iri.startswith("svc:"):
            return iri
        bare, own = re.sub("^https?:", "", iri), re.sub("^https?:", "", self.namespace)
        if bare != iri and own and bare.startswith(own):
            return "svc:" + bare[len(own) :]
        short = _without_schema_org(iri)
        short = iri if short is None else short
        return "@" + short if short in ("type", "id") else short


def _same_text(one, other, namespace):
    try:
        return canonical(one, _prefixer(namespace)) == canonical(other, _prefixer(namespace))
    except _NotCanonical:
        return False


def _has_member(value, test, depth=0):
    """Whether this is true of a member of an object in this value, at any depth; true for one nested too deeply."""
    if not isinstance(value, (dict, list)):
        return False
    if depth > 64:
        return True
    if isinstance(value, list):
        return any(_has_member(entry, test, depth + 1) for entry in value)
    return any(test(name, member, value) or _has_member(member, test, depth + 1) for name, member in value.items())


def _named_as_issued(document, namespace, url):
    """The document under the names by which its members were issued, and whether it states more about them."""
    context, named = _Context(document.get("@context"), namespace), {}
    if not context.is_ours or len(document) > 1000:
        return document, True
    is_altered = False
    for spelling, value in document.items():
        name = context.name_of(spelling)
        if named.get(name) is None:
            named[name] = value
        elif name == "@type":
            named[name] = _listed(named[name]) + _listed(value)
        elif value is not None and _is_ours(name):
            is_altered = is_altered or not _same_text(named[name], value, namespace)
        barred = ("@context", "@id") if name == "@nest" else ("@context",)
        adds = lambda inner, *_: _is_ours(context.name_of(inner)) or context.name_of(inner) in barred  # noqa: E731
        is_altered = is_altered or (name in _INNER and _has_member(value, adds))
    return named, is_altered or _redefines(context, named) or _restates(context, document, named.get("@id"), url)


def _redefines(context, named):
    if not context.terms:
        return False
    ours = {name: value for name, value in named.items() if _is_ours(name)}
    try:
        text = canonical(ours, _prefixer(context.namespace))
    except _NotCanonical:
        return True
    is_used = lambda name: name[:1] == "@" or name == "Product" or _is_ours(name) or json.dumps(name, ensure_ascii=False) in text  # noqa: E731,E501
    for term in context.terms:
        before, after = context.name_of(term, False), context.name_of(term)
        if is_used(before) and (before != after or context.changes_values):
            return True
        if context.changes_values and is_used(after):
            return True
    return False


def _restates(context, document, own_id, url):
    """Whether an object among the members of others states something about the @id of the document."""
    if own_id is None:
        return False

    def id_of(text):
        iri = re.sub(r"[\t\n\r]", "", context.without_prefix(text).strip(_C0_OR_SPACE)) if isinstance(text, str) else ""
        if not re.match("[A-Za-z][A-Za-z0-9+.-]*:", iri):
            iri = urllib.parse.urljoin(url, iri.replace("\\", "/"))
        elif re.match("https?:", iri, re.I) and not re.match(r"https?:[/\\]{2}", iri, re.I):
            iri = urllib.parse.urljoin(url, iri.partition(":")[2].replace("\\", "/"))
        address = parse_address(iri)
        return iri if address is None else sorted(vars(address).items(), key=str)

    def is_reference(node):
        return all(context.name_of(name) in ("@id", "@type") for name in node)

    def states(inner, value, node):
        name = context.name_of(inner)
        if name == "@context":
            return _without_schema_org(value) != ""
        if context.changes_values or name == "@reverse":
            return True
        if name != "@id" or not isinstance(value, str):
            return False
        ids.append(value)
        return (len(ids) > 5000 or id_of(value) == self_id) and not is_reference(node)

    self_id, ids = id_of(own_id), []
    is_other = lambda name: not _is_ours(name) and not name.startswith("@")  # noqa: E731
    return any(_has_member(value, states) for name, value in document.items() if is_other(context.name_of(name)))


def _without_schema_org(name):
    found = _SCHEMA_ORG.match(name) if isinstance(name, str) else None
    return name[found.end() :] if found else None


def _is_altered(document, namespace, digests):
    """Whether a member of ours is not as it was issued; what others add under names of their own is theirs."""
    types = document.get("@type")
    if types is not None and not any(one == "Product" or _without_schema_org(one) == "Product" for one in _listed(types)):
        return True
    issued_for = document.get("svc:issuedFor")
    if issued_for is not None and not set(issued_for) <= {"domain", "productID"}:
        return True
    proof_members = {name: value for name, value in document["proof"].items() if value is not None and name != "jwt"}
    if any(_PROOF.get(name) != value for name, value in proof_members.items()):
        return True
    ours = [name for name in document if name.startswith("svc:") and name not in _REPEATED + (LOG_PROOF,)]
    for name in set(digests) | set(_DIGESTED) | set(ours):
        if document.get(name) is None:
            continue
        try:
            text = canonical(document[name], _prefixer(namespace))
        except _NotCanonical:
            return True
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii").rstrip("=")
        if digests.get(name) != digest:
            return True
    return False


def _repeats_truly(document, claims):
    issued_for = document.get("svc:issuedFor")
    if issued_for is None:
        issued_for = {}
    if not isinstance(issued_for, dict):
        return False
    same_id = lambda a, b: a.lower() == b.lower()  # noqa: E731
    same_domain = lambda a, b: a == b or same_host(normalize_host(a), normalize_host(b))  # noqa: E731
    same_page = lambda a, b: compare_pages(a, b) == "ok"  # noqa: E731
    repeated = (
        (claims["productId"], document.get("productID"), same_id),
        (claims["productId"], issued_for.get("productID"), same_id),
        (claims["domain"], issued_for.get("domain"), same_domain),
        (claims["url"], document.get("url"), same_page),
    )
    return all(stated is None or isinstance(stated, str) and same(signed, stated) for signed, stated, same in repeated)


def timestamp_valid(proof, now):
    if proof.claims is None:
        return proof.claims_fault
    for name in ("iat", "exp"):
        if name not in proof.claims:
            return "claim_missing"
        if not _is_whole(proof.claims[name]):
            return "claim_wrong_type"
    if proof.claims["iat"] > now + EARLY:
        return "proof_not_yet_valid"
    return "proof_expired" if proof.claims["exp"] <= now - LATE else "ok"


def verify_proof(token, keys, now, kind="product", read_at=None):
    """The three checks of a proof alone. `keys` as for `verify`."""
    proof = Proof(token)
    return _results(
        proof,
        {
            "signatureValid": signature_valid(proof, keys, now, read_at),
            "certificateIntegrity": certificate_integrity(proof, kind, _trusted(keys), None, True),
            "timestampValid": timestamp_valid(proof, now),
        },
    )


def _results(proof, reasons):
    """Each reason with its result; None for a comparison that found nothing to compare."""
    not_run = [name for name, reason in reasons.items() if reason == "document_not_compared"]
    not_run += ["timestampValid"] if proof.claims is None else []
    return {name: (None if name in not_run else reason == "ok", reason) for name, reason in reasons.items()}


# ---------------------------------------------------------------------------------------------------- the certificate

LOAD_BEARING = (
    "signatureValid",
    "certificateIntegrity",
    "timestampValid",
    "boundToDomain",
    "productIdMatches",
    "boundToUrl",
)


def read_document(document):
    """What was submitted: the node, its proof, and why it was dropped."""
    if document is None:
        return None, None, None
    if isinstance(document, str):
        try:
            document = read_json(document)
        except (ValueError, Refused, RecursionError):
            return None, None, "document_not_json"
    if not isinstance(document, dict) or "@graph" in document:
        return None, None, "document_not_single_node"
    proof = document.get("proof")
    jwt = proof.get("jwt") if isinstance(proof, dict) else None
    return (document, jwt, None) if isinstance(jwt, str) else (None, None, "proof_absent")


def _bound(proof, name, compare):
    """What comparing a claim gives; None instead of False where the proof has none to compare."""
    if proof.claims is None:
        return None, proof.claims_fault
    if name not in proof.claims:
        return None, "claim_missing"
    value = proof.claims[name]
    if not isinstance(value, str):
        return None, "claim_wrong_type"
    reason = compare(value)
    return reason == "ok", reason


def _warnings(node, proof, signature):
    claims = proof.claims or {}
    namespace = claims.get("namespace")
    warnings = []
    if signature == "ok" and isinstance(namespace, str) and isinstance(claims.get("members"), dict):
        context = _Context(node.get("@context"), namespace)
        if context.is_ours and context.is_foreign:
            warnings.append("context_foreign")
        node, _ = _named_as_issued(node, namespace, str(claims.get("url")))
    return warnings + (["trust_block_differs"] if _trust_block_differs(node, proof.claims) else [])


def _trust_block_differs(node, claims):
    stated = node.get("svc:trust")
    if stated is None or claims is None:
        return False
    if not isinstance(stated, dict):
        return True
    names = ("certifiedAssets", "totalAssets", "coveragePercent")
    pairs = [(stated[name], claims.get(name)) for name in names if stated.get(name) is not None]
    if "members" in claims and any(stated[name] is not None and name not in names for name in stated):
        return True
    return any(type(a) is not type(b) or isinstance(a, (dict, list)) or a != b for a, b in pairs)


def _trusted(keys):
    return [issuer for issuers, _ in keys for issuer in issuers]


def verify(document, page_url, keys, now, product_id=None, read_at=None, lists=None, is_required=False, logs=None, is_log_required=False):
    """Verifies a certificate found on a page. `now` is in seconds since 1970.

    `keys` is a list of pairs: the issuers whom you trust and who share these keys, and their key set as parsed JSON.
    Without `product_id` the signed one counts. Checks that only the issuer's registry can make did not run.
    `read_at` is when the keys were read from their issuers, if known: KeysUnavailable is raised if they may be too old.
    `lists` is a StatusSource; without one, nobody looks whether the certificate was withdrawn. If it is required to know,
    and not known, the first warning is withdrawal_unknown: do not rely on the result.
    `logs` is a Policy of transparency logs; without one, nobody looks whether the proof is logged. log_proof_invalid and
    log_required among the warnings mean likewise.
    """
    node, jwt, dropped = read_document(document)
    not_asked = (None, "registry_not_asked")
    checks = {"domainKnown": not_asked, "domainVerified": not_asked}
    if node is None:
        checks.update({name: (None, "nothing_signed") for name in LOAD_BEARING + ("trustDataCurrent",)})
        warnings = [dropped] if dropped else []
        withdrawal = {"status": None, "reason": "not_looked_at"}
        return {"status": "unverified", "checks": checks, "warnings": warnings, "errors": [], "withdrawal": withdrawal}
    proof = Proof(jwt)
    page_host = host_of(page_url)
    wanted = (product_id if product_id is not None else str((proof.claims or {}).get("productId"))).lower()

    def domain(signed):
        if page_host is None:
            return "page_url_invalid"
        return "ok" if same_host(normalize_host(signed), page_host) else "domain_differs"

    signature = signature_valid(proof, keys, now, read_at)
    reasons = {
        "signatureValid": signature,
        "certificateIntegrity": certificate_integrity(proof, "product", _trusted(keys), node, signature == "ok"),
        "timestampValid": timestamp_valid(proof, now),
    }
    checks.update(_results(proof, reasons))
    checks["boundToDomain"] = _bound(proof, "domain", domain)
    checks["productIdMatches"] = _bound(
        proof, "productId", lambda signed: "ok" if signed.lower() == wanted else "product_differs"
    )
    checks["boundToUrl"] = _bound(proof, "url", lambda signed: compare_pages(signed, page_url))
    checks["trustDataCurrent"] = not_asked
    warnings = _warnings(node, proof, signature)
    if lists is None:
        withdrawal = {"status": None, "reason": "not_looked_at"}
    else:
        withdrawal = look_up(proof, signature == "ok", _trusted(keys), lists, now)
    if withdrawal["status"] == "invalid":
        checks["boundToDomain"] = (False, "certificate_withdrawn")
    elif withdrawal["status"] == "suspended":
        warnings.insert(0, "certificate_suspended")
    elif withdrawal["reason"] in STATUS_FAULTS and checks["certificateIntegrity"][0] is not False:
        checks["certificateIntegrity"] = (False, withdrawal["reason"])
    elif withdrawal["status"] is None and is_required and signature == "ok":
        warnings.insert(0, "withdrawal_unknown")
    log = {"status": None, "reason": "log_not_looked_at"}
    if logs is not None and signature == "ok":
        log = verify_log_proof(jwt, node.get(LOG_PROOF), logs)
        if log["status"] == "invalid" or (is_log_required and not log.get("isEnough")):
            warnings.append("log_proof_invalid" if log["status"] == "invalid" else "log_required")
    failures = [checks[name][1] for name in LOAD_BEARING if checks[name][0] is False]
    # that the keys of a stranger are not known only follows from its being one
    failures.sort(key=lambda reason: reason not in ("issuer_untrusted", "certificate_withdrawn") + STATUS_FAULTS)
    return {
        "status": "verified" if all(checks[name][0] for name in LOAD_BEARING) else "failed",
        "checks": checks,
        "warnings": warnings,
        "errors": list(dict.fromkeys(failures)),
        "withdrawal": withdrawal,
        **({} if logs is None else {"log": log}),
    }


# --------------------------------------------------------- withdrawal (format.md, 8; draft-ietf-oauth-status-list-20)

STATUS_FAULTS = ("status_claim_required", "status_uri_differs", "status_claim_malformed", "status_index_out_of_range")
_STATUS_VALUES = {0: ("valid", "not_withdrawn"), 1: ("invalid", "withdrawn"), 2: ("suspended", "suspended")}
MAX_STATUS_TOKEN, LIST_ENTRIES, LIST_SKEW, MAX_LIST = 700000, 1048576, 60, 2147483647


def decode_entries(bits, lst):
    """The bytes of a status list, and why there are none. No more than the bytes of 2^20 entries are ever inflated."""
    data = base64url(lst) if isinstance(lst, str) and bits in (1, 2, 4, 8) else None
    if not data:
        return None, "status_list_malformed"
    size = LIST_ENTRIES * int(bits) // 8
    stream = zlib.decompressobj()
    try:
        entries = stream.decompress(data, size + 1)
    except zlib.error:
        return None, "status_list_malformed"
    if len(entries) > size:
        return None, "status_list_too_large"
    is_whole = stream.eof and not stream.unused_data and entries
    return (entries, "ok") if is_whole else (None, "status_list_malformed")


def entry_at(entries, bits, index):
    """The value of an entry: the first is in the lowest bits of the first byte. None where the list ends before."""
    bits, index = int(bits), int(index)
    place = index * bits // 8
    return entries[place] >> index * bits % 8 & (1 << bits) - 1 if place < len(entries) else None


def read_status_list(token, jwks, uri, now):
    """The claims of a status list with its `entries`, and why it does not count."""
    if not isinstance(token, str):
        return None, "status_list_malformed"
    if len(token) > MAX_STATUS_TOKEN:
        return None, "status_list_too_large"
    parts = [base64url(part) for part in token.split(".")]
    if len(parts) != 3 or None in parts or not parts[2]:
        return None, "status_list_malformed"
    header = strict_object(parts[0])
    if header is None or header.get("alg") != "RS256" or not set(header) <= {"alg", "kid", "typ"}:
        return None, "status_list_malformed"
    kid = header.get("kid")
    if not isinstance(kid, str) or not kid:
        return None, "status_list_malformed"
    if header.get("typ") != "statuslist+jwt":
        return None, "status_list_type_wrong"
    key = _find_key(jwks, kid)
    if isinstance(key, str):
        return None, "status_list_key_unknown"
    if not _rs256(key, parts[2], token.rpartition(".")[0].encode("ascii")):
        return None, "status_list_signature_invalid"
    claims = dict({"ttl": 900.0, "revoked_kids": []}, **(strict_object(parts[1]) or {}))
    times = [claims.get(name) for name in ("iat", "exp", "ttl")]
    if not all(_is_of_type(time, "time") for time in times) or times[1] <= times[0]:
        return None, "status_list_malformed"
    status_list, kids = claims.get("status_list"), claims["revoked_kids"]
    if not isinstance(status_list, dict) or status_list.get("bits") != 2 or not isinstance(status_list.get("lst"), str):
        return None, "status_list_malformed"
    if not isinstance(kids, list) or not all(isinstance(one, str) for one in kids):
        return None, "status_list_malformed"
    if claims.get("sub") != uri:
        return None, "status_list_subject_differs" if isinstance(claims.get("sub"), str) else "status_list_malformed"
    if claims["iat"] > now + LIST_SKEW:
        return None, "status_list_not_yet_valid"
    # whoever had a key for a moment must not make a list that counts for years
    claims["exp"] = min(claims["exp"], claims["iat"] + 86400)
    if claims["exp"] <= now - LIST_SKEW:
        return None, "status_list_expired"
    entries, reason = decode_entries(2, status_list["lst"])
    if entries is None:
        return None, reason
    if len(entries) * 4 != LIST_ENTRIES:
        return None, "status_list_malformed"
    return dict(claims, ttl=min(max(claims["ttl"], 60), 86400), entries=entries), "ok"


def _status_claim(proof):
    """The `idx` and `uri` of a proof; None without the claim, False if it is none."""
    if "status" not in proof.claims:
        return None
    status = proof.claims["status"]
    entry = status.get("status_list") if isinstance(status, dict) else None
    if not isinstance(entry, dict) or not isinstance(entry.get("uri"), str):
        return False
    return (entry["idx"], entry["uri"]) if _is_of_type(entry.get("idx"), "time") else False


def _is_list_of(issuer, uri):
    found = re.fullmatch(re.escape(issuer) + "/api/v1/mc4p/status/([1-9][0-9]{0,9})", uri)
    return found is not None and int(found.group(1)) <= MAX_LIST


def look_up(proof, is_signed, issuers, source, now):
    """Whether the certificate of a proof was withdrawn: `status` is "valid", "invalid", "suspended" or None, unknown.

    `source` is a StatusSource. It is asked for addresses that are made from the issuer whom you trust, and for none
    unless the proof is one of that issuer.
    """

    def unknown(reason):
        return {"status": None, "reason": reason}

    def told(status, reason, found):
        look = min(now + found["ttl"], found["exp"]) if source.may_fetch else found["exp"]
        return {"status": status, "reason": reason, "listIssuedAt": _written(found["iat"]), "nextLook": _written(look)}

    if not is_signed or proof.claims is None or proof.claims.get("iss") not in issuers:
        return unknown("not_looked_at")
    issuer, claim = proof.claims["iss"], _status_claim(proof)
    if claim is False:
        return unknown("status_claim_malformed")
    if claim is not None and not _is_list_of(issuer, claim[1]):
        return unknown("status_uri_differs")
    if claim is not None and claim[0] >= LIST_ENTRIES:
        return unknown("status_index_out_of_range")
    kid, issued_at = proof.header["kid"], proof.claims.get("iat")
    token = source.list(claim[1]) if claim is not None else None
    jwks = _parsed(source.keys(issuer))
    found, reason = None, "status_list_unreachable"
    if jwks is not None and token is not None:
        found, reason = read_status_list(token, jwks, claim[1], now)
    elif jwks is not None and claim is None:
        since = jwks.get("claim_required_from")
        is_older = isinstance(issued_at, float) and (not _is_whole(since) or issued_at < since)
        reason = "status_claim_absent" if is_older else "status_claim_required"
    others = (read_status_list(source.list(uri), jwks, uri, now)[0] for uri in source.given if _is_list_of(issuer, uri))
    for one in itertools.chain([found], others):
        if one is not None and kid in one["revoked_kids"]:
            return told("invalid", "key_revoked", one)
    if found is None:
        # a thief's proof names a list that does not exist: the keys that were given may be older than its revocation
        present = _parsed(source.proof_keys(issuer))
        is_revoked = present is not None and present.get("keys") and _find_key(present, kid) == "key_unknown"
        return {"status": "invalid", "reason": "key_revoked"} if is_revoked else unknown(reason)
    value = entry_at(found["entries"], 2, claim[0])
    return told(*_STATUS_VALUES[value], found) if value in _STATUS_VALUES else unknown("status_value_unknown")


class StatusSource:
    """Where status lists and their keys come from: from texts that are given by their addresses, and from the issuers."""

    def __init__(self, given, may_fetch=False):
        self.given, self.may_fetch = given, may_fetch

    def keys(self, issuer):
        address = issuer + "/api/v1/.well-known/status-list-jwks.json"
        return self.given[address] if address in self.given else self._fetched(address)

    def proof_keys(self, issuer):
        """The keys of proofs as the issuer publishes them now."""
        return self._fetched(issuer + "/api/v1/.well-known/jwks.json")

    def list(self, address):
        """A newer one, if there is a network; one that is given counts until it expires."""
        return self._fetched(address) or self.given.get(address)

    def _fetched(self, address):
        return fetch_text(address) if self.may_fetch else None


def _parsed(text):
    try:
        value = read_json(text) if isinstance(text, str) else None
    except (ValueError, Refused, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _written(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def fetch_text(address):
    """The text at an address of the issuer, past caches; None if it cannot be had. Follows no redirect, and reads no more
    than 1 MB. What a cache holds nevertheless may be older than a proof: of keys, None."""
    request = urllib.request.Request(address, headers={"Cache-Control": "no-cache"})
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=10) as response:
            data = response.read(MAX_STATUS_TOKEN + 1)
        is_old = address.endswith("/jwks.json") and response.headers.get("Age", "0") != "0"
        return data.decode("utf-8").strip() if response.status == 200 and not is_old else None
    except (OSError, ValueError):
        return None


# ------------------------------------------------------- the transparency log (format.md, 9; C2SP: tlog-proof and others)

ED25519, COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44 = 1, 4, 6
_KEY_SIZES = {ED25519: 32, COSIGNATURE_ED25519: 32, COSIGNATURE_ML_DSA_44: 1312}
MAX_NOTE, MAX_SIGNATURES, MAX_LOG_PROOF, MAX_HASHES = 65536, 100, 2 * 65536 + 90000, 64

_P, _L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
_D, _I = -121665 * pow(121666, 2**255 - 21, 2**255 - 19) % _P, pow(2, (_P - 1) // 4, _P)


def _curve_point(data):
    """A point of edwards25519 in extended coordinates (RFC 8032, 5.1.3); None if there is none."""
    sign, y = data[31] >> 7, int.from_bytes(data, "little") & (1 << 255) - 1
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    x = x if x * x % _P == square else x * _I % _P
    if x * x % _P != square or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else _P - x
    return x, y, 1, x * y % _P


def _added(one, other):
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % _P, (one[1] + one[0]) * (other[1] + other[0]) % _P
    c, d = 2 * one[3] * other[3] * _D % _P, 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(factor, point):
    product = (0, 1, 1, 0)
    while factor:
        product = _added(product, point) if factor & 1 else product
        point, factor = _added(point, point), factor >> 1
    return product


_BASE = _curve_point((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def ed25519(public, signature, message):
    """RFC 8032, 5.1.7, without the cofactor."""
    point = _curve_point(public) if len(signature) == 64 else None
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= _L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % _L
    x, y, z, _ = _added(_times(s, _BASE), _times(k, (_P - point[0], point[1], 1, _P - point[3])))
    inverse = pow(z, _P - 2, _P)
    x, y = x * inverse % _P, y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


def standard_base64(text):
    """Canonical base64 with padding; None for anything else."""
    try:
        data = base64.b64decode(text, validate=True)
        return data if base64.b64encode(data) == text.encode("ascii") else None
    except ValueError:
        return None


def _decimal(text):
    value = int(text) if re.fullmatch("0|[1-9][0-9]{0,15}", text) else None
    return value if value is not None and value < 2**53 else None


def _is_note_text(text):
    return not re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", text)


def _is_key_name(name):
    return name != "" and _is_note_text(name) and "+" not in name and not any(map(str.isspace, name))


def read_vkey(text):
    """Name, id, type and public key of a vkey; None unless the id follows from the rest."""
    found = re.fullmatch(r"([^+]+)\+([0-9a-f]{8})\+(.+)", text)
    data = standard_base64(found.group(3)) if found else None
    if not data or len(data) < 2 or not _is_key_name(found.group(1)):
        return None
    name, key_id, kind = found.group(1), bytes.fromhex(found.group(2)), data[0]
    if kind in _KEY_SIZES:
        wanted = hashlib.sha256(name.encode("utf-8") + b"\n" + data).digest()[:4]
        if len(data) != 1 + _KEY_SIZES[kind] or key_id != wanted:
            return None
    return name, key_id, kind, data[1:]


class PolicyFault(ValueError):
    """No policy, for a reason, in a line."""

    def __init__(self, reason, line=None):
        super().__init__("%s%s" % (reason, "" if line is None else ", line %d" % line))
        self.reason, self.line = reason, line


class Policy:
    """Which logs and witnesses count, and how many witnesses are enough (tlog-policy)."""

    def __init__(self, data):
        self.logs, self.witnesses, self._named, self._members, self._quorum = [], {}, {}, set(), False
        self.ended = {}  # by origin: key, time, size, root, size that the quorum of the operator had cosigned
        if len(data) > 65536:
            raise PolicyFault("policy_too_large")
        for number, line in enumerate(data.split(b"\n"), 1):
            reason = self._read(line)
            if reason is not None:
                raise PolicyFault(reason, number)
        if self._quorum is False:
            raise PolicyFault("policy_quorum_absent")
        self.requires_witnesses = self._quorum is not None

    def _read(self, line):
        if re.search(b"[\x00-\x08\x0b-\x1f\x7f]", line):
            return "policy_character_forbidden"
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode("latin-1")
        word, *items = [item for item in re.split("[ \t]+", text) if item] or ["#"]
        if word.startswith("#"):
            if word == "#ended" and len(items) in (5, 6):
                self._ended(*items[:5])
            return None
        reader = {"log": self._log, "witness": self._witness, "group": self._group, "quorum": self._set_quorum}.get(word)
        return reader(*items) if reader and len(items) > 0 else "policy_line_malformed"

    def _log(self, text, *rest):
        if len(rest) > 1:
            return "policy_line_malformed"
        key = read_vkey(text)
        if key is None:
            return "policy_key_malformed"
        if key[2] == COSIGNATURE_ED25519:
            return "policy_key_type_wrong"
        if any(key[3] == one[3] for one in self.logs):
            return "policy_key_repeated"
        self.logs.append(key)
        return None

    def _ended(self, text, *items):
        """A log of which the key was revoked. It is a comment: whoever does not know it does not trust the log; malformed, it is one."""
        key, root = read_vkey(text), standard_base64(items[2])
        time, size, witnessed = (_decimal(items[at]) for at in (0, 1, 3))
        if key is None or key[2] != ED25519 or root is None or len(root) != 32:
            return
        if None not in (time, size, witnessed) and witnessed <= size:
            self.ended.setdefault(key[0], (key, time, size, root, witnessed))

    def _witness(self, name, *rest):
        if len(rest) not in (1, 2):
            return "policy_line_malformed"
        if name == "none" or name in self._named:
            return "policy_name_repeated"
        key = read_vkey(rest[0])
        if key is None:
            return "policy_key_malformed"
        if key[2] not in (COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44):
            return "policy_key_type_wrong"
        if any(key[3] == one[3] for one in self.witnesses.values()):
            return "policy_key_repeated"
        self.witnesses[name] = key
        self._named[name] = lambda names: name in names
        return None

    def _group(self, name, *rest):
        rule, members = (rest or [None])[0], rest[1:]
        if not members:
            return "policy_line_malformed"
        if name == "none" or name in self._named:
            return "policy_name_repeated"
        count = {"any": 1, "all": len(members)}.get(rule, int(rule) if re.fullmatch("[1-9][0-9]{0,4}", rule) else 0)
        if not 1 <= count <= len(members):
            return "policy_threshold_wrong"
        for member in members:
            if member not in self._named:
                return "policy_name_unknown"
            if member in self._members:
                return "policy_member_repeated"
            self._members.add(member)
        rules = [self._named[member] for member in members]
        self._named[name] = lambda names: sum(one(names) for one in rules) >= count
        return None

    def _set_quorum(self, name, *rest):
        if rest:
            return "policy_line_malformed"
        if self._quorum is not False:
            return "policy_quorum_repeated"
        if name != "none" and name not in self._named:
            return "policy_name_unknown"
        self._quorum = self._named.get(name)
        return None

    def is_met(self, names):
        return self._quorum is None or self._quorum(set(names))


def read_checkpoint(note):
    """Text, signatures, origin, size and root of a signed checkpoint; or a reason."""
    if len(note.encode("utf-8", "surrogatepass")) > MAX_NOTE:
        return "note_too_large"
    text, blank, lines = note.rpartition("\n\n")
    if not blank or not lines.endswith("\n") or not _is_note_text(note):
        return "note_malformed"
    signatures = []
    for line in lines[:-1].split("\n"):
        found = re.fullmatch("\u2014 ([^ ]+) ([^ ]+)", line)
        data = standard_base64(found.group(2)) if found else None
        if not data or len(data) < 5 or not _is_key_name(found.group(1)):
            return "note_malformed"
        signatures.append((found.group(1), data[:4], data[4:]))
    if len(signatures) > MAX_SIGNATURES:
        return "note_too_large"
    origin, *rest = text.split("\n")
    size, root = _decimal((rest + [""])[0]), standard_base64((rest + ["", ""])[1])
    if not origin or size is None or root is None or len(root) != 32 or "" in rest:
        return "checkpoint_malformed"
    return text + "\n", signatures, origin, size, root


def verify_checkpoint(read, logs, witnesses):
    """The cosignatures by known witnesses, as pairs of a key and a time; or a reason. A wrong signature of a known key spoils all."""
    text, signatures, origin, _, _ = read
    own = [key for key in logs if key[0] == origin]
    if not own:
        return "log_unknown"
    cosigned, is_signed = {}, False
    for name, key_id, signature in signatures:
        known = (key for key in own + list(witnesses) if key[:2] == (name, key_id))
        key = next((key for key in known if key[2] in (ED25519, COSIGNATURE_ED25519)), None)
        if key is None:
            continue
        message, time = text, None
        if key[2] == COSIGNATURE_ED25519:
            time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
            message = "cosignature/v1\ntime %d\n%s" % (time, text)
        if (time is not None and time >= 2**53) or not ed25519(key[3], signature, message.encode("utf-8")):
            return "log_checkpoint_signature_invalid"
        is_signed = is_signed or key in own
        if time is not None:
            cosigned.setdefault(key, time)
    return list(cosigned.items()) if is_signed else "log_checkpoint_signature_invalid"


def _root_of(entry, index, size, path):
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


def _read_log_proof(text):
    """Extra data, index, path and checkpoint of a tlog-proof; None for anything else."""
    head, blank, checkpoint = text.partition("\n\n") if isinstance(text, str) else ("", "", "")
    if not blank or len(text.encode("utf-16-le", "surrogatepass")) > 2 * MAX_LOG_PROOF:
        return None
    first, *lines = head.split("\n")
    extra = standard_base64(lines.pop(0)[6:]) if lines and lines[0].startswith("extra ") else b""
    is_extra = head.startswith(first + "\nextra ")
    line = lines.pop(0) if lines else ""
    index = _decimal(line[6:]) if line.startswith("index ") else None
    path = [standard_base64(one) for one in lines]
    if first != "c2sp.org/tlog-proof@v1" or index is None or (is_extra and not extra) or len(path) > MAX_HASHES:
        return None
    if any(one is None or len(one) != 32 for one in path):
        return None
    read = read_checkpoint(checkpoint)
    return None if isinstance(read, str) else (extra, index, path, read)


def verify_included(entry, text, policy):
    """Whether an entry is in a log of the policy, by a tlog-proof: `status` is "witnessed", "logged", "invalid" or None, unknown."""
    parts = _read_log_proof(text)
    if parts is None:
        return {"status": "invalid", "reason": "log_proof_malformed"}
    _, index, path, read = parts
    told = {"origin": read[2], "index": index, "treeSize": read[3]}
    if _root_of(entry, index, read[3], path) != read[4]:
        return dict(told, status="invalid", reason="log_inclusion_invalid")
    ended = policy.ended.get(read[2])
    cosigned = verify_checkpoint(read, [ended[0]] if ended else policy.logs, policy.witnesses.values())
    if isinstance(cosigned, str):
        return dict(told, status=None if cosigned == "log_unknown" else "invalid", reason=cosigned)
    is_last = ended is None or read[3:] == ended[2:4]
    # others can sign with a revoked key: but for its last checkpoint, only what witnesses cosigned before counts
    keys = [key for key, time in cosigned if is_last or (time <= ended[1] and read[3] <= ended[4])]
    names = [name for name, key in policy.witnesses.items() if key in keys]
    is_witnessed = policy.requires_witnesses and policy.is_met(names)
    if not is_last and not is_witnessed:
        return dict(told, status=None, reason="log_ended")
    status, reason = ("witnessed", "witnessed") if is_witnessed else ("logged", "logged_not_witnessed")
    return dict(told, status=status, reason=reason, witnesses=names, isEnough=policy.is_met(names))


def _leaf_fault(jwt, entry, origin):
    """Why an entry is not about this proof; None if it is."""
    proof, leaf = Proof(jwt), strict_object(entry) if len(entry) <= 1024 else None
    names = {"exp", "iat", "kid", "kind", "proof", "subject", "v"}
    if leaf is None or proof.fault != "ok" or proof.claims is None or leaf.get("v") != 1:
        return "log_leaf_differs"
    hosts = {"domain", "domainHash"} & set(leaf)
    is_form = len(hosts) == 1 and set(leaf) == names | hosts and canonical(leaf).encode("utf-8") == entry
    hashes = [leaf.get(name) for name in ("proof", "subject")] + [leaf[name] for name in hosts - {"domain"}]
    is_hash = lambda value: isinstance(value, str) and len(base64url(value) or b"") == 32  # noqa: E731
    hashed = base64.urlsafe_b64encode(hashlib.sha256(jwt.encode("ascii")).digest()).decode("ascii").rstrip("=")
    is_about = (
        is_form
        and all(map(is_hash, hashes))
        and leaf["proof"] == hashed
        and leaf["kid"] == proof.header["kid"]
        and "%s-certificate+jwt" % leaf["kind"] == proof.header.get("typ")
        and leaf.get("domain", proof.claims.get("domain")) == proof.claims.get("domain")
        and _is_whole(leaf["iat"])
        and all(leaf[name] == proof.claims.get(name) for name in ("iat", "exp"))
    )
    if not is_about:
        return "log_leaf_differs"
    year = re.search(r"/log/([0-9]{4})(?:-[1-9][0-9]{0,2})?$", origin)
    is_of_year = year is None or datetime.fromtimestamp(leaf["iat"], timezone.utc).year == int(year.group(1))
    return None if is_of_year else "log_year_differs"


def verify_log_proof(jwt, text, policy):
    """Whether the proof of a certificate is logged, by what the certificate says of it (`svc:logProof`)."""
    if text is None:
        return {"status": None, "reason": "log_proof_absent"}
    parts = _read_log_proof(text)
    if parts is None or not parts[0]:
        return {"status": "invalid", "reason": "log_proof_malformed"}
    fault = _leaf_fault(jwt, parts[0], parts[3][2])
    return verify_included(parts[0], text, policy) if fault is None else {"status": "invalid", "reason": fault}


# -------------------------------------------------------------------------------------------------------- command line


def _moment(text):
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def _text_of(name):
    with sys.stdin if name == "-" else open(name, encoding="utf-8") as file:
        return file.read()


def _policy_of(name):
    with open(name, "rb") as file:
        return Policy(file.read(65537))


def _json_of(name):
    try:
        return read_json(_text_of(name))
    except (ValueError, Refused, RecursionError) as fault:
        raise ValueError("%s holds no JSON: %s" % (name, fault)) from fault


def _files_by_issuer(given, issuers):
    """Each file with the issuers that it was given for; ValueError unless every trusted issuer has exactly one."""
    if not issuers or (len(given) == len(issuers) == 1 and not re.match("https?://", given[0])):
        return [(issuers, name) for name in given]
    files = []
    for text in given:
        # addresses and names of files may contain both signs, so a list counts only if all of it is trusted
        for sign in re.finditer("=", text):
            owners = [owner.rstrip("/") for owner in text[: sign.start()].split(",")]
            if all(owner in issuers for owner in owners):
                files.append((owners, text[sign.end() :]))
                break
    named = sorted(owner for owners, _ in files for owner in owners)
    if len(files) != len(given) or named != sorted(issuers):
        raise ValueError("Name whose keys each file holds, once for each --issuer: --jwks %s=FILE" % issuers[0])
    return files


def _status_source(key_files, list_files, may_fetch):
    """Texts by address: of the files, else of the network. A list names its own address; its signature decides."""
    texts = {}
    for owners, name in key_files:
        texts.update((owner + "/api/v1/.well-known/status-list-jwks.json", _text_of(name)) for owner in owners)
    for name in list_files:
        text = _text_of(name).strip()
        claims = strict_object(base64url((text.split(".") + [""])[1]) or b"")
        if claims is not None and isinstance(claims.get("sub"), str):
            texts[claims["sub"]] = text
    return StatusSource(texts, may_fetch)


def main():
    parser = argparse.ArgumentParser(description="Verifies a product certificate, offline unless told to fetch.")
    parser.add_argument("document", help="the certificate: a JSON file, or - for standard input")
    parser.add_argument("--page-url", required=True, help="the page on which it was found")
    parser.add_argument("--issuer", action="append", default=[], help="a service whose certificates you trust; repeatable")
    parser.add_argument(
        "--jwks",
        action="append",
        required=True,
        help="file with the public keys of the issuer; if several are trusted: ISSUER=FILE, or ISSUER,ISSUER=FILE; repeatable",
    )
    parser.add_argument(
        "--keys-fetched-at",
        type=_moment,
        help="when the files of --jwks were fetched: a proof issued later by an unknown key is undecided, not failed",
    )
    parser.add_argument("--status-list", action="append", default=[], help="file with a status list; repeatable")
    parser.add_argument(
        "--status-keys",
        action="append",
        default=[],
        help="file with the issuer's keys for status lists; if several are trusted: ISSUER=FILE; repeatable",
    )
    parser.add_argument("--fetch-status", action="store_true", help="fetch lists and keys that are not given")
    parser.add_argument(
        "--withdrawal",
        choices=("required", "ifReachable", "none"),
        help="what an unknown status means: no verdict, or nothing; default: ifReachable with any of the options above",
    )
    parser.add_argument("--log", help="policy of transparency logs and witnesses (tlog-policy): whether the proof is logged")
    parser.add_argument("--log-required", action="store_true", help="no verdict unless it is, as the policy requires")
    parser.add_argument("--product-id", help="the expected product")
    parser.add_argument("--now", type=_moment, default=int(datetime.now(timezone.utc).timestamp()))
    try:
        options = parser.parse_args()
    except SystemExit as exit_:
        return 64 if exit_.code else 0
    issuers = list(dict.fromkeys(issuer.rstrip("/") for issuer in options.issuer if issuer.strip("/ ")))
    has_status = bool(options.status_keys or options.status_list or options.fetch_status)
    policy = options.withdrawal or ("ifReachable" if has_status else "none")
    try:
        files = _files_by_issuer(options.jwks, issuers)
        status_files = _files_by_issuer(options.status_keys, issuers) if options.status_keys else []
    except ValueError as fault:
        print(fault, file=sys.stderr)
        return 64
    try:
        document = _text_of(options.document)
        keys = [(owners, _json_of(name)) for owners, name in files]
        logs = None if options.log is None else _policy_of(options.log)
        lists = None if policy == "none" else _status_source(status_files, options.status_list, options.fetch_status)
    except (OSError, ValueError) as fault:
        print("A file cannot be read: %s" % fault, file=sys.stderr)
        return 64
    if not issuers:
        print("There can be no verdict: nobody is trusted (--issuer).")
        return 3
    if not all(isinstance(jwks, dict) and isinstance(jwks.get("keys"), list) and jwks["keys"] for _, jwks in keys):
        print("There can be no verdict: a JWKS holds no keys.")
        return 3
    try:
        asked = (options.now, options.product_id, options.keys_fetched_at, lists, policy == "required", logs)
        result = verify(document, options.page_url, keys, *asked, is_log_required=options.log_required)
    except KeysUnavailable:
        print("There can be no verdict: the keys are older than the proof. Fetch them again.")
        return 3
    print(json.dumps(result, indent=2))
    if result["status"] != "verified":
        return {"failed": 1, "unverified": 2}[result["status"]]
    exits = {"certificate_suspended": 2, "withdrawal_unknown": 3, "log_proof_invalid": 3, "log_required": 3}
    return next((exits[code] for code in result["warnings"] if code in exits), 0)


def with_deep_stack(work):
    """Runs in a thread whose stack holds JSON nested as deep as a document may be (1 MB)."""
    threading.stack_size(512 * 1024 * 1024)
    sys.setrecursionlimit(2_000_000)
    answer = []
    thread = threading.Thread(target=lambda: answer.append(work()))
    thread.start()
    thread.join()
    return answer[0] if answer else 70


if __name__ == "__main__":
    sys.exit(with_deep_stack(main))
