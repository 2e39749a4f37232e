#!/usr/bin/env python3
"""Verifies a receipt of a verification or a page check. Python 3.8 or later, its standard library, and verify.py beside it.

    verify_receipt.py answer.json --issuer https://certificates.example --jwks receipt-jwks.json \\
        [--answer answer.json] [--request request.json] [--page page.html]

Written from docs/format.md alone, as a second opinion: it shares no code with the service. The exit code is 0 if there is no
fault, 1 for a receipt that proves nothing, 64 for wrong usage. The time stamp, if there is one, is for openssl ts -verify.
"""
import argparse
import base64
import hashlib
import json
import re
import sys
import time

from verify import _NotCanonical, base64url, canonical, read_json, strict_object

# ------------------------------------------------------------------------------------------------ Ed25519 (RFC 8032, 5.1)

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)


def _x_of(y, sign):
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    return _P - x if x & 1 != sign else x


def _point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = _x_of(y, sign) if y < _P else None
    return None if x is None else (x, y, 1, x * y % _P)


def _add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(factor, point):
    result = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            result = _add(result, point)
        point = _add(point, point)
        factor >>= 1
    return result


_BASE_Y = 4 * pow(5, _P - 2, _P) % _P
_BASE = (_x_of(_BASE_Y, 0), _BASE_Y, 1, _x_of(_BASE_Y, 0) * _BASE_Y % _P)


def ed25519(key, signature, data):
    """Whether these 64 bytes are the signature of data by the owner of these 32 bytes."""
    public, commitment = _point(key), _point(signature[:32])
    factor = int.from_bytes(signature[32:], "little")
    if public is None or commitment is None or factor >= _L:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + data).digest(), "little") % _L
    left, right = _times(factor, _BASE), _add(commitment, _times(challenge, public))
    return not ((left[0] * right[2] - right[0] * left[2]) % _P or (left[1] * right[2] - right[1] * left[2]) % _P)


# ------------------------------------------------------------------------------------------------------------ the receipt


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _is_text(value):
    return isinstance(value, str) and value != ""


def _is_hash(value):
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_-]{43}", value) is not None


def _is_count(value):
    return isinstance(value, float) and value >= 0 and value.is_integer() and value <= 2**53 - 1


def _hashes(value):
    return isinstance(value, dict) and _is_hash(value.get("sha256")) and _is_hash(value.get("querySha256", "A" * 43))


def _is_complete(claims):
    page, log = claims.get("page"), claims.get("log")
    whole = isinstance(page, dict) and _hashes(page) and _is_text(page.get("url")) and _is_text(page.get("fetchedAt"))
    return (
        all(_is_text(claims.get(name)) for name in ("iss", "verdict", "conclusion", "verifier"))
        and all(_is_text(claims.get(name, "-")) for name in ("productId", "commit"))
        and _is_count(claims.get("iat"))
        and claims.get("operation") in ("verifyProductCertificate", "checkPage")
        and _hashes(claims.get("request"))
        and _hashes(claims.get("answer"))
        and (claims.get("observed") == "fetched" if whole else claims.get("observed") == "submitted" and "page" not in claims)
        and ("log" not in claims or isinstance(log, dict) and _is_text(log.get("origin")) and _is_count(log.get("index")))
    )


def _key(jwks, kid):
    keys = [key for key in jwks.get("keys", []) if isinstance(key, dict) and key.get("kid") == kid]
    if len(keys) != 1 or keys[0].get("kty") != "OKP" or keys[0].get("crv") != "Ed25519":
        return None
    if keys[0].get("use", "sig") != "sig" or keys[0].get("alg", "Ed25519") != "Ed25519":
        return None
    data = base64url(keys[0]["x"]) if isinstance(keys[0].get("x"), str) else None
    return data if data is not None and len(data) == 32 else None


def jws_in(given):
    """The JWS of what was kept: itself, the receipt, or the answer that contains it."""
    if isinstance(given, dict):
        receipt = given.get("receipt")
        given = (receipt if isinstance(receipt, dict) else given).get("jws")
    return given if isinstance(given, str) else None


def verify(given, issuers, jwks, answer=None, request=None, page=None, now=None):
    """Claims and faults; the claims only if the signature is valid."""
    jws = jws_in(given)
    if jws is None:
        return None, ["receipt_malformed"]
    if len(jws) > 8192:
        return None, ["receipt_too_large"]
    parts = jws.split(".")
    data = [base64url(part) for part in parts]
    if len(parts) != 3 or None in data or len(data[2]) != 64:
        return None, ["receipt_malformed"]
    header, claims = strict_object(data[0]), strict_object(data[1])
    if header is None or claims is None:
        return None, ["receipt_malformed"]
    if header.get("typ") != "touchstone-receipt+jwt":
        return None, ["receipt_type_wrong"]
    if header.get("alg") != "Ed25519":
        return None, ["receipt_algorithm_not_allowed"]
    if not set(header) <= {"alg", "kid", "typ"}:
        return None, ["receipt_header_not_allowed"]
    if not _is_text(header.get("kid")):
        return None, ["receipt_malformed"]
    if claims.get("iss") not in issuers:
        return None, ["receipt_issuer_untrusted"]
    key = _key(jwks, header["kid"])
    if key is None:
        return None, ["receipt_key_unknown"]
    if not ed25519(key, data[2], jws.rpartition(".")[0].encode()):
        return None, ["receipt_signature_invalid"]
    if claims.get("v") != 1.0:
        return None, ["receipt_version_unknown"]
    if not _is_complete(claims):
        return None, ["receipt_claims_malformed"]
    faults = ["receipt_from_future"] if claims["iat"] > (time.time() if now is None else now) + 60 else []
    if request is not None:
        faults += _request_faults(request, claims)
    if answer is not None:
        faults += _answer_faults(answer, claims)
    if page is not None:
        if "page" not in claims:
            faults.append("receipt_page_absent")
        elif digest(page) != claims["page"]["sha256"]:
            faults.append("receipt_page_differs")
    return claims, faults


def _request_faults(request, claims):
    named = request if isinstance(request, dict) else {}
    is_check = claims["operation"] == "checkPage"
    address = named.get("url" if is_check else "productUrl")
    if not isinstance(address, str):
        return ["receipt_request_unreadable"]
    cut = re.search(r"[?#]", address)
    url, query = (address, None) if cut is None else (address[: cut.start()], address[cut.start() :])
    if is_check:
        fresh = "fresh" if named.get("evidence") is True else named.get("freshness") or "cached"
        asked = {"url": url, "freshness": fresh, "images": named.get("images"), "original": named.get("original")}
        asked.update({name: True for name in ("explain", "evidence") if named.get(name) is True})
    else:
        product = named.get("productId", claims.get("productId"))
        asked = {"productUrl": url, "productId": product and product.lower(), "document": named.get("document")}
    try:
        text = canonical({name: value for name, value in asked.items() if value is not None})
    except (_NotCanonical, RecursionError):
        return ["receipt_request_unreadable"]
    if digest(text.encode()) != claims["request"]["sha256"]:
        return ["receipt_request_differs"]
    if query is not None and digest(query.encode()) != claims["request"].get("querySha256"):
        return ["receipt_query_differs"]
    return []


_ADDED = ("receipt", "evidence", "untrusted")


def _answer_faults(answer, claims):
    if not isinstance(answer, dict):
        return ["receipt_answer_unreadable"]
    try:
        text = canonical({name: value for name, value in answer.items() if name not in _ADDED})
    except (_NotCanonical, RecursionError):
        return ["receipt_answer_unreadable"]
    return [] if digest(text.encode()) == claims["answer"]["sha256"] else ["receipt_answer_differs"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("receipt", help="the receipt, its JWS, or the answer that contains it")
    parser.add_argument("--issuer", action="append", required=True, help="base address of a service that you trust")
    parser.add_argument("--jwks", required=True, help="its /api/v1/.well-known/receipt-jwks.json, as a file")
    parser.add_argument("--answer", help="the answer, if the first file does not contain it")
    parser.add_argument("--request", help="the body of the request")
    parser.add_argument("--page", help="the bytes of the page")
    try:
        named = parser.parse_args()
        read = lambda path: open(path, "rb").read()  # noqa: E731
        as_json = lambda path: None if path is None else read_json(read(path).decode("utf-8"))  # noqa: E731
        text = read(named.receipt).decode("utf-8").strip()
        given = read_json(text) if text.startswith("{") else text
        within = given if isinstance(given, dict) and "receipt" in given else None
        answer = as_json(named.answer) or within
        page = None if named.page is None else read(named.page)
        issuers = [issuer.rstrip("/") for issuer in named.issuer]
        claims, faults = verify(given, issuers, as_json(named.jwks), answer, as_json(named.request), page)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 64
    except SystemExit as error:
        return 64 if error.code else 0
    print(json.dumps({"valid": not faults, "faults": faults, "claims": claims}, indent=2))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
