package certificate

import (
	"strings"
	"testing"
	"time"
)

func hostileTrust(t testing.TB) (*Trust, *testIssuer) {
	one := issuerWith(t, 0, "key-1")
	trust, err := NewTrust(TrustOptions{TrustedIssuers: []string{"https://a.example"}, JWKS: []byte(one.jwks())})
	if err != nil {
		t.Fatal(err)
	}
	return trust, one
}

func TestAMillionLevelsAreAVerdict(t *testing.T) {
	trust, one := hostileTrust(t)
	sound := one.certificate("https://a.example", nil)
	const levels = 1_000_000
	deep := strings.Repeat("[", levels) + strings.Repeat("]", levels)
	for member, status := range map[string]Status{
		`"other":` + deep: StatusVerified, `"svc:status":` + deep: StatusFailed, `"@nest":` + deep: StatusFailed,
		`"@id":"x","other":` + deep: StatusFailed, `"svc:trust":` + strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels): StatusVerified,
	} {
		document := sound[:len(sound)-1] + "," + member + "}"
		result, err := verifyAt(t, trust, document, testNow)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, member[:20], result.Status, status)
	}
	if result, err := verifyAt(t, trust, deep[:levels], testNow); err != nil || result.Warnings[0].Code != "document_not_json" {
		t.Errorf("found %v %v", result, err)
	}
}

func TestLargeDocumentsTakeNoLongerThanTheirLength(t *testing.T) {
	trust, one := hostileTrust(t)
	sound := one.certificate("https://a.example", nil)
	names := func(count int, prefix string) string {
		var out strings.Builder
		for i := 0; i < count; i++ {
			out.WriteString(`"` + prefix + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + formatNumber(float64(i)) + `":{"@id":"/x","a":1},`)
		}
		return out.String()
	}
	for what, document := range map[string]string{
		"members": `{` + names(200_000, "") + sound[1:],
		"terms":   strings.Replace(sound, `{"svc"`, `{`+names(200_000, "")+`"svc"`, 1),
		"ids":     `{"@id":"/products/cup","other":{` + strings.TrimSuffix(names(200_000, ""), ",") + `},` + sound[1:],
	} {
		result, err := verifyAt(t, trust, document, testNow)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, what, result.Checks[CertificateIntegrity].Reason, "member_altered")
	}
}

func TestSignedResultsHaveTheClaims(t *testing.T) {
	trust, one := hostileTrust(t)
	control := map[string]any{"method": "dns_txt", "checkedAt": testNow.Unix()}
	result, err := verifyAt(t, trust, one.certificate("https://a.example", map[string]any{"control": control}), testNow)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "issued", result.Signed.IssuedAt, testNow)
	expect(t, "expires", result.Signed.ExpiresAt, testNow.Add(7*24*time.Hour))
	expect(t, "coverage", *result.Signed.Coverage, Coverage{1, 2, 50})
	expect(t, "conclusion", result.Conclusion.Sentence,
		"Issued to shop.example, whose control was last proven on 1 Mar 2026, for this page. Nothing that the page shows was compared with it.")
	told := text(result)
	for _, part := range []string{`"status":"verified"`, `"signatureValid":{"result":true,"reason":"ok"}`, `"domainKnown":{"result":null,`, `"warnings":[]`} {
		if !strings.Contains(told, part) {
			t.Errorf("%s is not in %s", part, told)
		}
	}
}

// Whatever a document says, there is a verdict: go test -fuzz FuzzDocument.
func FuzzDocument(f *testing.F) {
	trust, one := hostileTrust(f)
	sound := one.certificate("https://a.example", nil)
	for _, seed := range []string{sound, strings.Replace(sound, `"url":"`, `"schema:url":"`, 1), `{"proof":{"jwt":"a.b.c"}}`, "[]", "", `"\ud800"`} {
		f.Add([]byte(seed), testPage)
	}
	f.Add([]byte(sound), "https://xn--a.é/%zz?\ud7ff#!")
	f.Fuzz(func(t *testing.T, document []byte, pageURL string) {
		for _, text := range []string{string(document), `{"other":` + string(document) + "," + sound[1:]} {
			result, err := verifyAt(t, trust, text, testNow)
			if err != nil || result.Conclusion.Code == "" {
				t.Fatalf("found %v %v", result, err)
			}
		}
		new(pages).compare(pageURL, testPage)
		sameDomain(pageURL, "shop.example")
		resolve(pageURL, parseAddress(testPage))
	})
}
