package certificate

import "strings"

// Level tells how far a reader may rely on what was found.
type Level string

// The levels. Without what the page shows and what a registry knows, nothing here is Good: a caller that compares the page
// itself may go on from page_not_compared.
const (
	Good    Level = "good"    // go ahead
	Caution Level = "caution" // not as it stands
	Bad     Level = "bad"     // do not rely on it
	None    Level = "none"    // nothing is known either way, which is no failure
)

// Conclusion is what a reader may conclude from a result (docs/conclusions.md): one thing, the first that applies.
type Conclusion struct {
	Level Level `json:"level"`
	Code  Code  `json:"code"`
	// Sentence has our own words, and of what was signed only the host.
	Sentence string `json:"sentence"`
}

// conclusionRow is a row of the table of conclusions; the first that applies is taken.
type conclusionRow struct {
	code     Code
	level    Level
	sentence string
	statuses []Status
	when     func(r *Result) bool
}

var (
	anySigned    = []Status{StatusVerified, StatusFailed}
	onlyVerified = []Status{StatusVerified}
	onlyFailed   = []Status{StatusFailed}
)

var conclusionRows = []conclusionRow{
	{"withdrawn", Bad, "Signed for {host}, but withdrawn since by the service that issued it.", anySigned, has("certificate_withdrawn")},
	{"not_in_status_list", Bad, "Signed for {host} with a key of its issuer, but without the place in a status list of this issuer that it must have.",
		onlyFailed, has(statusFaults[:]...)},
	{"suspended", Caution, "Signed for {host} and this page, but the shop does not publish it at present.", onlyVerified, has("certificate_suspended")},
	{"withdrawal_unknown", None, "Signed for {host} and this page. Whether it has been withdrawn since could not be found out. Try again later.",
		onlyVerified, has("withdrawal_unknown")},
	{"control_unproven", Caution, "Signed for {host}, but nobody has shown who runs it.", onlyVerified,
		func(r *Result) bool { return r.control() == "none" }},
	{"context_foreign", Caution, "Signed for {host} and this page, but the certificate names a remote @context, which may change what it means.",
		onlyVerified, has("context_foreign")},
	{"control_unknown", None, "Signed for {host} and this page. Whether anybody has shown who runs {host} is not known here.", onlyVerified,
		func(r *Result) bool { return r.control() == "" }},
	{"page_not_compared", None, "Issued to {host}, {control}, for this page. Nothing that the page shows was compared with it.", onlyVerified, always},
	{"page_url_invalid", None, "The given address is not the whole address of a page, so nothing could be compared with it.", onlyFailed,
		has("page_url_invalid")},
	{"issuer_untrusted", Bad, "The certificate was signed by a service that is not trusted here.", onlyFailed, has("issuer_untrusted")},
	{"not_signed_by_issuer", Bad, "The certificate was not signed by the service that it names, or was changed afterwards.", onlyFailed,
		func(r *Result) bool { return r.Checks[SignatureValid].Result != Passed }},
	{"altered", Bad, "Signed for {host}, but changed after it was signed.", onlyFailed, isFailed(CertificateIntegrity)},
	{"another_host", Bad, "Signed for {host}, not for the site that shows it.", onlyFailed, isFailed(BoundToDomain)},
	{"another_product", Bad, "Signed for {host}, but for another product than the one in question.", onlyFailed, isFailed(ProductIDMatches)},
	{"unknown_parameter", Caution, "The certified page of {host} with a parameter in its address that was not signed. Open it without.", onlyFailed,
		has("url_extra_parameter")},
	{"another_page", Bad, "Signed for another page of {host}.", onlyFailed, isFailed(BoundToURL)},
	{"not_yet_valid", Caution, "Signed for {host} at a time that has not come yet: a clock is wrong, here or at the service.", onlyFailed,
		has("proof_not_yet_valid")},
	{"certificate_expired", Caution, "Signed for {host} and this page, but expired on {expired}. Shops renew certificates: try again later.", onlyFailed,
		has("proof_expired")},
	{"checks_failed", Bad, "The certificate is signed, but a decisive check did not pass.", onlyFailed, always},
	{"unverified", None, "A product is named, but nothing about it is signed, so nothing is proven.", []Status{StatusUnverified}, always},
}

func always(*Result) bool { return true }

func isFailed(name Check) func(*Result) bool {
	return func(r *Result) bool { return r.Checks[name].Result == Failed }
}

func has(codes ...Code) func(*Result) bool {
	return func(r *Result) bool {
		for _, notes := range [...][]Note{r.Errors, r.Warnings} {
			for _, one := range notes {
				for _, code := range codes {
					if one.Code == code {
						return true
					}
				}
			}
		}
		return false
	}
}

// control is the signed method by which control of the host had been proven; empty if nothing is signed about it.
func (r *Result) control() string {
	if r.Signed == nil || r.Signed.Control == nil {
		return ""
	}
	return r.Signed.Control.Method
}

func (r *Result) conclude() Conclusion {
	for _, row := range conclusionRows {
		for _, status := range row.statuses {
			if status == r.Status && row.when(r) {
				return Conclusion{row.level, row.code, r.fill(row.sentence)}
			}
		}
	}
	// unreachable: the last row of each status has no condition
	return Conclusion{None, "unverified", ""}
}

func (r *Result) fill(sentence string) string {
	const day = "2 Jan 2006"
	host, expired, control := "its site", "an unknown day", "whose control was proven"
	if r.Signed != nil {
		host, expired = r.Signed.Domain, r.Signed.ExpiresAt.Format(day)
		if r.Signed.Control != nil && r.Signed.Control.CheckedAt != nil {
			control = "whose control was last proven on " + r.Signed.Control.CheckedAt.Format(day)
		}
	}
	return strings.NewReplacer("{host}", host, "{expired}", expired, "{control}", control).Replace(sentence)
}
