import re
import unittest
from pathlib import Path

from touchstone_certificate import compare_pages, sentences
from touchstone_certificate.canonical import canonical_json
from touchstone_certificate.encoding import base64url, standard_base64
from touchstone_certificate.strict_json import _read_deep, read_json, strict_object

CODES = Path(__file__).resolve().parents[3] / "docs/codes.md"


class Texts(unittest.TestCase):
    def test_json_is_the_same_at_any_depth(self):
        for text in ('{"a":[1,2.5e3,{"b":null}],"c":"\\u00e9\\ud83c\\udf75"} ', "[]", " 1", '"x"', "{}", "[true,false]", "-0"):
            self.assertEqual(read_json(text), _read_deep(text, False))
        for text in ("", "{", "[1,]", '{"a"}', '{"a":1,}', "01", "1 2", "NaN", '{"a":1]', "[1}", '"\x01"', "tru"):
            for read in (read_json, lambda one: _read_deep(one, False)):
                with self.assertRaises(ValueError):
                    read(text)
        for text in ('{"a":1,"a":2}', '[{"b":{"a":1,"\\u0061":2}}]'):
            with self.assertRaises(ValueError):
                _read_deep(text, True)
        self.assertIsNone(strict_object(b"\xef\xbb\xbf{}"))

    def test_canonical_numbers_are_those_of_ecmascript(self):
        for value, wanted in (
            (1e21, "1e+21"),
            (123456789012345680000.0, "123456789012345680000"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (-0.0, "0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (5e-324, "5e-324"),
            (2.0**53, "9007199254740992"),
            (100, "100"),
        ):
            self.assertEqual(wanted, canonical_json(value))

    def test_canonical_form_has_limits(self):
        nested = []
        for _ in range(64):
            nested = [nested]
        for value in ([0] * 20_000, "x" * 4_194_303, nested, "\ud800", float("inf"), {"a": "\udc00"}, object()):
            self.assertIsNone(canonical_json(value))
        self.assertEqual('{"svc:a":1}', canonical_json({"https://x.example/ns#a": 1}, "https://x.example/ns#"))
        self.assertIsNone(canonical_json({"n:a": 1, "svc:a": 2}, "n:"))

    def test_base64_is_canonical(self):
        self.assertEqual([b"", b"a", None, None, None, None], [base64url(one) for one in ("", "YQ", "YR", "YQ==", "Y Q", "é")])
        self.assertEqual([b"a", None, None], [standard_base64(one) for one in ("YQ==", "YQ", "YR==")])

    def test_pages(self):
        signed = "https://shop.example/products/cup"
        for page, wanted in (
            (signed + "/?variant=2#top", "ok"),
            ("HTTPS://SHOP.example:443/products/./%63up", "ok"),
            (signed + "?size=m", "url_extra_parameter"),
            (signed + "2", "url_differs"),
            ("shop.example", "page_url_invalid"),
            ("https://a@shop.example/products/cup", "url_credentials"),
            (signed + "x" * 8192, "url_too_long"),
        ):
            self.assertEqual((page[:60], wanted), (page[:60], compare_pages(signed, page).reason))

    @unittest.skipUnless(CODES.exists(), "not in a checkout of the repository")
    def test_sentences_are_those_of_the_documentation(self):
        documented = CODES.read_text("utf-8").replace("&lt;", "<")
        for codes in (sentences.REASONS, sentences.PAGE_CODES, sentences.RECEIPT_FAULTS):
            for code, sentence in codes.items():
                self.assertIn("| `%s` | %s |" % (code, sentence), documented)
        # items of feeds, which have conclusions of their own, are not read here
        of_pages = documented.split("\n## Conclusions\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| `(\w+)` \| (good|caution|bad|none): (.*) \|$", of_pages, re.M)
        self.assertEqual({code: (level, sentence) for code, level, sentence in rows}, dict(sentences.CONCLUSIONS))
