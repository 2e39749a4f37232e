package certificate

import (
	"bytes"
	"compress/zlib"
	"io"
	"math"
	"strings"
	"time"
)

// A status list (draft-ietf-oauth-status-list-20) has 2^20 entries of 2 bits.
const (
	listEntries    = 1 << 20
	listBytes      = listEntries / 4
	maxListToken   = 700_000 // characters
	maxListNumber  = 2_147_483_647
	listSkew       = 60 // seconds by which clocks may differ
	longestList    = 86_400
	minTTL, maxTTL = 60, 86_400
	defaultTTL     = 900
)

// statusList is a list whose signature is valid. Times are seconds since 1970.
type statusList struct {
	uri                 string
	issuedAt, expiresAt float64
	ttl                 float64
	revoked             map[string]bool // keys whose proofs are withdrawn, wherever they are listed
	entries             []byte
}

// entry returns a value of 2 bits; the first is in the lowest bits of the first byte.
func (l *statusList) entry(index int) byte { return l.entries[index/4] >> (2 * (index % 4)) & 3 }

// fault tells why a list does not count at a time; empty if it does.
func (l *statusList) fault(now time.Time) Code {
	seconds := float64(now.Unix())
	if l.issuedAt > seconds+listSkew {
		return "status_list_not_yet_valid"
	}
	if l.expiresAt <= seconds-listSkew {
		return "status_list_expired"
	}
	return ""
}

// readStatusList reads a list: a compact JWS by a key for lists, for this address, within its lifetime. It never inflates
// more than a list has.
func readStatusList(token string, keys *keySet, uri string, now time.Time) (*statusList, Code) {
	if units(token) > maxListToken {
		return nil, "status_list_too_large"
	}
	parts, ok := decodeJWS(token)
	if !ok {
		return nil, "status_list_malformed"
	}
	fault, kid, typ := readHeader(parts[0])
	if fault != "ok" {
		return nil, "status_list_malformed"
	}
	if typ != "statuslist+jwt" {
		return nil, "status_list_type_wrong"
	}
	key, _ := keys.find(kid)
	if key == nil {
		return nil, "status_list_key_unknown"
	}
	if !key.verify(parts[2], []byte(token[:strings.LastIndexByte(token, '.')])) {
		return nil, "status_list_signature_invalid"
	}
	list, compressed := listClaims(strictObject(parts[1]))
	if list == nil {
		return nil, "status_list_malformed"
	}
	if list.uri != uri {
		return nil, "status_list_subject_differs"
	}
	if fault := list.fault(now); fault != "" {
		return nil, fault
	}
	list.entries, fault = inflate(compressed)
	if fault != "ok" {
		return nil, fault
	}
	return list, "ok"
}

func listClaims(claims *object) (list *statusList, compressed []byte) {
	uri, ok := claims.at("sub").(string)
	issuedAt, expiresAt, ttl := claims.at("iat"), claims.at("exp"), any(float64(defaultTTL))
	if stated, isStated := claims.get("ttl"); isStated {
		ttl = stated
	}
	if !ok || !isCount(issuedAt) || !isCount(expiresAt) || !isCount(ttl) || expiresAt.(float64) <= issuedAt.(float64) {
		return nil, nil
	}
	inner, _ := claims.at("status_list").(*object)
	text, ok := inner.at("lst").(string)
	if !ok || inner.at("bits") != 2.0 {
		return nil, nil
	}
	list = &statusList{
		uri: uri, issuedAt: issuedAt.(float64),
		// whoever had a key for a moment must not make a list that counts for years
		expiresAt: math.Min(expiresAt.(float64), issuedAt.(float64)+longestList),
		ttl:       math.Min(math.Max(ttl.(float64), minTTL), maxTTL), revoked: map[string]bool{},
	}
	if stated, isStated := claims.get("revoked_kids"); isStated {
		kids, ok := stated.([]any)
		for _, one := range kids {
			kid, isText := one.(string)
			ok = ok && isText
			list.revoked[kid] = true
		}
		if !ok {
			return nil, nil
		}
	}
	if compressed, ok = decodeBase64url(text); !ok {
		return nil, nil
	}
	return list, compressed
}

// inflate reads a zlib stream of exactly the bytes of a list; it stops after one more.
func inflate(compressed []byte) ([]byte, Code) {
	source := bytes.NewReader(compressed)
	stream, err := zlib.NewReader(source)
	if err != nil {
		return nil, "status_list_malformed"
	}
	entries, err := io.ReadAll(io.LimitReader(stream, listBytes+1))
	if len(entries) > listBytes {
		return nil, "status_list_too_large"
	}
	if err != nil || len(entries) < listBytes || source.Len() > 0 {
		return nil, "status_list_malformed"
	}
	return entries, "ok"
}

// unverifiedList is what a token says of itself: to choose among keys, and nothing else.
type unverifiedList struct {
	kid string
	iat any
	uri string
}

func readUnverified(token string) unverifiedList {
	parts, ok := decodeJWS(token)
	if !ok || units(token) > maxListToken {
		return unverifiedList{}
	}
	fault, kid, _ := readHeader(parts[0])
	if fault != "ok" {
		return unverifiedList{}
	}
	claims := strictObject(parts[1])
	uri, _ := claims.at("sub").(string)
	return unverifiedList{kid, claims.at("iat"), uri}
}

// isListOf tells whether an address is one of a list of this issuer, written exactly so.
func isListOf(issuer, uri string) bool {
	rest := strings.TrimPrefix(uri, issuer+"/api/v1/mc4p/status/")
	if rest == uri || rest == "" || len(rest) > 10 || rest[0] == '0' {
		return false
	}
	number := 0
	for _, char := range []byte(rest) {
		if char < '0' || char > '9' {
			return false
		}
		number = number*10 + int(char-'0')
	}
	return number <= maxListNumber
}

// statusEntry is the place in a status list that a proof names.
type statusEntry struct {
	uri   string
	index int
}

// entryOf reads the claim status of a proof; nil without one, or with its fault.
func entryOf(p *proof, issuer string) (*statusEntry, Code) {
	stated, ok := p.claim("status")
	if !ok {
		return nil, ""
	}
	status, _ := stated.(*object)
	place, _ := status.at("status_list").(*object)
	uri, isText := place.at("uri").(string)
	if !isText || !isCount(place.at("idx")) {
		return nil, "status_claim_malformed"
	}
	if !isListOf(issuer, uri) {
		return nil, "status_uri_differs"
	}
	index := place.at("idx").(float64)
	if index >= listEntries {
		return nil, "status_index_out_of_range"
	}
	return &statusEntry{uri, int(index)}, ""
}
