package certificate

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// testNow is when the certificates of tests were issued.
var testNow = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

const testPage = "https://shop.example/products/cup"

// testIssuer signs what a test asks for.
type testIssuer struct {
	kid string
	key *rsa.PrivateKey
}

// Making a key takes longer than most tests.
var testKeys [2]struct {
	sync.Once
	key *rsa.PrivateKey
}

func issuerWith(t testing.TB, at int, kid string) *testIssuer {
	made := &testKeys[at]
	made.Do(func() {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		made.key = key
	})
	return &testIssuer{kid, made.key}
}

func (i *testIssuer) jwk() map[string]any {
	e := big.NewInt(int64(i.key.E)).Bytes()
	return map[string]any{"kty": "RSA", "kid": i.kid, "n": encodeBase64url(i.key.N.Bytes()), "e": encodeBase64url(e)}
}

func (i *testIssuer) jwks() string { return text(map[string]any{"keys": []any{i.jwk()}}) }

func (i *testIssuer) sign(header, payload string) string {
	input := encodeBase64url([]byte(header)) + "." + encodeBase64url([]byte(payload))
	sum := sha256.Sum256([]byte(input))
	signature, err := rsa.SignPKCS1v15(rand.Reader, i.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return input + "." + encodeBase64url(signature)
}

func (i *testIssuer) header(typ string) string {
	return text(map[string]any{"alg": "RS256", "kid": i.kid, "typ": typ})
}

// certificate issues one that is valid but for changed claims; nil takes a claim away. It binds one member.
func (i *testIssuer) certificate(issuer string, changes map[string]any) string {
	status := map[string]any{"@type": "x", "state": "active"}
	canonical, _ := canonicalJSON(mustParse(text(status)), "")
	claims := map[string]any{
		"iss": issuer, "iat": testNow.Unix(), "exp": testNow.Unix() + lifetime, "domain": "shop.example", "url": testPage,
		"productId": "0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6", "externalProductId": "cup-1", "productName": "Cup",
		"storeName": "Shop", "storeUrl": "https://shop.example/", "certifiedAssets": 1, "totalAssets": 2, "coveragePercent": 50,
		"namespace": issuer + "/ns#", "members": map[string]any{"svc:status": digest(canonical)},
	}
	for name, value := range changes {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	return text(map[string]any{
		"@context": []any{"https://schema.org", map[string]any{"svc": issuer + "/ns#"}},
		"@type":    "Product", "url": testPage, "svc:status": status,
		"proof": map[string]any{"jwt": i.sign(i.header("product-certificate+jwt"), text(claims))},
	})
}

func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func mustParse(text string) any {
	value, ok := parseJSON(text, false)
	if !ok {
		panic("not JSON: " + text)
	}
	return value
}

// service answers for an issuer, and counts how often each path was asked for.
type service struct {
	*httptest.Server
	mu      sync.Mutex
	answers map[string]http.HandlerFunc
	asked   map[string]int
	// the Cache-Control of each request for keys
	cacheControl []string
}

func newService(t testing.TB) *service {
	s := &service{answers: map[string]http.HandlerFunc{}, asked: map[string]int{}}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		answer := s.answers[r.URL.Path]
		s.asked[r.URL.Path]++
		if strings.HasSuffix(r.URL.Path, "/jwks.json") {
			s.cacheControl = append(s.cacheControl, r.Header.Get("Cache-Control"))
		}
		s.mu.Unlock()
		if answer == nil {
			http.NotFound(w, r)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

const (
	pathOfKeys     = "/api/v1/.well-known/jwks.json"
	pathOfListKeys = "/api/v1/.well-known/status-list-jwks.json"
)

func (s *service) serve(path, body string) {
	s.serveBy(path, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(body)) })
}

func (s *service) serveBy(path string, answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[path] = answer
}

func (s *service) count(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

func verifyAt(t testing.TB, trust *Trust, document string, now time.Time) (*Result, error) {
	t.Helper()
	return VerifyProductCertificate(context.Background(), []byte(document), Options{Trust: trust, PageURL: testPage, Now: now})
}

func expect[T comparable](t testing.TB, what string, found, wanted T) {
	t.Helper()
	if found != wanted {
		t.Errorf("%s: found %v, wanted %v", what, found, wanted)
	}
}
