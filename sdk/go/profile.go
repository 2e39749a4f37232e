package certificate

import (
	"context"
	"fmt"
	"time"
)

// Profile is one of the profiles by which a certificate may be verified.
type Profile string

// The profiles. Minimal needs the proof and the host, Standard also the page or the product, Full also the bytes of the
// image and their C2PA manifest, which this package does not read: Full is never Trusted here.
const (
	Minimal  Profile = "minimal"
	Standard Profile = "standard"
	Full     Profile = "full"
)

// ProfileStatus tells whether a profile is met.
type ProfileStatus string

// The statuses of a profile.
const (
	Trusted      ProfileStatus = "trusted"
	Untrusted    ProfileStatus = "untrusted"
	Undetermined ProfileStatus = "undetermined" // nothing failed, but a check that it needs could not run
)

// ProfileOptions say what a certificate is verified against.
type ProfileOptions struct {
	// Profile is the one whose status is asked for. Required.
	Profile Profile
	// Trust names the issuers whose certificates count, with their keys. Required.
	Trust *Trust
	// Kind is the kind of certificate that is required; empty: Product.
	Kind Kind
	// PageURL is the address at which the certificate was seen; empty if nobody knows it. Never take it from the document.
	PageURL string
	// Domain is the host at which the certificate was seen; empty: that of PageURL.
	Domain string
	// Now is the time of verification; zero: that of the system.
	Now time.Time
	// ProductID is the issuer's identifier of the product in question; empty if nobody knows it.
	ProductID string
}

// ProfileResult is the status of each profile, with the checks behind it.
type ProfileResult struct {
	// Status is that of the profile that was asked for.
	Status   ProfileStatus             `json:"status"`
	Profiles map[Profile]ProfileStatus `json:"profiles"`
	// Signed is nil unless the signature is valid and the issuer trusted.
	Signed *SignedClaims         `json:"signed,omitempty"`
	Checks map[Check]CheckResult `json:"checks"`
	// Warnings change no status, but for that of a context that is foreign: nothing is then Trusted.
	Warnings []Note `json:"warnings"`
	// Errors has one note for each reason of a check that failed.
	Errors []Note `json:"errors"`
	// Withdrawal is nil if nobody looked.
	Withdrawal *Withdrawal `json:"withdrawal,omitempty"`
	Verifier   string      `json:"verifier"`

	asked Profile
}

// VerifyByProfile verifies a certificate of any kind by a profile. Document and errors are as for
// VerifyProductCertificate.
func VerifyByProfile(ctx context.Context, document []byte, options ProfileOptions) (*ProfileResult, error) {
	if options.Profile != Minimal && options.Profile != Standard && options.Profile != Full {
		return nil, fmt.Errorf("certificate: Profile is %q: it must be Minimal, Standard or Full", options.Profile)
	}
	kind, err := kindOr(options.Kind)
	if err != nil {
		return nil, err
	}
	given := readDocument(document)
	q, err := ask(ctx, given, kind, options.Trust, options.Now)
	if err != nil {
		return nil, err
	}
	q.pageURL, q.productID = options.PageURL, options.ProductID
	domain, isPlace := options.Domain, options.Domain != "" || options.PageURL != ""
	if domain == "" {
		domain, _ = hostOf(options.PageURL)
	}
	if q.pageHost, q.isPage = normalizeHost(domain); q.pageURL == "" {
		q.pageURL = domain
	}
	r := &ProfileResult{
		asked:  options.Profile,
		Signed: q.signedClaims(),
		Checks: map[Check]CheckResult{
			SignatureValid: q.signatureValid(), CertificateIntegrity: q.certificateIntegrity(), TimestampValid: q.timestampValid(),
			BoundToDomain: notRun("context_not_given"), ProductIDMatches: notRun("context_not_given"), BoundToURL: notRun("context_not_given"),
			ImageBound: notRun("image_not_given"), C2PAValid: notRun("image_not_given"),
		},
		Warnings: []Note{},
		Verifier: Verifier,
	}
	if isPlace {
		r.Checks[BoundToDomain] = q.boundToDomain()
	}
	if options.ProductID != "" {
		r.Checks[ProductIDMatches] = q.productIDMatches()
	}
	if options.PageURL != "" {
		r.Checks[BoundToURL] = q.boundToURL()
	}
	if given.dropped != "" {
		r.Warnings = append(r.Warnings, note(given.dropped))
	}
	if q.isContextForeign {
		r.Warnings = append(r.Warnings, note("context_foreign"))
	}
	r.Errors = errorsOf(r.Checks, decisive[:])
	r.combine(q.proof != nil, q.isContextForeign)
	return r, nil
}

// combine fails closed: without a proof, Standard and Full are untrusted. Under a context that is foreign nothing is
// trusted.
func (r *ProfileResult) combine(isSigned, isForeign bool) {
	minimal := []Check{SignatureValid, CertificateIntegrity, TimestampValid, BoundToDomain}
	standard := minimal[:len(minimal):len(minimal)]
	// page or product must be given, and each that is given must match
	for _, name := range [...]Check{ProductIDMatches, BoundToURL} {
		if r.Checks[name].Reason != "context_not_given" {
			standard = append(standard, name)
		}
	}
	if len(standard) == len(minimal) {
		standard = append(standard, ProductIDMatches, BoundToURL)
	}
	full := append(standard[:len(standard):len(standard)], ImageBound, C2PAValid)
	combined := func(names []Check) ProfileStatus {
		status := Trusted
		for _, name := range names {
			switch r.Checks[name].Result {
			case Failed:
				return Untrusted
			case NotRun:
				status = Undetermined
			}
		}
		if isForeign && status == Trusted {
			return Undetermined
		}
		return status
	}
	r.Profiles = map[Profile]ProfileStatus{Minimal: combined(minimal), Standard: combined(standard), Full: combined(full)}
	if !isSigned {
		r.Profiles[Standard], r.Profiles[Full] = Untrusted, Untrusted
	}
	r.Status = r.Profiles[r.asked]
}

// kindOr returns the kind that is asked for, Product if none is.
func kindOr(kind Kind) (Kind, error) {
	if kind == "" {
		return Product, nil
	}
	for _, one := range kinds {
		if kind == one {
			return kind, nil
		}
	}
	return "", fmt.Errorf("certificate: Kind is %q: it must be Product, Asset or Image", kind)
}
