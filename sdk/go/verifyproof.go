package certificate

import (
	"context"
	"time"
)

// ProofOptions say what a proof is checked against.
type ProofOptions struct {
	// Trust names the issuers whose certificates count, with their keys. Required.
	Trust *Trust
	// Kind is the kind that is required; empty: Product.
	Kind Kind
	// Now is the time of verification; zero: that of the system.
	Now time.Time
}

// ProofResult has the checks that need nothing but the proof.
type ProofResult struct {
	// Signed is nil unless the signature is valid and the issuer trusted.
	Signed *SignedClaims `json:"signed,omitempty"`
	// Checks has SignatureValid, CertificateIntegrity and TimestampValid.
	Checks map[Check]CheckResult `json:"checks"`
}

// VerifyProof checks a proof, the compact JWS of a certificate, without its document and page. Errors are as for
// VerifyProductCertificate.
func VerifyProof(ctx context.Context, jwt string, options ProofOptions) (*ProofResult, error) {
	kind, err := kindOr(options.Kind)
	if err != nil {
		return nil, err
	}
	q, err := ask(ctx, submitted{jwt: jwt, isSigned: true}, kind, options.Trust, options.Now)
	if err != nil {
		return nil, err
	}
	return &ProofResult{
		Signed: q.signedClaims(),
		Checks: map[Check]CheckResult{
			SignatureValid: q.signatureValid(), CertificateIntegrity: q.certificateIntegrity(), TimestampValid: q.timestampValid(),
		},
	}, nil
}
