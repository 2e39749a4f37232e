package certificate

// Codes of a CannotVerifyError.
const (
	// NoTrustedIssuer: no issuer was named.
	NoTrustedIssuer Code = "no_trusted_issuer"
	// KeysUnavailable: the keys of the issuer cannot be read, or were read before the proof was issued and lack its key.
	KeysUnavailable Code = "keys_unavailable"
	// KeysAddressUnsafe: keys are only taken from https addresses, or from this machine.
	KeysAddressUnsafe Code = "keys_address_unsafe"
)

var cannotVerify = map[Code]string{
	NoTrustedIssuer:   "No issuer is trusted. Name the base address of the service whose certificates you trust.",
	KeysUnavailable:   "The public keys cannot be read at the moment. Keys read before the proof was issued may lack its key.",
	KeysAddressUnsafe: "Keys are only taken from an absolute https address, or from this machine.",
}

// CannotVerifyError is returned if there can be no verdict, for a reason outside the certificate. It is no failed check:
// otherwise every genuine certificate would look forged whenever its issuer cannot be reached.
type CannotVerifyError struct {
	Code   Code
	Detail string
	// Err is the error behind it, if any.
	Err error
}

// Error returns what the code means, and the detail.
func (e *CannotVerifyError) Error() string {
	text := "certificate: " + cannotVerify[e.Code]
	if e.Detail != "" {
		text += " " + e.Detail
	}
	return text
}

// Unwrap returns the error behind it.
func (e *CannotVerifyError) Unwrap() error { return e.Err }
