"""Answers questions about receipts for the tests, one JSON value per line: what examples/verify_receipt.py says, and, where
python3-cryptography is installed, whether that accepts the signature."""
import base64
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples"))
import verify_receipt  # noqa: E402
from verify import base64url, read_json  # noqa: E402

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    Ed25519PublicKey = None


def accepted(jws, jwks):
    """Whether python3-cryptography accepts the signature under the key that the test has."""
    data, _, signature = jws.rpartition(".")
    key = Ed25519PublicKey.from_public_bytes(base64url(jwks["keys"][0]["x"]))
    try:
        key.verify(base64url(signature) or b"", data.encode())
        return True
    except InvalidSignature:
        return False


for line in sys.stdin:
    asked = read_json(line)
    page = None if asked.get("page") is None else base64.b64decode(asked["page"])
    given, jwks, now = asked["given"], asked["jwks"], asked["now"]
    told = asked.get("answer"), asked.get("request"), page
    claims, faults = verify_receipt.verify(given, asked["issuers"], jwks, *told, now=now)
    jws = verify_receipt.jws_in(given)
    by_library = None if Ed25519PublicKey is None or jws is None or not asked.get("byLibrary") else accepted(jws, jwks)
    print(json.dumps({"faults": faults, "claims": claims is not None, "byLibrary": by_library}), flush=True)
