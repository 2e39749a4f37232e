"""An issuer for tests: a key of its own, certificates, status lists."""

import base64
import hashlib
import json
import zlib
from datetime import datetime, timezone

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

from touchstone_certificate.canonical import canonical_json

ISSUER = "https://certificates.example"
PAGE = "https://shop.example/products/cup"
PRODUCT = "0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6"
NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=timezone.utc)
LIST = ISSUER + "/api/v1/mc4p/status/7"
SECONDS = int(NOW.timestamp())


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def number(value):
    return encoded(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Issuer:
    def __init__(self, kid="key-1"):
        self.kid = kid
        self._key = generate_private_key(65537, 2048)
        public = self._key.public_key().public_numbers()
        self.jwks = {"keys": [{"kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256", "n": number(public.n), "e": number(public.e)}]}

    def sign(self, claims, typ="product-certificate+jwt", **header):
        header = {"alg": "RS256", "kid": self.kid, "typ": typ, **header}
        signed = ".".join(encoded(json.dumps(part).encode("utf-8")) for part in (header, claims))
        return signed + "." + encoded(self._key.sign(signed.encode("ascii"), PKCS1v15(), SHA256()))

    def claims(self, **changes):
        claims = {
            "iss": ISSUER,
            "iat": SECONDS,
            "exp": SECONDS + 604800,
            "domain": "shop.example",
            "url": PAGE,
            "productId": PRODUCT,
            "externalProductId": "cup-1",
            "productName": "Stoneware cup",
            "storeName": "The Shop",
            "storeUrl": "https://shop.example/",
            "certifiedAssets": 1,
            "totalAssets": 2,
            "coveragePercent": 50,
            "control": {"method": "dns_txt", "checkedAt": SECONDS},
            **changes,
        }
        return {name: value for name, value in claims.items() if value is not None}

    def document(self, **changes):
        namespace = ISSUER + "/ns#"
        source = {"httpMethod": "GET", "url": "%s/api/v1/mc4p/products/%s/certificate" % (ISSUER, PRODUCT)}
        status = {"canonicalSource": source}
        digest = encoded(hashlib.sha256(canonical_json(status).encode("utf-8")).digest())
        claims = self.claims(namespace=namespace, members={"svc:status": digest}, **changes)
        return {
            "@context": ["https://schema.org", {"svc": namespace}],
            "@type": "Product",
            "productID": PRODUCT,
            "url": PAGE,
            "svc:issuedFor": {"domain": "shop.example", "productID": PRODUCT},
            "svc:status": status,
            "proof": {"type": "JsonWebSignature2020", "algorithm": "RS256", "jwt": self.sign(claims)},
        }

    def status_list(self, values=(), **changes):
        """:param values: pairs of an index and its value"""
        entries = bytearray(262144)
        for index, value in values:
            entries[index // 4] |= value << index % 4 * 2
        lst = encoded(zlib.compress(bytes(entries)))
        claims = {"sub": LIST, "iat": SECONDS, "exp": SECONDS + 86400, "ttl": 900, "status_list": {"bits": 2, "lst": lst}, **changes}
        return self.sign(claims, "statuslist+jwt")
