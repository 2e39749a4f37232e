package certificate_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	certificate "touchstone.example/certificate"
)

// The examples have a certificate of testdata, at a time at which it was valid.
var now = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

const (
	issuer  = "https://certificates.example"
	pageURL = "https://shop.example/products/kettle"
)

func read(name string) []byte {
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		log.Fatal(err)
	}
	return data
}

func exampleTrust() *certificate.Trust {
	trust, err := certificate.NewTrust(certificate.TrustOptions{TrustedIssuers: []string{issuer}, JWKS: read("jwks.json")})
	if err != nil {
		log.Fatal(err)
	}
	return trust
}

func ExampleVerifyProductCertificate() {
	result, err := certificate.VerifyProductCertificate(context.Background(), read("certificate.json"), certificate.Options{
		Trust:   exampleTrust(),
		PageURL: "https://shop.example/products/kettle?utm_source=mail",
		Now:     now,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, result.Signed.ProductName)
	fmt.Println(result.Conclusion.Level, result.Conclusion.Code)
	// Output:
	// verified Enamel kettle
	// none control_unknown
}

func ExampleVerifyProductCertificate_copied() {
	result, err := certificate.VerifyProductCertificate(context.Background(), read("certificate.json"), certificate.Options{
		Trust:   exampleTrust(),
		PageURL: "https://copy.example/products/kettle",
		Now:     now,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, note := range result.Errors {
		fmt.Println(note.Code)
	}
	fmt.Println(result.Conclusion.Sentence)
	// Output:
	// domain_differs
	// url_differs
	// Signed for shop.example, not for the site that shows it.
}

func ExampleNewTrust() {
	// the former address shares the keys of the issuer, which are fetched when they are first needed
	trust, err := certificate.NewTrust(certificate.TrustOptions{
		TrustedIssuers: []string{"https://certificates.example/", "https://former.example"},
		Keys: []certificate.IssuerKeys{
			{Issuers: []string{"https://certificates.example", "https://former.example"}},
		},
	})
	fmt.Println(trust.Issuers(), err)
	// Output: [https://certificates.example https://former.example] <nil>
}

func ExampleCannotVerifyError() {
	_, err := certificate.NewTrust(certificate.TrustOptions{})
	var cannot *certificate.CannotVerifyError
	fmt.Println(errors.As(err, &cannot) && cannot.Code == certificate.NoTrustedIssuer)
	// Output: true
}

func ExampleVerifyProof() {
	result, err := certificate.VerifyProof(context.Background(), "not a proof", certificate.ProofOptions{Trust: exampleTrust(), Now: now})
	if err != nil {
		log.Fatal(err)
	}
	check := result.Checks[certificate.SignatureValid]
	fmt.Println(check.Result, check.Reason)
	// Output: false proof_malformed
}

func ExampleVerifyByProfile() {
	result, err := certificate.VerifyByProfile(context.Background(), read("certificate.json"), certificate.ProfileOptions{
		Profile: certificate.Minimal,
		Trust:   exampleTrust(),
		PageURL: "https://shop.example/another/page",
		Now:     now,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, result.Profiles[certificate.Standard])
	// Output: trusted untrusted
}

func ExampleStatusLists_LookUp() {
	ctx, document := context.Background(), read("certificate.json")
	result, err := certificate.VerifyProductCertificate(ctx, document, certificate.Options{Trust: exampleTrust(), PageURL: pageURL, Now: now})
	if err != nil {
		log.Fatal(err)
	}
	// without Offline, newer lists are fetched, and the keys if they are not given
	lists, err := certificate.NewStatusLists(certificate.StatusListsOptions{
		TrustedIssuers: []string{issuer},
		Keys:           []certificate.IssuerKeys{{Issuers: []string{issuer}, JWKS: read("status-list-jwks.json")}},
		Prefetched:     []string{string(read("status-list.jwt"))},
		Offline:        true,
	})
	if err != nil {
		log.Fatal(err)
	}
	withdrawal := lists.LookUp(ctx, document, result.Signed, now)
	result = result.WithWithdrawal(withdrawal, certificate.Required)
	fmt.Println(result.Status, withdrawal.Status, withdrawal.Reason)
	// Output: verified valid not_withdrawn
}
