package certificate

import (
	"bytes"
	"context"
	"errors"
	"time"
)

// StatusListsOptions say whose status lists are read, and where they and their keys come from.
type StatusListsOptions struct {
	// TrustedIssuers are as for a Trust.
	TrustedIssuers []string
	// Keys are those of status lists, which are never those of certificates. The keys of an issuer that is not named here
	// are fetched from its own address.
	Keys []IssuerKeys
	// Prefetched are status lists as text. Each counts until it expires, unless a newer one can be fetched.
	Prefetched []string
	// Client makes the requests; nil: one with the defaults of net/http.
	Client HTTPClient
	// Offline: nothing is requested, only Keys and Prefetched are used.
	Offline bool
}

// StatusLists are the status lists of trusted issuers. Make one and keep it: it holds what it fetched. It is safe for
// concurrent use.
type StatusLists struct{ sources []*listSource }

// listSource has the lists of issuers that share their keys; they say nothing about certificates of others.
type listSource struct {
	issuers []string
	keys    *listKeys
	// the keys of certificates as the issuer publishes them now; nil without a network
	proofKeys *remoteKeys
	// held by the one caller that reads or requests lists
	turn  chan struct{}
	lists *heldLists
}

// listKeys are the keys of the lists of an issuer: given, fetched, or neither.
type listKeys struct {
	given  *keySet
	remote *remoteKeys
}

var errKeysNotGiven = errors.New("the keys of status lists are not given")

func (k *listKeys) at(ctx context.Context, now time.Time, kid string, iat any) (*keySet, error) {
	if k.given != nil {
		return k.given, nil
	}
	if k.remote == nil {
		return nil, errKeysNotGiven
	}
	return k.remote.at(ctx, now, kid, iat)
}

// NewStatusLists returns the status lists of these issuers. Errors are as for NewTrust.
func NewStatusLists(options StatusListsOptions) (*StatusLists, error) {
	issuers := addressesIn(options.TrustedIssuers)
	if len(issuers) == 0 {
		return nil, &CannotVerifyError{Code: NoTrustedIssuer}
	}
	keys, err := keysByIssuer(issuers, TrustOptions{Keys: options.Keys})
	if err != nil {
		return nil, err
	}
	var client HTTPClient
	if !options.Offline {
		client = clientOf(options.Client)
	}
	lists := &StatusLists{}
	for _, one := range keys {
		source, err := newListSource(one, client)
		if err != nil {
			return nil, err
		}
		for _, token := range options.Prefetched {
			uri := readUnverified(token).uri
			for _, issuer := range one.Issuers {
				if isListOf(issuer, uri) {
					source.lists.unread = append(source.lists.unread, token)
				}
			}
		}
		lists.sources = append(lists.sources, source)
	}
	return lists, nil
}

func newListSource(keys IssuerKeys, client HTTPClient) (*listSource, error) {
	source := &listSource{issuers: keys.Issuers, keys: &listKeys{}, turn: make(chan struct{}, 1)}
	source.lists = &heldLists{keys: source.keys, client: client, held: map[string]heldList{}, failures: map[string]listFailure{}}
	var err error
	if keys.JWKS != nil {
		if source.keys.given, err = givenKeys(keys); err != nil {
			return nil, err
		}
	} else if client != nil {
		address := keys.URL
		if address == "" {
			address = statusListJWKSURL(keys.Issuers[0])
		}
		if source.keys.remote, err = newRemoteKeys(address, client); err != nil {
			return nil, err
		}
	}
	if client != nil {
		source.proofKeys, err = newRemoteKeys(jwksURL(keys.Issuers[0]), client)
	}
	return source, err
}

// LookUp tells whether a certificate has been withdrawn. The document is as for VerifyProductCertificate, or the proof
// alone; signed is that of its result, and nothing is looked up if it is nil. The zero time is that of the system.
//
// Whatever is wrong with a list, its keys or the network is a reason in the answer. A list is requested at the address that
// follows from the trusted issuer and its number, and kept for its ttl; one that could not be had is not requested again for
// 30 s.
func (s *StatusLists) LookUp(ctx context.Context, document []byte, signed *SignedClaims, now time.Time) Withdrawal {
	if now.IsZero() {
		now = time.Now()
	}
	if signed == nil {
		return Withdrawal{Reason: "not_looked_at"}
	}
	jwt := string(document)
	if trimmed := bytes.TrimLeft(document, " \t\r\n"); document == nil || bytes.HasPrefix(trimmed, []byte("{")) {
		jwt = readDocument(document).jwt
	}
	p := readProof(jwt)
	for _, source := range s.sources {
		if contains(source.issuers, signed.Issuer) && p.fault == "ok" && p.text("iss") == signed.Issuer {
			return source.withdrawal(ctx, p, signed.Issuer, now)
		}
	}
	return Withdrawal{Reason: "not_looked_at"}
}

func (s *listSource) withdrawal(ctx context.Context, p *proof, issuer string, now time.Time) Withdrawal {
	entry, fault := entryOf(p, issuer)
	if fault != "" {
		return Withdrawal{Reason: fault}
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return Withdrawal{Reason: "status_list_unreachable"}
	}
	var list *heldList
	if entry == nil {
		s.lists.readGiven(ctx, now)
		fault = s.whyUnlisted(ctx, p, now)
	} else {
		list, fault = s.lists.at(ctx, entry.uri, now)
	}
	told := func(status WithdrawalStatus, reason Code, list *heldList) Withdrawal {
		return Withdrawal{status, reason, instant(list.issuedAt), s.lists.nextLook(list)}
	}
	if revoking := s.lists.revoking(p.kid, now); revoking != nil {
		return told(Withdrawn, "key_revoked", revoking)
	}
	if list == nil {
		if entry != nil {
			if ended := s.lists.endedAt(entry.uri, now); ended != nil && ended.entry(entry.index) == 1 {
				return told(Withdrawn, "withdrawn", ended)
			}
		}
		if s.isTakenBack(ctx, p, now) {
			return Withdrawal{Status: Withdrawn, Reason: "key_revoked"}
		}
		return Withdrawal{Reason: fault}
	}
	switch list.entry(entry.index) {
	case 0:
		return told(NotWithdrawn, "not_withdrawn", list)
	case 1:
		return told(Withdrawn, "withdrawn", list)
	case 2:
		return told(Suspended, "suspended", list)
	}
	return Withdrawal{Reason: "status_value_unknown"}
}

// whyUnlisted tells of a proof without the claim: it is from before its issuer had lists, or not one that the issuer made.
func (s *listSource) whyUnlisted(ctx context.Context, p *proof, now time.Time) Code {
	keys, err := s.keys.at(ctx, now, "", nil)
	if err != nil {
		return "status_list_unreachable"
	}
	value, _ := p.claim("iat")
	if iat, ok := value.(float64); ok && iat < keys.claimRequiredFrom {
		return "status_claim_absent"
	}
	return "status_claim_required"
}

// isTakenBack tells whether the issuer no longer publishes the key of a proof. It takes a key back within the life of a
// proof only if the key was revoked; the thief of one would name a list that does not exist, or none.
func (s *listSource) isTakenBack(ctx context.Context, p *proof, now time.Time) bool {
	if s.proofKeys == nil {
		return false
	}
	iat, _ := p.claim("iat")
	keys, err := s.proofKeys.at(ctx, now, p.kid, iat)
	if err != nil {
		return false
	}
	_, fault := keys.find(p.kid)
	return fault == "key_unknown"
}
