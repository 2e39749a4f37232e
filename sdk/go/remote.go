package certificate

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

const (
	// between two requests, and between two for an unknown kid, whatever proofs say
	cooldown = 30 * time.Second
	// for how long keys past their age are still used while the issuer cannot be reached
	staleIfError = 24 * time.Hour
)

// remoteKeys are the keys at an address of an issuer: fetched on demand, kept for their max-age, and fetched again, past
// caches, for an unknown kid. It has no clock; safe for concurrent use.
type remoteKeys struct {
	address string
	client  HTTPClient
	// held by the one caller that may request; the others wait for what it finds
	turn chan struct{}

	mu      sync.Mutex
	current *heldKeys
	failure error
	// when it was last asked: with caches, and past them
	asked [2]time.Time
}

type heldKeys struct {
	keys   *keySet
	since  time.Time
	maxAge time.Duration
	// when the issuer sent them, in milliseconds since 1970; 0, unknown, unless caches were passed
	sentAt float64
}

func newRemoteKeys(address string, client HTTPClient) (*remoteKeys, error) {
	safe, err := safeKeysAddress(address)
	if err != nil {
		return nil, err
	}
	return &remoteKeys{address: safe, client: client, turn: make(chan struct{}, 1)}, nil
}

// at returns the keys. kid is that of a proof, or empty; iat its claim, of any type.
func (r *remoteKeys) at(ctx context.Context, now time.Time, kid string, iat any) (*keySet, error) {
	if held := r.held(); held.isFresh(now) && !held.lacks(kid) {
		return held.keys, nil
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return nil, &CannotVerifyError{KeysUnavailable, r.address + ": " + ctx.Err().Error() + ".", ctx.Err()}
	}
	if held := r.held(); !held.isFresh(now) {
		if err := r.ask(ctx, now, held.lacks(kid)); err != nil {
			return nil, err
		}
	}
	if r.held().lacks(kid) {
		if err := r.ask(ctx, now, true); err != nil {
			return nil, err
		}
	}
	held := r.held()
	if held == nil || (r.failure != nil && apart(now, held.since) >= held.maxAge+staleIfError) {
		return nil, r.failure
	}
	if held.lacks(kid) && mayPredate(held.sentAt, now, iat) {
		if r.failure != nil {
			return nil, r.failure
		}
		return nil, olderKeys(r.address)
	}
	return held.keys, nil
}

func (r *remoteKeys) held() *heldKeys {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current
}

// ask requests the keys, unless that was done a moment ago. Its error is only that of a caller who gave up.
func (r *remoteKeys) ask(ctx context.Context, now time.Time, pastCaches bool) error {
	asked := &r.asked[0]
	if pastCaches {
		asked = &r.asked[1]
	}
	if !asked.IsZero() && apart(now, *asked) < cooldown {
		return nil
	}
	found, err := fetchJWKS(ctx, r.client, r.address, pastCaches)
	if err != nil && ctx.Err() != nil {
		// says nothing about the issuer
		return err
	}
	*asked = now
	if err != nil {
		r.failure = err
		return nil
	}
	held := &heldKeys{keys: newKeySet(found.jwks), since: now, maxAge: time.Duration(found.maxAge) * time.Second}
	if pastCaches {
		held.sentAt = milliseconds(now) - found.age*1000
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current, r.failure = held, nil
	return nil
}

func (h *heldKeys) isFresh(now time.Time) bool { return h != nil && apart(now, h.since) < h.maxAge }

// lacks tells whether there are keys, but none of this name.
func (h *heldKeys) lacks(kid string) bool {
	if h == nil || kid == "" {
		return false
	}
	_, fault := h.keys.find(kid)
	return fault == "key_unknown"
}

// apart is absolute: a verification for a later time must not block requests of one for now.
func apart(one, other time.Time) time.Duration {
	if one.Before(other) {
		return other.Sub(one)
	}
	return one.Sub(other)
}

func milliseconds(moment time.Time) float64 { return float64(moment.UnixMilli()) }

// mayPredate tells whether keys that were read at a time, in milliseconds since 1970, may lack the key of a genuine proof
// of this iat. Keys read for this verification are newer than any proof, whatever the clocks say.
func mayPredate(readAt float64, now time.Time, iat any) bool {
	issuedAt := -1.0
	if seconds, ok := iat.(float64); ok {
		issuedAt = seconds * 1000
	}
	moment := milliseconds(now)
	return !math.IsNaN(readAt) && readAt < moment && readAt <= issuedAt && issuedAt <= moment+early*1000
}

var errOlderKeys = errors.New("the keys were read before the proof was issued")

func olderKeys(source string) error {
	return &CannotVerifyError{KeysUnavailable, source + ": " + errOlderKeys.Error() + ".", errOlderKeys}
}
