package certificate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// HTTPClient makes the requests for keys and status lists; *http.Client is one. Redirects are not followed: a client of
// another type must not follow them either.
type HTTPClient interface {
	Do(request *http.Request) (*http.Response, error)
}

const (
	maxResponse    = 1_000_000 // bytes
	requestTimeout = 10 * time.Second
	defaultMaxAge  = 3600 // seconds
	longestMaxAge  = 86_400
)

var errTooLarge = errors.New("it is over 1 MB")

// clientOf returns a client that follows no redirect.
func clientOf(given HTTPClient) HTTPClient {
	client := &http.Client{}
	if given != nil {
		known, ok := given.(*http.Client)
		if !ok {
			return given
		}
		copied := *known
		client = &copied
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

// fetch requests an address: within 10 s, at most 1 MB, without redirects.
func fetch(ctx context.Context, client HTTPClient, address, accept string, pastCaches bool) (string, http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", nil, err
	}
	request.Header.Set("Accept", accept)
	if pastCaches {
		request.Header.Set("Cache-Control", "no-cache")
	}
	response, err := client.Do(request)
	if err != nil {
		return "", nil, err
	}
	defer response.Body.Close()
	isFollowed := response.Request != nil && response.Request.URL != nil && response.Request.URL.String() != request.URL.String()
	if isFollowed || (response.StatusCode >= 300 && response.StatusCode < 400) {
		return "", nil, errors.New("it redirects, which is not followed")
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return "", nil, fmt.Errorf("it answered %d", response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if err != nil {
		return "", nil, err
	}
	if len(body) > maxResponse {
		return "", nil, errTooLarge
	}
	return string(body), response.Header, nil
}

// fetchedKeys is a JWKS as it was fetched.
type fetchedKeys struct {
	jwks any
	// seconds: for how long it may be kept, and how old it may be; not a number if nobody knows
	maxAge, age float64
}

func fetchJWKS(ctx context.Context, client HTTPClient, address string, pastCaches bool) (*fetchedKeys, error) {
	text, header, err := fetch(ctx, client, address, "application/json", pastCaches)
	if err != nil {
		return nil, &CannotVerifyError{KeysUnavailable, address + ": " + err.Error() + ".", err}
	}
	jwks, ok := parseJSON(text, false)
	if !ok {
		return nil, &CannotVerifyError{KeysUnavailable, address + ": it is not JSON.", nil}
	}
	if !hasKeys(jwks) {
		return nil, &CannotVerifyError{KeysUnavailable, address + ": it contains no keys.", nil}
	}
	return &fetchedKeys{jwks, maxAgeOf(header.Get("Cache-Control")), ageOf(header.Get("Age"))}, nil
}

var maxAgeDirective = regexp.MustCompile(`(?i)(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])`)

func maxAgeOf(cacheControl string) float64 {
	found := maxAgeDirective.FindStringSubmatch(cacheControl)
	if found == nil {
		return defaultMaxAge
	}
	seconds, _ := strconv.ParseFloat(found[1], 64)
	return math.Min(seconds, longestMaxAge)
}

// ageOf is the Age of a response (RFC 9111) rounded up.
func ageOf(header string) float64 {
	if header == "" {
		return 0
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(header), 64)
	if err != nil {
		return math.NaN()
	}
	return seconds + 1
}

// safeKeysAddress refuses plain http, except on this machine: keys could be replaced on the way.
func safeKeysAddress(text string) (string, error) {
	if a := parseAddress(text); a != nil {
		isLocal := a.host == "localhost" || strings.HasSuffix(a.host, ".localhost") || a.host == "[::1]" ||
			(strings.HasPrefix(a.host, "127.") && isIPLiteral(a.host))
		if a.scheme == "https" || isLocal {
			return a.href(), nil
		}
	}
	return "", &CannotVerifyError{KeysAddressUnsafe, text, nil}
}

func jwksURL(issuer string) string { return issuer + "/api/v1/.well-known/jwks.json" }

func statusListJWKSURL(issuer string) string {
	return issuer + "/api/v1/.well-known/status-list-jwks.json"
}
