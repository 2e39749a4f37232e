"""Public keys of issuers, and the two kinds of signatures that they make."""

from __future__ import annotations

from typing import Any, Dict, Optional, Union

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey, RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256

from .encoding import base64url

_ROCA_PRIMES = (11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157)


class KeySet:
    """
    The keys of one service for RS256. Any value is accepted as a JWKS: entries without `kid` are ignored, and `find` tells of those that
    are unfit.
    """

    def __init__(self, jwks: Any) -> None:
        keys = jwks.get("keys") if isinstance(jwks, dict) else None
        self._keys: Dict[str, Union[RSAPublicKey, str]] = {}
        for key in keys if isinstance(keys, list) else []:
            kid = key.get("kid") if isinstance(key, dict) else None
            if isinstance(kid, str):
                self._keys[kid] = "key_ambiguous" if kid in self._keys else suitable_rsa_key(key) or "key_unsuitable"

    def find(self, kid: str) -> Union[RSAPublicKey, str]:
        """The key of this name, or why there is none: key_unknown, key_ambiguous, key_unsuitable."""
        return self._keys.get(kid, "key_unknown")


class NoKeys(KeySet):
    """The keys of an issuer who is not trusted: nobody was asked for them."""

    def __init__(self) -> None:
        super().__init__(None)

    def find(self, kid: str) -> Union[RSAPublicKey, str]:
        return "issuer_untrusted"


def suitable_rsa_key(jwk: Dict[str, Any]) -> Optional[RSAPublicKey]:
    """A key that may check RS256 signatures (docs/format.md, section 3), else None."""
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
    if _is_roca_modulus(n):
        return None
    try:
        return RSAPublicNumbers(e, n).public_key()
    except ValueError:
        return None


def _integer(text: Any, longest: int) -> Optional[int]:
    data = base64url(text) if isinstance(text, str) and len(text) <= longest else None
    return int.from_bytes(data, "big") if data else None


def _is_roca_modulus(n: int) -> bool:
    """CVE-2017-15361: a weak modulus is a power of 65537 modulo each of these primes; a sound one almost never is."""
    return all(any(pow(65537, i, prime) == n % prime for i in range(prime)) for prime in _ROCA_PRIMES)


def verify_rs256(key: RSAPublicKey, signature: bytes, data: bytes) -> bool:
    """RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.2)."""
    try:
        key.verify(signature, data, PKCS1v15(), SHA256())
    except InvalidSignature:
        return False
    return True


def verify_ed25519(public: bytes, signature: bytes, data: bytes) -> bool:
    """Ed25519 (RFC 8032, 5.1.7). False also for what is no key, or no signature of 64 bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
