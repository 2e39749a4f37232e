package certificate

import "strings"

// maxProof is the length of a proof in characters, which bounds the work for one.
const maxProof = 8192

// proof is a proof as far as it can be read: a header that is none leaves the claims readable, and the other way round.
type proof struct {
	fault       Code // ok, or why no signature can be checked
	claimsFault Code
	claims      *object
	kid         string // if there is no fault
	typ         any
	signed      []byte
	signature   []byte
}

// readProof takes a compact JWS (RFC 7515) apart: three parts in canonical base64url, and JSON of which no two
// programs can make different things. What its header refers to is never followed.
func readProof(token string) *proof {
	unreadable := func(fault Code) *proof { return &proof{fault: fault, claimsFault: fault} }
	if units(token) > maxProof {
		return unreadable("proof_too_large")
	}
	parts, ok := decodeJWS(token)
	if !ok {
		return unreadable("proof_malformed")
	}
	p := &proof{signature: parts[2], signed: []byte(token[:strings.LastIndexByte(token, '.')])}
	p.fault, p.kid, p.typ = readHeader(parts[0])
	p.claims = strictObject(parts[1])
	p.claimsFault = "ok"
	if p.claims == nil {
		p.claimsFault = "claims_unreadable"
	}
	return p
}

// claim returns a claim; an absent one, or that of unreadable claims, is not ok.
func (p *proof) claim(name string) (any, bool) { return p.claims.get(name) }

// text returns a claim that is a string, else the empty one.
func (p *proof) text(name string) string {
	value, _ := p.claim(name)
	text, _ := value.(string)
	return text
}

// decodeJWS decodes the three parts of a compact JWS, of which the signature is not empty.
func decodeJWS(token string) (parts [3][]byte, ok bool) {
	texts := strings.SplitN(token, ".", 4)
	if len(texts) != 3 || texts[2] == "" {
		return parts, false
	}
	for at, text := range texts {
		if parts[at], ok = decodeBase64url(text); !ok {
			return parts, false
		}
	}
	return parts, true
}

// readHeader accepts alg, kid and typ, and no algorithm but RS256 (RFC 8725 sections 3.1 and 3.10).
func readHeader(data []byte) (fault Code, kid string, typ any) {
	header := strictObject(data)
	if header == nil {
		return "proof_malformed", "", nil
	}
	typ = header.at("typ")
	if header.at("alg") != "RS256" {
		return "algorithm_not_allowed", "", typ
	}
	for _, name := range header.names {
		if name != "alg" && name != "kid" && name != "typ" {
			return "header_not_allowed", "", typ
		}
	}
	kid, _ = header.at("kid").(string)
	if kid == "" {
		return "kid_missing", "", typ
	}
	return "ok", kid, typ
}

// strictObject reads bytes as one JSON object in UTF-8, without a byte order mark and without a name twice at any
// depth; nil for anything else.
func strictObject(data []byte) *object {
	if !validUTF8(data) {
		return nil
	}
	value, _ := parseJSON(string(data), true)
	found, _ := value.(*object)
	return found
}
