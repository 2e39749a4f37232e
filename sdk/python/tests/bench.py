"""Verifications a second, as a ratio to what `cryptography` needs for the signature alone, of a full certificate of the public vectors:
`python3 tests/bench.py` in sdk/python of the repository."""

import json
import sys
import time
from datetime import datetime
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))

from touchstone_certificate import create_trust, verify_product_certificate  # noqa: E402
from touchstone_certificate.keys import suitable_rsa_key, verify_rs256  # noqa: E402
from touchstone_certificate.proof import read_proof  # noqa: E402

ROUNDS, TIMES = 9, 300
VECTORS = HERE.parents[3] / "test/vectors/members.json"


def fastest(work):
    """Seconds of CPU time for one call: the least of several rounds, as others use the machine too."""
    least = float("inf")
    for _ in range(ROUNDS):
        before = time.process_time()
        for _ in range(TIMES):
            work()
        least = min(least, (time.process_time() - before) / TIMES)
    return least


def verified(file):
    """The first document that is verified."""
    return next(one for one in file["vectors"] if one["kind"] == "document" and one["expect"]["status"] == "verified")


def main():
    file = json.loads(VECTORS.read_text("utf-8"))
    vector = verified(file)
    context, jwks = vector["context"], file["jwks"][vector["jwks"]]
    document = vector["input"]["document"]
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    trust = create_trust(trusted_issuers=context["issuers"], jwks=jwks)
    now = datetime.fromisoformat(context["now"].replace("Z", "+00:00"))
    proof = read_proof(document["proof"]["jwt"])
    key = next(suitable_rsa_key(jwk) for jwk in jwks["keys"] if jwk["kid"] == proof.kid)
    assert verify_product_certificate(text, page_url=context["pageUrl"], trust=trust, now=now).status == "verified"
    bare = fastest(lambda: verify_rs256(key, proof.signature, proof.signed))
    whole = fastest(lambda: verify_product_certificate(text, page_url=context["pageUrl"], trust=trust, now=now))
    figures = (1 / bare, 1 / whole, whole / bare, len(text.encode()))
    print("RSA-2048 alone: %.0f a second; a verification: %.0f a second, %.1f times as long (%d bytes)" % figures)


if __name__ == "__main__":
    main()
