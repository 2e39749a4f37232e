package certificate

import (
	"bytes"
	"compress/zlib"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

const pathOfList = "/api/v1/mc4p/status/7"

func deflated(entries []byte) string {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(entries)
	w.Close()
	return encodeBase64url(out.Bytes())
}

// list signs a status list with one entry that is not 0.
func (i *testIssuer) list(uri string, index int, value byte, changes map[string]any) string {
	entries := make([]byte, listBytes)
	entries[index/4] = value << (2 * (index % 4))
	claims := map[string]any{
		"sub": uri, "iat": testNow.Unix(), "exp": testNow.Unix() + 86_400, "ttl": 900, "revoked_kids": []any{},
		"status_list": map[string]any{"bits": 2, "lst": deflated(entries)},
	}
	for name, value := range changes {
		claims[name] = value
	}
	return i.sign(i.header("statuslist+jwt"), text(claims))
}

func listed7(uri string, index int) map[string]any {
	return map[string]any{"status": map[string]any{"status_list": map[string]any{"idx": index, "uri": uri}}}
}

func listsOf(t testing.TB, s *service, options StatusListsOptions) *StatusLists {
	t.Helper()
	options.TrustedIssuers, options.Client = []string{s.URL}, s.Client()
	lists, err := NewStatusLists(options)
	if err != nil {
		t.Fatal(err)
	}
	return lists
}

func lookUp(t testing.TB, lists *StatusLists, trust *Trust, document string, at time.Time) (*Result, Withdrawal) {
	t.Helper()
	result, err := verifyAt(t, trust, document, testNow)
	if err != nil {
		t.Fatal(err)
	}
	return result, lists.LookUp(context.Background(), []byte(document), result.Signed, at)
}

func TestAListIsKeptForItsTTL(t *testing.T) {
	s, one, lister := newService(t), issuerWith(t, 0, "key-1"), issuerWith(t, 1, "lists-1")
	s.serve(pathOfKeys, one.jwks())
	s.serve(pathOfListKeys, lister.jwks())
	s.serve(pathOfList, lister.list(s.URL+pathOfList, 5, 1, nil))
	lists, trust := listsOf(t, s, StatusListsOptions{}), trustIn(t, s, TrustOptions{})

	result, found := lookUp(t, lists, trust, one.certificate(s.URL, listed7(s.URL+pathOfList, 5)), testNow)
	expect(t, "withdrawn", found.Status, Withdrawn)
	expect(t, "next look", found.NextLook, testNow.Add(15*time.Minute))
	withdrawn := result.WithWithdrawal(found, IfReachable)
	expect(t, "check", withdrawn.Checks[BoundToDomain].Reason, "certificate_withdrawn")
	expect(t, "conclusion", withdrawn.Conclusion.Code, "withdrawn")
	expect(t, "the result before", result.Status, StatusVerified)

	other := one.certificate(s.URL, listed7(s.URL+pathOfList, 6))
	_, found = lookUp(t, lists, trust, other, testNow.Add(14*time.Minute))
	expect(t, "not withdrawn", found.Status, NotWithdrawn)
	expect(t, "requests within the ttl", s.count(pathOfList), 1)
	s.serve(pathOfList, lister.list(s.URL+pathOfList, 6, 2, map[string]any{"iat": testNow.Unix() + 900}))
	_, found = lookUp(t, lists, trust, other, testNow.Add(16*time.Minute))
	expect(t, "suspended", found.Status, Suspended)
	expect(t, "requests after it", s.count(pathOfList), 2)
}

func TestAListThatCannotBeHadIsNotRequestedAtOnce(t *testing.T) {
	s, one, lister := newService(t), issuerWith(t, 0, "key-1"), issuerWith(t, 1, "lists-1")
	s.serve(pathOfKeys, one.jwks())
	s.serve(pathOfListKeys, lister.jwks())
	lists, trust := listsOf(t, s, StatusListsOptions{}), trustIn(t, s, TrustOptions{})
	document := one.certificate(s.URL, listed7(s.URL+pathOfList, 5))
	for i := 0; i < 3; i++ {
		result, found := lookUp(t, lists, trust, document, testNow.Add(time.Duration(i)*time.Second))
		expect(t, "reason", found.Reason, "status_list_unreachable")
		expect(t, "if it is reachable", result.WithWithdrawal(found, IfReachable).Status, StatusVerified)
		expect(t, "if it is required", result.WithWithdrawal(found, Required).Conclusion.Code, "withdrawal_unknown")
	}
	expect(t, "requests", s.count(pathOfList), 1)
	s.serve(pathOfList, lister.list(s.URL+pathOfList, 5, 1, nil))
	_, found := lookUp(t, lists, trust, document, testNow.Add(time.Minute))
	expect(t, "a minute later", found.Status, Withdrawn)

	// it has ended, but what it called invalid is so for good
	s.serveBy(pathOfList, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	_, found = lookUp(t, lists, trust, document, testNow.Add(48*time.Hour))
	expect(t, "two days later", found.Status, Withdrawn)
}

func TestARevokedKeyWithdrawsWhereverItIsListed(t *testing.T) {
	s, one, lister := newService(t), issuerWith(t, 0, "key-1"), issuerWith(t, 1, "lists-1")
	s.serve(pathOfListKeys, lister.jwks())
	s.serve(pathOfKeys, one.jwks())
	trust := trustIn(t, s, TrustOptions{JWKS: []byte(one.jwks())})
	s.serve(pathOfList, lister.list(s.URL+pathOfList, 5, 0, map[string]any{"revoked_kids": []any{"key-1"}}))
	_, found := lookUp(t, listsOf(t, s, StatusListsOptions{}), trust, one.certificate(s.URL, listed7(s.URL+pathOfList, 5)), testNow)
	expect(t, "listed", found.Reason, "key_revoked")

	// a thief names a list that does not exist
	s.serve(pathOfKeys, lister.jwks())
	_, found = lookUp(t, listsOf(t, s, StatusListsOptions{}), trust, one.certificate(s.URL, listed7(s.URL+"/api/v1/mc4p/status/8", 5)), testNow)
	expect(t, "taken back", found.Reason, "key_revoked")
}

func TestFaultsOfTheClaimRequestNothing(t *testing.T) {
	s, one := newService(t), issuerWith(t, 0, "key-1")
	trust, lists := trustIn(t, s, TrustOptions{JWKS: []byte(one.jwks())}), listsOf(t, s, StatusListsOptions{})
	for uri, reason := range map[string]Code{
		"https://other.example" + pathOfList: "status_uri_differs", s.URL + pathOfList + "?": "status_uri_differs",
		s.URL + "/api/v1/mc4p/status/07": "status_uri_differs", s.URL + "/api/v1/mc4p/status/2147483648": "status_uri_differs",
	} {
		result, found := lookUp(t, lists, trust, one.certificate(s.URL, listed7(uri, 5)), testNow)
		expect(t, uri, found.Reason, reason)
		expect(t, uri, result.WithWithdrawal(found, IfReachable).Conclusion.Code, "not_in_status_list")
	}
	_, found := lookUp(t, lists, trust, one.certificate(s.URL, listed7(s.URL+pathOfList, listEntries)), testNow)
	expect(t, "index", found.Reason, "status_index_out_of_range")
	_, found = lookUp(t, lists, trust, one.certificate(s.URL, map[string]any{"status": 1}), testNow)
	expect(t, "malformed", found.Reason, "status_claim_malformed")
	expect(t, "requests", len(s.asked), 0)
}

func TestListsThatAreNone(t *testing.T) {
	const uri = "https://a.example" + pathOfList
	lister, other := issuerWith(t, 1, "lists-1"), issuerWith(t, 0, "lists-2")
	keys := newKeySet(mustParse(lister.jwks()))
	list := func(compressed string) map[string]any {
		return map[string]any{"status_list": map[string]any{"bits": 2, "lst": compressed}}
	}
	sound := lister.list(uri, 5, 1, nil)
	for reason, tokens := range map[Code][]string{
		"ok":                            {sound},
		"status_list_malformed":         {"", "a.b", sound + ".x", lister.list(uri, 5, 1, list(deflated(make([]byte, 10)))), lister.list(uri, 5, 1, list("AAAA"))},
		"status_list_too_large":         {strings.Repeat("a", maxListToken+1), lister.list(uri, 5, 1, list(deflated(make([]byte, 100_000_000))))},
		"status_list_type_wrong":        {lister.sign(lister.header("JWT"), "{}")},
		"status_list_key_unknown":       {other.list(uri, 5, 1, nil)},
		"status_list_signature_invalid": {sound[:len(sound)-4] + "AAAA"},
		"status_list_subject_differs":   {lister.list("https://a.example/api/v1/mc4p/status/8", 5, 1, nil)},
		"status_list_expired":           {lister.list(uri, 5, 1, map[string]any{"iat": testNow.Unix() - 90_000, "exp": testNow.Unix() + 90_000})},
		"status_list_not_yet_valid":     {lister.list(uri, 5, 1, map[string]any{"iat": testNow.Unix() + 61})},
	} {
		for _, token := range tokens {
			_, found := readStatusList(token, keys, uri, testNow)
			expect(t, "list", found, reason)
		}
	}
}
