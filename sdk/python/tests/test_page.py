import json
import unittest
from datetime import timedelta

from tests.issuer import ISSUER, NOW, PAGE, Issuer
from touchstone_certificate import CannotVerifyError, create_trust, verify_from_html
from touchstone_certificate.page.elements import elements_of
from touchstone_certificate.page.repair import parse_json_ld


def script(node, attributes='type="application/ld+json"'):
    return "<script %s>%s</script>" % (attributes, node if isinstance(node, str) else json.dumps(node))


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.trust = create_trust(trusted_issuers=[ISSUER], jwks=cls.issuer.jwks)
        cls.document = cls.issuer.document()

    def check(self, html, **more):
        return verify_from_html(html, **{"page_url": PAGE, "trust": self.trust, "now": NOW, **more})

    def test_verdicts(self):
        sound = "<!doctype html><title>Cup</title>" + script(self.document)
        for verdict, html, more in (
            ("verified", sound, {}),
            ("checks_failed", sound, {"page_url": "https://copy.example/products/cup"}),
            ("certificate_expired", sound, {"now": NOW + timedelta(days=8)}),
            ("no_certificate", "<p>Nothing here.", {}),
            ("no_certificate", "<!--" + sound + "-->", {}),
            ("no_certificate", "<textarea>" + sound + "</textarea>", {}),
            ("canonical_mismatch", sound.replace("certificates.example/api", "other.example/api"), {}),
            ("invalid_certificate", script({"@type": "Product", "svc:issuedFor": {}}), {}),
            ("unverified", script({**self.document, "proof": None}), {}),
            ("verified", script("{broken") + sound, {}),
            ("verified", sound.replace('"svc:', '"%s/ns#' % ISSUER), {}),
        ):
            self.assertEqual((html[:60], verdict), (html[:60], self.check(html, **more).verdict))

    def test_inherited_context_counts(self):
        def verdict(context):
            return self.check(script({"@context": context, "@graph": [self.document]})).verdict

        self.assertEqual("verified", verdict("https://schema.org"))
        self.assertEqual("checks_failed", verdict({"url": "https://bargains.example/"}))

    def test_added_certificates_hide_none(self):
        forged = Issuer().document()
        many = "".join(script({**forged, "name": str(number)}) for number in range(20))
        found = self.check(many + script(self.document))
        self.assertEqual("verified", found.verdict)
        self.assertIn("several_certificates", found.findings)
        undecided = create_trust(trusted_issuers=[ISSUER], jwks=self.issuer.jwks, fetched_at=NOW - timedelta(seconds=1))
        newer, later = Issuer("key-2").document(), NOW + timedelta(seconds=1)
        self.assertEqual("verified", self.check(script(newer) + script(self.document), trust=undecided, now=later).verdict)
        with self.assertRaises(CannotVerifyError):
            self.check(script(newer), trust=undecided, now=later)

    def test_the_canonical_link_is_a_finding_and_no_excuse(self):
        link = '<base href="/"><link href="products/cup" rel="Canonical nofollow">'
        found = self.check(link + script(self.document), page_url=PAGE + "?id=1")
        self.assertEqual(("checks_failed", PAGE), (found.verdict, found.details["canonical_link_matches"]))

    def test_bytes_are_decoded(self):
        html = script(self.document)
        for data, content_type in (
            (html.encode("utf-16-le"), "text/html; charset=utf-16le"),
            (html.encode("utf-16-le"), None),
            (b"\xef\xbb\xbf" + html.encode(), None),
            (b'<meta charset="windows-1252">' + html.encode(), None),
        ):
            self.assertEqual("verified", self.check(data, content_type=content_type).verdict)

    def test_markup_is_read_in_linear_time(self):
        for part in ("<", "<a ", "<a b=", "<!--", "<script>", "<script/", "</", "<a b='", "<title>", "<script type=x></script"):
            elements_of(part * 100_000, [])

    def test_broken_blocks_are_repaired(self):
        for text, value in (
            ('{"@type": "Product",}', {"@type": "Product"}),
            ('<!-- {"a": 1} -->', {"a": 1.0}),
            ('{"a": "x\ny", "b": "it\\\'s"}', {"a": "x\ny", "b": "it's"}),
            ('{"a": "15" screen"}', {"a": '15" screen'}),
            ('{"a": 1}\n{"b": 2};', [{"a": 1.0}, {"b": 2.0}]),
            ("{&quot;a&quot;: 1}", {"a": 1.0}),
        ):
            self.assertEqual((value, True), parse_json_ld(text))
        for text in ("", '{"a": ', "{a: 1}", '{"a": 1} {"b": {}}'):
            self.assertIsNone(parse_json_ld(text))
