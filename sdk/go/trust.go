package certificate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// IssuerKeys are the keys of one service. They verify certificates of these issuers, and of no others.
type IssuerKeys struct {
	// Issuers has its base address, and those that share its keys only because they are named here, such as former ones.
	Issuers []string
	// JWKS are the keys as text. If it is nil, they are fetched.
	JWKS []byte
	// FetchedAt is when JWKS was read from its issuer. A proof that was issued later may be signed with a newer key: if
	// its key is unknown, there is no verdict (KeysUnavailable). Zero: not known, and an unknown key is a failed check.
	FetchedAt time.Time
	// URL is the address of the keys; empty: that of the first of Issuers.
	URL string
}

// TrustOptions say which issuers are trusted, and where their keys come from.
type TrustOptions struct {
	// TrustedIssuers are the base addresses of the services whose certificates count: values of iss. At least one.
	TrustedIssuers []string
	// Keys are those of trusted issuers. The keys of an issuer that is not named here are fetched from its own address.
	Keys []IssuerKeys
	// JWKS and FetchedAt are the keys of the only trusted issuer, as in Keys.
	JWKS      []byte
	FetchedAt time.Time
	// Client makes the requests for keys; nil: one with the defaults of net/http.
	Client HTTPClient
}

// Trust are trusted issuers with their keys. Make one and keep it: it holds the keys that it fetched, for their max-age, an
// hour if they have none. It is safe for concurrent use.
type Trust struct {
	issuers []string
	sources []keySource
}

// keySource has the keys of some issuers: given, or fetched.
type keySource struct {
	issuers   []string
	given     *keySet
	fetchedAt time.Time
	remote    *remoteKeys
}

// NewTrust trusts the issuers that are named. Nothing that a document names is ever trusted or requested.
//
// The error is a *CannotVerifyError if no issuer is named, if keys that are given are none, or if an address of keys is not
// safe; another one if it is not clear whose keys are given.
func NewTrust(options TrustOptions) (*Trust, error) {
	issuers := addressesIn(options.TrustedIssuers)
	if len(issuers) == 0 {
		return nil, &CannotVerifyError{Code: NoTrustedIssuer}
	}
	keys, err := keysByIssuer(issuers, options)
	if err != nil {
		return nil, err
	}
	trust := &Trust{issuers: issuers}
	client := clientOf(options.Client)
	for _, one := range keys {
		source := keySource{issuers: one.Issuers, fetchedAt: one.FetchedAt}
		if one.JWKS == nil {
			address := one.URL
			if address == "" {
				address = jwksURL(one.Issuers[0])
			}
			if source.remote, err = newRemoteKeys(address, client); err != nil {
				return nil, err
			}
		} else if source.given, err = givenKeys(one); err != nil {
			return nil, err
		}
		trust.sources = append(trust.sources, source)
	}
	return trust, nil
}

// Issuers returns the base addresses of the trusted issuers, without a slash at their end.
func (t *Trust) Issuers() []string { return append([]string{}, t.issuers...) }

func givenKeys(keys IssuerKeys) (*keySet, error) {
	jwks, ok := parseJSON(string(keys.JWKS), false)
	if !ok || !hasKeys(jwks) {
		return nil, &CannotVerifyError{KeysUnavailable, "The given JWKS of " + strings.Join(keys.Issuers, ", ") + " contains no keys.", nil}
	}
	return newKeySet(jwks), nil
}

// keysByIssuer returns every trusted issuer once, with the keys that belong to it.
func keysByIssuer(issuers []string, options TrustOptions) ([]IssuerKeys, error) {
	if options.JWKS != nil {
		if len(issuers) > 1 || len(options.Keys) > 0 {
			return nil, errors.New("certificate: JWKS is for one trusted issuer: for several, say in Keys whose keys they are")
		}
		return []IssuerKeys{{Issuers: issuers, JWKS: options.JWKS, FetchedAt: options.FetchedAt}}, nil
	}
	named := map[string]bool{}
	var keys []IssuerKeys
	for _, one := range options.Keys {
		one.Issuers = addressesIn(one.Issuers)
		for _, issuer := range one.Issuers {
			if named[issuer] || !contains(issuers, issuer) {
				return nil, fmt.Errorf("certificate: Keys must name trusted issuers, each of them once: %s", issuer)
			}
			named[issuer] = true
		}
		if len(one.Issuers) > 0 {
			keys = append(keys, one)
		}
	}
	for _, issuer := range issuers {
		if !named[issuer] {
			keys = append(keys, IssuerKeys{Issuers: []string{issuer}})
		}
	}
	return keys, nil
}

// addressesIn returns each address once, without slashes at its end.
func addressesIn(named []string) []string {
	var addresses []string
	for _, one := range named {
		one = strings.TrimRight(strings.TrimSpace(one), "/")
		if one != "" && !contains(addresses, one) {
			addresses = append(addresses, one)
		}
	}
	return addresses
}

// keysFor returns the keys that may have signed a proof, with the issuers that they belong to. What a proof claims to be
// issued by only chooses among the trusted issuers.
func (t *Trust) keysFor(ctx context.Context, p *proof, now time.Time) ([]string, *keySet, error) {
	if only := t.sources[0]; len(t.sources) == 1 && only.given != nil && only.fetchedAt.IsZero() {
		// nothing to choose
		return t.issuers, only.given, nil
	}
	if p == nil {
		return t.issuers, newKeySet(nil), nil
	}
	issuer, iat := p.text("iss"), any(nil)
	iat, _ = p.claim("iat")
	for _, source := range t.sources {
		if !contains(source.issuers, issuer) {
			continue
		}
		keys, err := source.keysOf(ctx, p.kid, iat, now)
		return source.issuers, keys, err
	}
	return t.issuers, &keySet{unknown: "issuer_untrusted"}, nil
}

func (s *keySource) keysOf(ctx context.Context, kid string, iat any, now time.Time) (*keySet, error) {
	if kid == "" {
		// without a header that can be used no key is needed, so that garbage makes no requests
		return newKeySet(nil), nil
	}
	if s.given == nil {
		return s.remote.at(ctx, now, kid, iat)
	}
	if _, fault := s.given.find(kid); fault == "key_unknown" && !s.fetchedAt.IsZero() && mayPredate(milliseconds(s.fetchedAt), now, iat) {
		return nil, olderKeys(strings.Join(s.issuers, ", "))
	}
	return s.given, nil
}
