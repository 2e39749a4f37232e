package certificate

import (
	"context"
	"errors"
	"time"
)

const (
	// for how long a list that could not be had is not requested again
	listCooldown = 30 * time.Second
	maxHeld      = 64 // fetched lists that are kept, of 256 KB each; those that were given are always kept
	maxFailures  = 1000
)

// heldList is a list, and when it was current.
type heldList struct {
	*statusList
	currentAt time.Time
	isGiven   bool
}

type listFailure struct {
	reason Code
	at     time.Time // zero for a list that was given
}

// heldLists are the lists of issuers that share their keys. Whoever calls it has its turn.
type heldLists struct {
	keys   *listKeys
	client HTTPClient // nil: nothing is fetched

	held     map[string]heldList
	order    []string // addresses of fetched lists, the oldest first
	failures map[string]listFailure
	failed   []string
	unread   []string // tokens that were given, and could not be read yet
}

// at returns the list at an address, which must be one of its issuer, or why there is none.
func (h *heldLists) at(ctx context.Context, uri string, now time.Time) (*heldList, Code) {
	h.readGiven(ctx, now)
	known, ok := h.held[uri]
	isFresh := ok && apart(now, known.currentAt) < time.Duration(known.ttl)*time.Second && known.fault(now) == ""
	failure, hasFailed := h.failures[uri]
	isAsked := hasFailed && !failure.at.IsZero() && apart(now, failure.at) < listCooldown
	if h.client != nil && !isFresh && !isAsked {
		h.refetch(ctx, uri, now)
	}
	known, ok = h.held[uri]
	if !ok {
		if failure, hasFailed = h.failures[uri]; hasFailed {
			return nil, failure.reason
		}
		return nil, "status_list_unreachable"
	}
	if fault := known.fault(now); fault != "" {
		return nil, fault
	}
	return &known, ""
}

// endedAt returns the list that was at hand and has ended: what it calls invalid is so for good.
func (h *heldLists) endedAt(uri string, now time.Time) *heldList {
	if known, ok := h.held[uri]; ok && known.fault(now) == "status_list_expired" {
		return &known
	}
	return nil
}

// revoking returns a list, also one that has ended, that names a key among the revoked ones.
func (h *heldLists) revoking(kid string, now time.Time) *heldList {
	for _, known := range h.held {
		if known.revoked[kid] && known.fault(now) != "status_list_not_yet_valid" {
			known := known
			return &known
		}
	}
	return nil
}

// nextLook is when a newer list is looked for; without a network, when the list no longer counts.
func (h *heldLists) nextLook(list *heldList) time.Time {
	if h.client == nil {
		return instant(list.expiresAt)
	}
	next := list.currentAt.Add(time.Duration(list.ttl) * time.Second)
	if failure, ok := h.failures[list.uri]; ok && failure.at.Add(listCooldown).After(next) {
		next = failure.at.Add(listCooldown)
	}
	return next
}

func (h *heldLists) readGiven(ctx context.Context, now time.Time) {
	var left []string
	for _, token := range h.unread {
		uri := readUnverified(token).uri
		list, reason := h.read(ctx, token, uri, now)
		if list == nil {
			if _, ok := h.held[uri]; !ok {
				h.failures[uri] = listFailure{reason: reason}
			}
			left = append(left, token)
			continue
		}
		delete(h.failures, uri)
		h.keep(heldList{list, instant(list.issuedAt), true})
	}
	h.unread = left
}

func (h *heldLists) read(ctx context.Context, token, uri string, now time.Time) (*statusList, Code) {
	said := readUnverified(token)
	keys := newKeySet(nil)
	if said.kid != "" {
		// nothing is requested for a token that cannot be one
		var err error
		if keys, err = h.keys.at(ctx, now, said.kid, said.iat); err != nil {
			return nil, "status_list_unreachable"
		}
	}
	return readStatusList(token, keys, uri, now)
}

func (h *heldLists) refetch(ctx context.Context, uri string, now time.Time) {
	token, _, err := fetch(ctx, h.client, uri, "application/statuslist+jwt", false)
	var list *statusList
	reason := Code("status_list_unreachable")
	if err == nil {
		list, reason = h.read(ctx, token, uri, now)
	} else if errors.Is(err, errTooLarge) {
		reason = "status_list_too_large"
	}
	if list == nil && ctx.Err() != nil {
		return // says nothing about the issuer
	}
	if _, ok := h.failures[uri]; ok {
		h.failed = without(h.failed, uri)
		delete(h.failures, uri)
	}
	if list != nil {
		h.keep(heldList{list, now, false})
		return
	}
	h.failures[uri] = listFailure{reason, now}
	h.failed = append(h.failed, uri)
	if len(h.failed) > maxFailures {
		delete(h.failures, h.failed[0])
		h.failed = h.failed[1:]
	}
}

// keep keeps the newer of two lists of an address: a cache on the way may answer with an older one.
func (h *heldLists) keep(list heldList) {
	if known, ok := h.held[list.uri]; ok {
		list.isGiven = list.isGiven || known.isGiven
		if known.issuedAt > list.issuedAt {
			list.statusList = known.statusList
		}
	}
	h.order = without(h.order, list.uri)
	h.held[list.uri] = list
	if list.isGiven {
		return
	}
	h.order = append(h.order, list.uri)
	if len(h.order) > maxHeld {
		delete(h.held, h.order[0])
		h.order = h.order[1:]
	}
}

func without(list []string, text string) []string {
	kept := list[:0]
	for _, one := range list {
		if one != text {
			kept = append(kept, one)
		}
	}
	return kept
}
