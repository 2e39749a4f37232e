package certificate

import "strings"

// question is what a proof is checked against, and what has been found out about it.
type question struct {
	proof     *proof // nil if nothing signed was submitted
	signature Code   // ok, or why it is not valid
	kind      Kind
	compared
	issuers []string
	now     float64 // seconds since 1970
	pages   *pages

	pageURL   string
	pageHost  string
	isPage    bool // there is a pageHost
	productID string
}

func (q *question) certificateIntegrity() CheckResult {
	switch p := q.proof; {
	case p == nil:
		return notRun("nothing_signed")
	case p.claims == nil:
		return failed(p.claimsFault, "", "")
	case p.fault == "proof_malformed":
		// the claims can be read, but it is no JWT, whatever its kind
		return failed(p.fault, "", "")
	case p.typ != q.kind.typ():
		return failed("proof_kind_wrong", q.kind.typ(), describe(p.typ))
	}
	claims := q.proof.claims
	for _, find := range [...]func(*object) *CheckResult{
		func(claims *object) *CheckResult { return claimFault(q.kind, claims) },
		bindingFault, lifetimeFault, q.issuerFault, q.documentFault, q.memberFault, q.repetitionFault,
	} {
		if fault := find(claims); fault != nil {
			return *fault
		}
	}
	return passed
}

// claimFault is the first claim that is missing for this kind of proof, or has the wrong type.
func claimFault(kind Kind, claims *object) *CheckResult {
	if fault := typeFault(claims, requiredClaims[kind]); fault != nil {
		return fault
	}
	// older proofs do not have it
	if _, ok := claims.get("control"); ok {
		return typeFault(claims, []requiredClaim{{"control", isControl}})
	}
	return nil
}

// bindingFault asks for both claims or neither: older proofs bind no members.
func bindingFault(claims *object) *CheckResult {
	if claims.find("namespace") < 0 && claims.find("members") < 0 {
		return nil
	}
	return typeFault(claims, []requiredClaim{{"namespace", isText}, {"members", isDigests}})
}

func typeFault(claims *object, required []requiredClaim) *CheckResult {
	for _, claim := range required {
		value, ok := claims.get(claim.name)
		if !ok {
			return fault("claim_missing", claim.name, "")
		}
		if !claim.typ.is(value) {
			return fault("claim_wrong_type", claim.name+": "+claim.typ.name, describe(value))
		}
	}
	return nil
}

func fault(reason Code, expected, actual string) *CheckResult {
	result := failed(reason, expected, actual)
	return &result
}

func lifetimeFault(claims *object) *CheckResult {
	exp, _ := claims.at("exp").(float64)
	iat, _ := claims.at("iat").(float64)
	if exp-iat == lifetime {
		return nil
	}
	return fault("lifetime_wrong", formatNumber(lifetime)+" s", formatNumber(exp-iat)+" s")
}

func (q *question) issuerFault(claims *object) *CheckResult {
	issuer, _ := claims.at("iss").(string)
	if contains(q.issuers, issuer) {
		return nil
	}
	return fault("issuer_untrusted", strings.Join(q.issuers, ", "), issuer)
}

// documentFault finds where the document repeats a signed value wrongly; an absent member is no difference.
func (q *question) documentFault(claims *object) *CheckResult {
	document := q.document
	if document == nil {
		return nil
	}
	issuedFor := document.at("svc:issuedFor")
	if q.signature != "ok" {
		// without a valid signature nothing is compared, which saves work on what is forged
		if document.at("productID") == nil && document.at("url") == nil && issuedFor == nil {
			return nil
		}
		result := notRun("document_not_compared")
		return &result
	}
	inner, isObject := issuedFor.(*object)
	if issuedFor != nil && !isObject {
		return fault("document_differs", "svc:issuedFor", describe(issuedFor))
	}
	signed := func(name string) string { return q.proof.text(name) }
	for _, one := range [...]*CheckResult{
		differs("productID", signed("productId"), document.at("productID"), sameProductID),
		differs("svc:issuedFor.productID", signed("productId"), inner.at("productID"), sameProductID),
		differs("svc:issuedFor.domain", signed("domain"), inner.at("domain"), sameDomain),
		differs("url", signed("url"), document.at("url"), q.samePage),
	} {
		if one != nil {
			return one
		}
	}
	return nil
}

func (q *question) memberFault(*object) *CheckResult {
	if q.altered == nil {
		return nil
	}
	return fault("member_altered", q.altered.expected, q.altered.actual)
}

func differs(name, signed string, repeated any, same func(signed, repeated string) bool) *CheckResult {
	if repeated == nil {
		return nil
	}
	if text, ok := repeated.(string); ok && same(signed, text) {
		return nil
	}
	return fault("document_differs", name+" "+signed, describe(repeated))
}

func (q *question) samePage(signed, repeated string) bool {
	return q.pages.compare(signed, repeated).reason == "ok"
}

// sameProductID compares identifiers without case (RFC 9562).
func sameProductID(one, other string) bool { return strings.ToLower(one) == strings.ToLower(other) }

func sameText(one, other string) bool { return one == other }

// repetition is a member of an image's document that repeats a claim: its path, and the claims that may have its value.
type repetition struct {
	path   string
	claims []string
	same   func(signed, repeated string) bool
}

// repetitionFault finds where the document of an image repeats a signed value wrongly; a hash in it must have been signed.
func (q *question) repetitionFault(claims *object) *CheckResult {
	if q.kind == Product {
		return nil
	}
	uhash, phash := []string{"uhash"}, []string{"phash"}
	for _, one := range [...]repetition{
		{"contentUrl", []string{"contentUrl"}, sameText},
		{"imageId", []string{"imageId"}, sameProductID},
		{"svc:issuedFor.assetId", []string{"assetId", "imageId"}, sameProductID},
		{"svc:issuedFor.url", []string{"url"}, q.samePage},
		{"svc:contentCredentials.hashes.uhash", uhash, sameText},
		{"svc:contentCredentials.hashes.phash", phash, sameText},
		{"svc:contentCredentials.sourceUhash", []string{"sourceUhash"}, sameText},
		{"contentCredentials.sourceUhash", []string{"sourceUhash"}, sameText},
		{"contentCredentials.hashes.uhash", uhash, sameText},
		{"contentCredentials.hashes.phash", phash, sameText},
		{"cryptographicProof.uhash.value", uhash, sameText},
		{"cryptographicProof.phash.value", phash, sameText},
	} {
		repeated := atPath(q.document, one.path)
		if repeated == nil {
			continue
		}
		var signed any
		for _, name := range one.claims {
			if value, ok := claims.get(name); ok {
				signed = value
				break
			}
		}
		text, isText := signed.(string)
		other, isOther := repeated.(string)
		if !isText || !isOther || !one.same(text, other) {
			return fault("document_differs", one.path+" "+describe(signed), describe(repeated))
		}
	}
	return nil
}

func atPath(document *object, path string) any {
	var value any = document
	for _, name := range strings.Split(path, ".") {
		inner, _ := value.(*object)
		value = inner.at(name)
	}
	return value
}
