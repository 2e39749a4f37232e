package certificate

import "time"

// checkSignature tells whether a key of the set signed a proof: ok, or why not.
func checkSignature(p *proof, keys *keySet) Code {
	if p == nil {
		return "nothing_signed"
	}
	if p.fault != "ok" {
		return p.fault
	}
	key, fault := keys.find(p.kid)
	if key == nil {
		return fault
	}
	if !key.verify(p.signature, p.signed) {
		return "signature_mismatch"
	}
	return "ok"
}

func (q *question) signatureValid() CheckResult {
	switch {
	case q.proof == nil:
		return notRun(q.signature)
	case q.signature == "ok":
		return passed
	case q.signature == "issuer_untrusted" || q.proof.kid == "":
		return failed(q.signature, "", "")
	}
	return failed(q.signature, "", "kid "+q.proof.kid)
}

func (q *question) timestampValid() CheckResult {
	if q.proof == nil {
		return notRun("nothing_signed")
	}
	if q.proof.claims == nil {
		return notRun(q.proof.claimsFault)
	}
	var times [2]float64
	for at, name := range [...]string{"iat", "exp"} {
		value, ok := q.proof.claim(name)
		if !ok {
			return failed("claim_missing", name, "")
		}
		number, ok := value.(float64)
		if !ok || !isSafeInteger(number) {
			return failed("claim_wrong_type", name+": time", describe(value))
		}
		times[at] = number
	}
	if iat := times[0]; iat > q.now+early {
		return failed("proof_not_yet_valid", utc(q.now), utc(iat))
	}
	if exp := times[1]; exp <= q.now-late {
		return failed("proof_expired", utc(exp), utc(q.now))
	}
	return passed
}

// textClaim returns a claim that is a string, or a result for the check that cannot compare it.
func (q *question) textClaim(name string) (string, *CheckResult) {
	reason := Code("claim_wrong_type")
	switch p := q.proof; {
	case p == nil:
		reason = "nothing_signed"
	case p.claims == nil:
		reason = p.claimsFault
	default:
		value, ok := p.claim(name)
		if text, isText := value.(string); isText {
			return text, nil
		}
		if !ok {
			reason = "claim_missing"
		}
	}
	result := notRun(reason)
	return "", &result
}

func (q *question) boundToDomain() CheckResult {
	domain, fault := q.textClaim("domain")
	switch {
	case fault != nil:
		return *fault
	case !q.isPage:
		return failed("page_url_invalid", domain, q.pageURL)
	case isDomainOf(domain, q.pageHost):
		return passed
	}
	return failed("domain_differs", domain, q.pageHost)
}

func (q *question) productIDMatches() CheckResult {
	signed, fault := q.textClaim("productId")
	switch {
	case fault != nil:
		return *fault
	case sameProductID(signed, q.productID):
		return passed
	}
	return failed("product_differs", q.productID, signed)
}

func (q *question) boundToURL() CheckResult {
	url, fault := q.textClaim("url")
	if fault != nil {
		return *fault
	}
	compared := q.pages.compare(url, q.pageURL)
	if compared.reason == "ok" {
		return passed
	}
	return failed(compared.reason, compared.expected, compared.actual)
}

// advisory is the result of a check for which nobody asked a registry.
func (q *question) advisory() CheckResult { return notRun("registry_not_asked") }

// utc writes seconds since 1970 as RFC 3339, or as a number if there is no such date.
func utc(seconds float64) string {
	if seconds < -62135596800 || seconds > 253402300799 {
		return formatNumber(seconds)
	}
	return time.Unix(int64(seconds), 0).UTC().Format("2006-01-02T15:04:05.000Z")
}
