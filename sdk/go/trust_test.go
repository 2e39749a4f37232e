package certificate

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func trustIn(t testing.TB, s *service, options TrustOptions) *Trust {
	t.Helper()
	options.TrustedIssuers, options.Client = []string{s.URL}, s.Client()
	trust, err := NewTrust(options)
	if err != nil {
		t.Fatal(err)
	}
	return trust
}

func TestKeysAreFetchedOnceAndForAnUnknownKeyAgain(t *testing.T) {
	s, first, second := newService(t), issuerWith(t, 0, "key-1"), issuerWith(t, 1, "key-2")
	s.serve(pathOfKeys, first.jwks())
	trust := trustIn(t, s, TrustOptions{})
	for i := 0; i < 3; i++ {
		result, err := verifyAt(t, trust, first.certificate(s.URL, nil), testNow)
		if err != nil || result.Status != StatusVerified {
			t.Fatalf("not verified: %v %v", err, result)
		}
	}
	expect(t, "requests", s.count(pathOfKeys), 1)

	s.serve(pathOfKeys, text(map[string]any{"keys": []any{first.jwk(), second.jwk()}}))
	result, err := verifyAt(t, trust, second.certificate(s.URL, nil), testNow)
	if err != nil || result.Status != StatusVerified {
		t.Fatalf("the new key was not fetched: %v %v", err, result)
	}
	expect(t, "past caches", strings.Join(s.cacheControl, ","), ",no-cache")

	// whatever proofs name, the issuer is not asked again at once
	for i := 0; i < 5; i++ {
		stranger := &testIssuer{"key-" + string(rune('a'+i)), second.key}
		result, err := verifyAt(t, trust, stranger.certificate(s.URL, nil), testNow.Add(-time.Second))
		if err != nil || result.Checks[SignatureValid].Reason != "key_unknown" {
			t.Errorf("found %v %v", result, err)
		}
	}
	expect(t, "requests for unknown keys", s.count(pathOfKeys), 2)
	if _, err := verifyAt(t, trust, first.certificate(s.URL, nil), testNow.Add(2*time.Hour)); err != nil {
		t.Error(err)
	}
	expect(t, "requests after an hour", s.count(pathOfKeys), 3)
}

func TestKeysThatCannotBeReadGiveNoVerdict(t *testing.T) {
	one := issuerWith(t, 0, "key-1")
	for what, answer := range map[string]http.HandlerFunc{
		"an error": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
		"no JSON":  func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) },
		"no keys":  func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`{"keys":[]}`)) },
		"too large": func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(one.jwks() + strings.Repeat(" ", maxResponse)))
		},
		"a redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/keys", http.StatusFound) },
		"cut short": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9999")
			w.Write([]byte(one.jwks()))
		},
		"their names": nil,
	} {
		s := newService(t)
		s.serve("/keys", one.jwks())
		if answer != nil {
			s.serveBy(pathOfKeys, answer)
		}
		_, err := verifyAt(t, trustIn(t, s, TrustOptions{}), one.certificate(s.URL, nil), testNow)
		var cannot *CannotVerifyError
		if !errors.As(err, &cannot) || cannot.Code != KeysUnavailable {
			t.Errorf("%s: found %v", what, err)
		}
		expect(t, what+": requests of the address that it redirects to", s.count("/keys"), 0)
	}
}

func TestKeysPastTheirAgeAreUsedForADay(t *testing.T) {
	s, one := newService(t), issuerWith(t, 0, "key-1")
	s.serveBy(pathOfKeys, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=60")
		w.Write([]byte(one.jwks()))
	})
	trust := trustIn(t, s, TrustOptions{})
	document := one.certificate(s.URL, nil)
	if _, err := verifyAt(t, trust, document, testNow); err != nil {
		t.Fatal(err)
	}
	s.serveBy(pathOfKeys, nil)
	if _, err := verifyAt(t, trust, document, testNow.Add(23*time.Hour)); err != nil {
		t.Error(err)
	}
	if _, err := verifyAt(t, trust, document, testNow.Add(25*time.Hour)); err == nil {
		t.Error("keys of the day before yesterday were used")
	}
}

func TestOneRequestServesAllWhoWait(t *testing.T) {
	s, one := newService(t), issuerWith(t, 0, "key-1")
	s.serve(pathOfKeys, one.jwks())
	trust, document := trustIn(t, s, TrustOptions{}), one.certificate(s.URL, nil)
	var all sync.WaitGroup
	for i := 0; i < 20; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			if result, err := verifyAt(t, trust, document, testNow); err != nil || result.Status != StatusVerified {
				t.Errorf("found %v %v", result, err)
			}
		}()
	}
	all.Wait()
	expect(t, "requests", s.count(pathOfKeys), 1)
}

func TestACallerWhoGivesUpSaysNothingAboutTheIssuer(t *testing.T) {
	s, one := newService(t), issuerWith(t, 0, "key-1")
	s.serve(pathOfKeys, one.jwks())
	trust, document := trustIn(t, s, TrustOptions{}), one.certificate(s.URL, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := VerifyProductCertificate(ctx, []byte(document), Options{Trust: trust, PageURL: testPage, Now: testNow})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("found %v", err)
	}
	if _, err = verifyAt(t, trust, document, testNow); err != nil {
		t.Error(err)
	}
}

func TestNothingIsRequestedForWhatIsNoProofOfATrustedIssuer(t *testing.T) {
	s, one := newService(t), issuerWith(t, 0, "key-1")
	trust := trustIn(t, s, TrustOptions{})
	for _, document := range []string{
		`{}`, `{"proof":{"jwt":"a.b.c"}}`, one.certificate("https://other.example", nil), "no JSON",
		`{"proof":{"jwt":"` + one.sign(`{"alg":"RS256","kid":"k","jku":"`+s.URL+`/keys"}`, `{"iss":"`+s.URL+`"}`) + `"}}`,
	} {
		if _, err := verifyAt(t, trust, document, testNow); err != nil {
			t.Error(err)
		}
	}
	expect(t, "requests", len(s.asked), 0)
}

func TestKeysBelongToTheirIssuers(t *testing.T) {
	first, second := issuerWith(t, 0, "key-1"), issuerWith(t, 1, "key-2")
	trust, err := NewTrust(TrustOptions{
		TrustedIssuers: []string{"https://a.example/", "https://b.example"},
		Keys: []IssuerKeys{
			{Issuers: []string{"https://a.example"}, JWKS: []byte(first.jwks())},
			{Issuers: []string{"https://b.example"}, JWKS: []byte(second.jwks()), FetchedAt: testNow.Add(-time.Hour)},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for document, reason := range map[string]Code{
		first.certificate("https://a.example", nil):  "ok",
		second.certificate("https://b.example", nil): "ok",
		second.certificate("https://a.example", nil): "key_unknown",
		first.certificate("https://c.example", nil):  "issuer_untrusted",
	} {
		result, err := verifyAt(t, trust, document, testNow)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, "signature", result.Checks[SignatureValid].Reason, reason)
	}
	if _, err := verifyAt(t, trust, first.certificate("https://b.example", nil), testNow); !errors.Is(err, errOlderKeys) {
		t.Errorf("older keys decided about a newer proof: %v", err)
	}
}

func TestOptionsThatAreWrongAreErrors(t *testing.T) {
	one := issuerWith(t, 0, "key-1")
	a := []string{"https://a.example"}
	for what, options := range map[string]TrustOptions{
		"nobody":             {TrustedIssuers: []string{"", " / "}},
		"http":               {TrustedIssuers: []string{"http://a.example"}},
		"no address":         {TrustedIssuers: []string{"a.example"}},
		"keys without keys":  {TrustedIssuers: a, JWKS: []byte(`{"keys":[]}`)},
		"keys of a stranger": {TrustedIssuers: a, Keys: []IssuerKeys{{Issuers: []string{"https://b.example"}}}},
		"keys of two":        {TrustedIssuers: []string{"https://a.example", "https://b.example"}, JWKS: []byte(one.jwks())},
		"keys twice":         {TrustedIssuers: a, Keys: []IssuerKeys{{Issuers: a}, {Issuers: a}}},
	} {
		if _, err := NewTrust(options); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
	if _, err := NewTrust(TrustOptions{TrustedIssuers: []string{"http://127.0.0.1:8080", "http://[::1]", "http://a.localhost"}}); err != nil {
		t.Error(err)
	}
	if _, err := VerifyProductCertificate(context.Background(), nil, Options{}); err == nil {
		t.Error("there is no trust")
	}
}

func TestLargeExponentsAreVerified(t *testing.T) {
	one := issuerWith(t, 0, "key-1")
	jwk := one.jwk()
	jwk["e"] = "AQAAAAE" // 2^32 + 1, more than crypto/rsa takes
	key := suitableKey(mustParse(text(jwk)).(*object))
	if key == nil {
		t.Fatal("the key is suitable")
	}
	expect(t, "another signature", key.verify(make([]byte, 256), []byte("x")), false)
	for name, value := range map[string]any{
		"e": "Aw", "kty": "EC", "use": "enc", "alg": "PS256", "d": nil, "n": "AQAB", "key_ops": []any{"sign"},
	} {
		jwk := one.jwk()
		jwk[name] = value
		if suitableKey(mustParse(text(jwk)).(*object)) != nil {
			t.Errorf("%s %v is suitable", name, value)
		}
	}
}
