package certificate

// Outcome tells whether a check passed. Its zero value is that of a check that did not run, which is never a pass.
type Outcome int8

// The outcomes of a check.
const (
	NotRun Outcome = iota
	Failed
	Passed
)

// String returns "true", "false" or "null", as in JSON.
func (o Outcome) String() string {
	switch o {
	case Passed:
		return "true"
	case Failed:
		return "false"
	}
	return "null"
}

// MarshalJSON writes true, false or null.
func (o Outcome) MarshalJSON() ([]byte, error) { return []byte(o.String()), nil }

// CheckResult is the result of one check, with its reason: the code "ok" if it passed.
type CheckResult struct {
	Result Outcome `json:"result"`
	Reason Code    `json:"reason"`
	// What a passing document would have had, and what was found, where that helps the reader; at most 200 characters.
	// Both may have parts of a hostile document.
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
}

// Check is the name of a check.
type Check string

// The checks of a verification (docs/format.md, section 5). The first six decide; the others need the registry of the
// issuer, and never run here.
const (
	SignatureValid       Check = "signatureValid"
	CertificateIntegrity Check = "certificateIntegrity"
	TimestampValid       Check = "timestampValid"
	BoundToDomain        Check = "boundToDomain"
	ProductIDMatches     Check = "productIdMatches"
	BoundToURL           Check = "boundToUrl"
	DomainKnown          Check = "domainKnown"
	DomainVerified       Check = "domainVerified"
	TrustDataCurrent     Check = "trustDataCurrent"
)

// Checks that only profiles have. They need the bytes of an image, which this package does not read.
const (
	ImageBound Check = "imageBound"
	C2PAValid  Check = "c2paValid"
)

// decisive are the checks that decide the verdict, in the order in which their errors are told.
var decisive = [...]Check{SignatureValid, CertificateIntegrity, TimestampValid, BoundToDomain, ProductIDMatches, BoundToURL}

var passed = CheckResult{Result: Passed, Reason: "ok"}

func notRun(reason Code) CheckResult { return CheckResult{Reason: reason} }

func failed(reason Code, expected, actual string) CheckResult {
	return CheckResult{Failed, reason, truncate(expected), truncate(actual)}
}

// describe tells of a value of a document in a message: text and numbers as they are, lists and objects by their kind.
func describe(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		if value {
			return "true"
		}
		return "false"
	case float64:
		return formatNumber(value)
	case string:
		return value
	case []any:
		return "a list"
	}
	return "an object"
}
