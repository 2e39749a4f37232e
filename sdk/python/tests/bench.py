"""Verifications a second, as a ratio to what `cryptography` needs for the signature alone: `python3 tests/bench.py` in sdk/python."""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.issuer import ISSUER, NOW, PAGE, Issuer  # noqa: E402
from touchstone_certificate import create_trust, verify_product_certificate  # noqa: E402
from touchstone_certificate.keys import suitable_rsa_key, verify_rs256  # noqa: E402
from touchstone_certificate.proof import read_proof  # noqa: E402

ROUNDS, TIMES = 9, 300


def fastest(work):
    """Seconds of CPU time for one call: the least of several rounds, as others use the machine too."""
    least = float("inf")
    for _ in range(ROUNDS):
        before = time.process_time()
        for _ in range(TIMES):
            work()
        least = min(least, (time.process_time() - before) / TIMES)
    return least


def main():
    issuer = Issuer()
    document = issuer.document()
    text = json.dumps(document)
    trust = create_trust(trusted_issuers=[ISSUER], jwks=issuer.jwks)
    proof, key = read_proof(document["proof"]["jwt"]), suitable_rsa_key(issuer.jwks["keys"][0])
    bare = fastest(lambda: verify_rs256(key, proof.signature, proof.signed))
    whole = fastest(lambda: verify_product_certificate(text, page_url=PAGE, trust=trust, now=NOW))
    print("RSA-2048 alone: %.0f a second; a verification: %.0f a second, %.1f times as long" % (1 / bare, 1 / whole, whole / bare))


if __name__ == "__main__":
    main()
