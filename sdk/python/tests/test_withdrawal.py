import json
import unittest
from datetime import timedelta

from tests.issuer import ISSUER, LIST, NOW, PAGE, Issuer
from touchstone_certificate import (
    IssuerKeys,
    Response,
    StatusLists,
    create_trust,
    verify_by_profile,
    verify_product_certificate,
    with_withdrawal,
)

LIST_KEYS = ISSUER + "/api/v1/.well-known/status-list-jwks.json"


class Withdrawals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.issuer, cls.lists = Issuer(), Issuer("list-key-1")
        cls.document = cls.issuer.document(status={"status_list": {"idx": 4711, "uri": LIST}})
        cls.trust = create_trust(trusted_issuers=[ISSUER], jwks=cls.issuer.jwks)
        cls.result = verify_product_certificate(cls.document, page_url=PAGE, trust=cls.trust, now=NOW)

    def offline(self, *tokens):
        keys = [IssuerKeys([ISSUER], self.lists.jwks)]
        return StatusLists(trusted_issuers=[ISSUER], keys=keys, prefetched=tokens, offline=True)

    def test_prefetched_lists_tell_until_they_end(self):
        lists = self.offline(self.lists.status_list())
        found = lists.look_up(self.document, ISSUER, NOW)
        self.assertEqual(("valid", "not_withdrawn", NOW, NOW + timedelta(days=1)), tuple(vars(found).values()))
        late = lists.look_up(self.document, ISSUER, NOW + timedelta(days=1, seconds=60))
        self.assertEqual((None, "status_list_expired"), (late.status, late.reason))

    def test_what_was_withdrawn_stays_so_after_the_list_has_ended(self):
        lists = self.offline(self.lists.status_list([(4711, 1)]))
        for days in (0, 3):
            self.assertEqual("withdrawn", lists.look_up(self.document, ISSUER, NOW + timedelta(days=days)).reason)

    def test_effects_on_results(self):
        for value, status, warnings, errors, code, profile in (
            (0, "verified", (), (), "page_not_compared", "trusted"),
            (1, "failed", (), ("certificate_withdrawn",), "withdrawn", "untrusted"),
            (2, "verified", ("certificate_suspended",), (), "suspended", "undetermined"),
        ):
            found = self.offline(self.lists.status_list([(4711, value)])).look_up(self.document, ISSUER, NOW)
            told = with_withdrawal(self.result, found)
            self.assertEqual((status, warnings, errors, code), (told.status, told.warnings, told.errors, told.conclusion.code))
            answer = verify_by_profile(self.document, profile="standard", page_url=PAGE, trust=self.trust, now=NOW)
            self.assertEqual(profile, with_withdrawal(answer, found).status)

    def test_policies_where_nothing_is_known(self):
        found = self.offline().look_up(self.document, ISSUER, NOW)
        self.assertEqual((None, "status_list_unreachable"), (found.status, found.reason))
        self.assertEqual((), with_withdrawal(self.result, found).warnings)
        required = with_withdrawal(self.result, found, "required")
        self.assertEqual((("withdrawal_unknown",), "none"), (required.warnings, required.conclusion.level))
        self.assertEqual("not_looked_at", with_withdrawal(self.result, found, "none").withdrawal.reason)

    def test_lists_are_fetched_once_for_their_time_and_failures_not_at_once_again(self):
        asked, answers = [], {LIST_KEYS: json.dumps(self.lists.jwks), LIST: self.lists.status_list()}

        def fetch(url, _headers):
            asked.append(url)
            return Response(200, answers[url].encode()) if url in answers else Response(404)

        lists = StatusLists(trusted_issuers=[ISSUER], fetch=fetch)
        for seconds in (0, 10, 899):
            self.assertEqual("valid", lists.look_up(self.document, ISSUER, NOW + timedelta(seconds=seconds)).status)
        self.assertEqual([LIST, LIST_KEYS], asked)
        del answers[LIST]
        for seconds in (900, 910, 929, 931):
            lists.look_up(self.document, ISSUER, NOW + timedelta(seconds=seconds))
        self.assertEqual(2, asked.count(LIST) - 1)
        # nothing is asked for a proof of which the issuer is not known
        self.assertEqual("not_looked_at", lists.look_up(self.document, None, NOW).reason)
