import json
import unittest
from datetime import timedelta

from tests.issuer import ISSUER, NOW, PAGE, SECONDS, Issuer
from touchstone_certificate import CannotVerifyError, Response, create_trust, verify_product_certificate

ADDRESS = ISSUER + "/api/v1/.well-known/jwks.json"


class FetchedKeys(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.document = cls.issuer.document()

    def setUp(self):
        self.asked = []
        self.answer = Response(200, json.dumps(self.issuer.jwks).encode(), {"cache-control": "max-age=60"})
        self.trust = create_trust(trusted_issuers=[ISSUER], fetch=self.fetch)

    def fetch(self, url, headers):
        self.asked.append((url, headers.get("cache-control")))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def status(self, document=None, seconds=0):
        question = {"page_url": PAGE, "trust": self.trust, "now": NOW + timedelta(seconds=seconds)}
        return verify_product_certificate(self.document if document is None else document, **question).status

    def test_keys_are_fetched_from_the_trusted_issuer_and_reused(self):
        self.assertEqual(["verified"] * 3, [self.status(seconds=second) for second in (0, 10, 59)])
        self.assertEqual([(ADDRESS, None)], self.asked)
        self.status(seconds=61)
        self.assertEqual(2, len(self.asked))

    def test_nothing_is_fetched_for_garbage_or_for_strangers(self):
        foreign = self.issuer.document(iss="https://evil.example")
        self.assertEqual(["failed", "failed", "unverified"], [self.status(one) for one in (foreign, {"proof": {"jwt": "a.b.c"}}, {})])
        self.assertEqual([], self.asked)

    def test_an_unknown_key_is_asked_for_past_caches_at_a_limited_rate(self):
        self.status()
        other = Issuer("key-2").document(iat=SECONDS - 10, exp=SECONDS + 604790)
        self.assertEqual(["failed"] * 5, [self.status(other, second) for second in range(5)])
        self.assertEqual([(ADDRESS, None), (ADDRESS, "no-cache")], self.asked)

    def test_old_keys_serve_while_the_issuer_is_away_for_a_day(self):
        self.status()
        self.answer = OSError("away")
        self.assertEqual("verified", self.status(seconds=3600))
        with self.assertRaises(CannotVerifyError):
            self.status(seconds=90_000)

    def test_no_verdict_by_answers_that_are_none(self):
        redirect, html = Response(302, b"", {"location": "https://evil.example/"}), Response(200, b"<html>")
        for answer in (OSError("away"), Response(503), redirect, html, Response(200, b'{"keys":[]}'), ValueError("It is over 1 MB.")):
            self.answer = answer
            self.trust = create_trust(trusted_issuers=[ISSUER], fetch=self.fetch)
            with self.assertRaises(CannotVerifyError) as raised:
                self.status()
            self.assertEqual("keys_unavailable", raised.exception.code)

    def test_addresses_are_https_or_of_this_machine(self):
        create_trust(trusted_issuers=["http://127.0.0.1:8787", "http://localhost:1"])
        for issuer in ("http://certificates.example", "ftp://certificates.example", "certificates.example", "file:///etc"):
            with self.assertRaises(CannotVerifyError) as raised:
                create_trust(trusted_issuers=[issuer])
            self.assertEqual("keys_address_unsafe", raised.exception.code)
