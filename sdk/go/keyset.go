package certificate

import "math"

// keySet has the public keys of one issuer, by their names.
type keySet struct {
	keys map[string]*rsaKey // nil: not one usable key
	// why there is no usable key of a name
	faults map[string]Code
	// why there is no key of any other name; key_unknown if it is empty
	unknown Code
	// of the keys of status lists: seconds since 1970 from which on every proof names a list; infinite: not said
	claimRequiredFrom float64
}

// newKeySet reads a JWKS. Entries without a kid are ignored; the faults of others are told by find.
func newKeySet(jwks any) *keySet {
	set := &keySet{keys: map[string]*rsaKey{}, faults: map[string]Code{}, claimRequiredFrom: math.Inf(1)}
	top, _ := jwks.(*object)
	if from, ok := top.at("claim_required_from").(float64); ok && isSafeInteger(from) {
		set.claimRequiredFrom = from
	}
	entries, _ := top.at("keys").([]any)
	for _, entry := range entries {
		jwk, _ := entry.(*object)
		kid, ok := jwk.at("kid").(string)
		if !ok {
			continue
		}
		key := suitableKey(jwk)
		if _, isKey := set.keys[kid]; isKey || set.faults[kid] != "" {
			delete(set.keys, kid)
			set.faults[kid] = "key_ambiguous"
		} else if key == nil {
			set.faults[kid] = "key_unsuitable"
		} else {
			set.keys[kid] = key
		}
	}
	return set
}

// find returns the key of this name, or why there is no usable one.
func (s *keySet) find(kid string) (*rsaKey, Code) {
	if key := s.keys[kid]; key != nil {
		return key, "ok"
	}
	if fault := s.faults[kid]; fault != "" {
		return nil, fault
	}
	if s.unknown != "" {
		return nil, s.unknown
	}
	return nil, "key_unknown"
}

// hasKeys tells whether a parsed JWKS lists anything: with no key, every signature would look forged.
func hasKeys(jwks any) bool {
	top, _ := jwks.(*object)
	entries, _ := top.at("keys").([]any)
	return len(entries) > 0
}
