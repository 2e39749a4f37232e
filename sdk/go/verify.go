package certificate

import (
	"context"
	"errors"
	"regexp"
	"time"
)

// Status is the verdict on a document.
type Status string

// The verdicts.
const (
	StatusVerified   Status = "verified"   // the six decisive checks passed
	StatusFailed     Status = "failed"     // it is signed, but one of them did not pass
	StatusUnverified Status = "unverified" // nothing signed was submitted
)

// Options say what a document is verified against.
type Options struct {
	// Trust names the issuers whose certificates count, with their keys. Required.
	Trust *Trust
	// PageURL is the address at which the document was found, after redirects. Never take it from the document.
	PageURL string
	// Now is the time of verification; zero: that of the system.
	Now time.Time
	// ProductID is the issuer's identifier of the product in question; empty: the signed one.
	ProductID string
}

// Result is the result of a verification.
type Result struct {
	Status Status `json:"status"`
	// ProductID is the product in question; empty if none was given, and none signed.
	ProductID string `json:"productId"`
	// Signed is nil unless the signature is valid and the issuer trusted.
	Signed *SignedClaims `json:"signed,omitempty"`
	// Checks has the nine checks.
	Checks map[Check]CheckResult `json:"checks"`
	// Warnings change no verdict.
	Warnings []Note `json:"warnings"`
	// Errors has one note for each reason of a decisive check that failed, unless nothing was signed.
	Errors []Note `json:"errors"`
	// Withdrawal is nil if nobody looked.
	Withdrawal *Withdrawal `json:"withdrawal,omitempty"`
	Conclusion Conclusion  `json:"conclusion"`
	// Verifier is the name and version of the verifier.
	Verifier string `json:"verifier"`
}

// VerifyProductCertificate verifies the certificate of a product against the page on which it was found. The only
// requests are for the keys of trusted issuers, and none if the trust was given keys.
//
// The document is its text, as found on the page, of any size that the caller allows; nil if there was none. Whatever it
// says, there is a verdict. An error is returned only if there can be none: a *CannotVerifyError if the keys of the issuer
// are not available, or another one for options that are wrong.
func VerifyProductCertificate(ctx context.Context, document []byte, options Options) (*Result, error) {
	given := readDocument(document)
	q, err := ask(ctx, given, Product, options.Trust, options.Now)
	if err != nil {
		return nil, err
	}
	q.pageURL = options.PageURL
	if visited := q.pages.normalize(options.PageURL); visited != nil {
		q.pageHost, q.isPage = visited.host, true
	} else {
		// an address that is too long to be compared still has a host
		q.pageHost, q.isPage = hostOf(options.PageURL)
	}
	q.productID = options.ProductID
	if q.productID == "" && q.proof != nil && uuid.MatchString(q.proof.text("productId")) {
		q.productID = q.proof.text("productId")
	}
	return q.result(given.dropped), nil
}

var uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// ask reads the proof of a document, finds its keys, and compares the document with it.
func ask(ctx context.Context, given submitted, kind Kind, trust *Trust, now time.Time) (*question, error) {
	if trust == nil {
		return nil, errors.New("certificate: the options have no Trust: make one with NewTrust")
	}
	if now.IsZero() {
		now = time.Now()
	}
	q := &question{kind: kind, now: float64(now.Unix()), pages: &pages{}}
	if given.isSigned {
		q.proof = readProof(given.jwt)
	}
	issuers, keys, err := trust.keysFor(ctx, q.proof, now)
	if err != nil {
		return nil, err
	}
	q.issuers = issuers
	q.signature = checkSignature(q.proof, keys)
	q.compared = compareMembers(given.node, q.proof, q.signature, kind)
	return q, nil
}

func (q *question) result(dropped Code) *Result {
	known := q.advisory()
	current := known
	if q.proof == nil {
		current = notRun("nothing_signed")
	}
	r := &Result{
		ProductID: q.productID,
		Signed:    q.signedClaims(),
		Checks: map[Check]CheckResult{
			SignatureValid: q.signatureValid(), CertificateIntegrity: q.certificateIntegrity(), TimestampValid: q.timestampValid(),
			BoundToDomain: q.boundToDomain(), ProductIDMatches: q.productIDMatches(), BoundToURL: q.boundToURL(),
			DomainKnown: known, DomainVerified: known, TrustDataCurrent: current,
		},
		Warnings: q.warnings(dropped),
		Errors:   []Note{},
		Verifier: Verifier,
	}
	r.Status = statusOf(q.proof != nil, r.Checks)
	if r.Status == StatusFailed {
		r.Errors = errorsOf(r.Checks, decisive[:])
	}
	r.Conclusion = r.conclude()
	return r
}

// statusOf fails closed: a check that did not run is no pass.
func statusOf(isSigned bool, checks map[Check]CheckResult) Status {
	if !isSigned {
		return StatusUnverified
	}
	for _, name := range decisive {
		if checks[name].Result != Passed {
			return StatusFailed
		}
	}
	return StatusVerified
}

func errorsOf(checks map[Check]CheckResult, names []Check) []Note {
	var failing []CheckResult
	for _, name := range names {
		if checks[name].Result == Failed {
			failing = append(failing, checks[name])
		}
	}
	return notesOf(failing)
}

func (q *question) warnings(dropped Code) []Note {
	notes := []Note{}
	if dropped != "" {
		notes = append(notes, note(dropped))
	}
	if q.isContextForeign {
		notes = append(notes, note("context_foreign"))
	}
	if q.trustBlockDiffers() {
		notes = append(notes, note("trust_block_differs"))
	}
	return notes
}

// trustBlockDiffers compares the counts in the document with the signed ones, which count.
func (q *question) trustBlockDiffers() bool {
	stated := q.document.at("svc:trust")
	if stated == nil || q.proof == nil || q.proof.claims == nil {
		return false
	}
	block, ok := stated.(*object)
	if !ok {
		return true
	}
	// other names count only if the proof binds members
	isBound := q.proof.claims.find("members") >= 0
	for at, name := range block.names {
		value := block.values[at]
		if value == nil {
			continue
		}
		if name != "certifiedAssets" && name != "totalAssets" && name != "coveragePercent" {
			if isBound {
				return true
			}
			continue
		}
		switch value.(type) {
		case *object, []any:
			return true
		}
		if signed, ok := q.proof.claim(name); !ok || value != signed {
			return true
		}
	}
	return false
}
