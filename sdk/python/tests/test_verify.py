import json
import unittest
from datetime import datetime, timedelta

from tests.issuer import ISSUER, NOW, PAGE, PRODUCT, Issuer
from touchstone_certificate import (
    CannotVerifyError,
    IssuerKeys,
    create_trust,
    verify_by_profile,
    verify_product_certificate,
    verify_proof,
)


class Verify(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.trust = create_trust(trusted_issuers=[ISSUER + "/"], jwks=cls.issuer.jwks)
        cls.document = cls.issuer.document()

    def verify(self, document, page_url=PAGE, **more):
        return verify_product_certificate(document, **{"page_url": page_url, "trust": self.trust, "now": NOW, **more})

    def test_a_genuine_certificate_is_verified_as_text_and_as_parsed(self):
        for document in (self.document, json.dumps(self.document)):
            result = self.verify(document, PAGE + "/?utm_source=mail")
            self.assertEqual(("verified", (), ()), (result.status, result.errors, result.warnings))
            self.assertEqual("page_not_compared", result.conclusion.code)
            self.assertEqual(
                "Issued to shop.example, whose control was last proven on 1 Mar 2026, for this page. "
                "Nothing that the page shows was compared with it.",
                result.conclusion.sentence,
            )
            self.assertEqual((PRODUCT, "2026-03-01T12:00:00.000Z"), (result.signed["productId"], result.signed["issuedAt"]))

    def test_a_failed_check_tells_what_it_compared(self):
        result = self.verify(self.document, "https://copy.example/products/cup")
        self.assertEqual(("failed", ("domain_differs", "url_differs")), (result.status, result.errors))
        detail = result.check_details["boundToDomain"]
        self.assertEqual(("shop.example", "copy.example"), (detail.expected, detail.actual))
        self.assertEqual(("bad", "another_host"), (result.conclusion.level, result.conclusion.code))
        altered = self.verify({**self.document, "svc:status": {"canonicalSource": 1}})
        self.assertEqual(("member_altered",), altered.errors)
        self.assertEqual("svc:status as it was issued", altered.check_details["certificateIntegrity"].expected)

    def test_hostile_documents_get_a_verdict(self):
        text = json.dumps(self.document)
        deep = "[" * 200_000 + "]" * 200_000
        for more, wanted in (
            ('"offers":' + deep, "verified"),
            ('"svc:record":' + deep, "failed"),
            ('"__proto__":{"url":"x"}', "verified"),
            ('"svc:record":1e400', "failed"),
            ('"name":"\\ud800"', "verified"),
        ):
            self.assertEqual((more[:20], wanted), (more[:20], self.verify("{" + more + "," + text[1:]).status))
        for document in (None, 1, [], "", "{", "[" * 200_000, {"@graph": []}, {"proof": {"jwt": 1}}, {"proof": {"jwt": "é"}}):
            self.assertIn(self.verify(document).status, ("unverified", "failed"))

    def test_times(self):
        for seconds, wanted in ((-300, None), (-301, "proof_not_yet_valid"), (604859, None), (604860, "proof_expired")):
            result = self.verify(self.document, now=NOW + timedelta(seconds=seconds))
            self.assertEqual((seconds, () if wanted is None else (wanted,)), (seconds, result.errors))

    def test_keys_belong_to_issuers(self):
        other = "https://other.example"
        trust = create_trust(
            trusted_issuers=[ISSUER, other],
            keys=[IssuerKeys([other], self.issuer.jwks), IssuerKeys([ISSUER], Issuer().jwks)],
        )
        self.assertEqual(("signature_mismatch",), self.verify(self.document, trust=trust).errors)
        foreign = create_trust(trusted_issuers=[other], keys=[IssuerKeys([other], self.issuer.jwks)])
        self.assertEqual("failed", self.verify(self.document, trust=foreign).status)
        with self.assertRaises(TypeError):
            create_trust(trusted_issuers=[ISSUER, other], jwks=self.issuer.jwks)
        for issuers, jwks, code in (([], None, "no_trusted_issuer"), ([ISSUER], {"keys": []}, "keys_unavailable")):
            with self.assertRaises(CannotVerifyError) as raised:
                create_trust(trusted_issuers=issuers, jwks=jwks)
            self.assertEqual(code, raised.exception.code)

    def test_keys_that_may_be_older_than_the_proof_give_no_verdict(self):
        trust = create_trust(trusted_issuers=[ISSUER], jwks=Issuer("key-0").jwks, fetched_at=NOW - timedelta(seconds=1))
        with self.assertRaises(CannotVerifyError) as raised:
            self.verify(self.document, trust=trust, now=NOW + timedelta(seconds=1))
        self.assertEqual("keys_unavailable", raised.exception.code)

    def test_wrong_arguments_are_named(self):
        for more in ({"now": datetime(2026, 3, 1)}, {"page_url": None}):
            with self.assertRaises(TypeError):
                self.verify(self.document, **more)

    def test_a_proof_on_its_own(self):
        jwt = self.document["proof"]["jwt"]
        found = verify_proof(jwt, trust=self.trust, now=NOW)
        self.assertEqual([True, True, True], [check.result for check in found.checks.values()])
        self.assertEqual("cup-1", found.signed["externalProductId"])
        other = verify_proof(jwt, trust=self.trust, now=NOW, kind="image")
        self.assertEqual("proof_kind_wrong", other.checks["certificateIntegrity"].reason)

    def test_profiles(self):
        def answer(**more):
            return verify_by_profile(self.document, **{"profile": "standard", "trust": self.trust, "now": NOW, **more})

        self.assertEqual("trusted", answer(page_url=PAGE).status)
        self.assertEqual("undetermined", answer().status)
        self.assertEqual("trusted", answer(page_url="https://shop.example/x", profile="minimal").status)
        self.assertEqual("untrusted", answer(page_url="https://shop.example/x").status)
        self.assertEqual("undetermined", answer(page_url=PAGE, profile="full", image=b"x").status)
