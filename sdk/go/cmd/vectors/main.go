// Command vectors runs the verifier over requests on standard input, one in JSON on each line, and writes one answer in JSON
// on each line. The tests of the project drive it with the public vectors, and with generated documents.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"

	certificate "touchstone.example/certificate"
)

// request is a vector: its input and context, with the keys by issuer.
type request struct {
	Kind string `json:"kind"`
	// Document is its text or any other value; nil if there is none.
	Document json.RawMessage `json:"document"`
	// JWT may be no text.
	JWT       json.RawMessage `json:"jwt"`
	PageURL   string          `json:"pageUrl"`
	ProductID string          `json:"productId"`
	Domain    string          `json:"domain"`
	Now       time.Time       `json:"now"`
	Keys      json.RawMessage `json:"keys"`
	// ProofKind and CertificateKind are the kinds that are required.
	ProofKind       certificate.Kind `json:"proofKind"`
	CertificateKind certificate.Kind `json:"certificateKind"`
	// Served has what the addresses of an issuer answer; any other is not found.
	Served map[string]json.RawMessage   `json:"served"`
	Policy certificate.WithdrawalPolicy `json:"policy"`
	// Codes are those of which the sentences are asked for.
	Codes []certificate.Code `json:"codes"`
}

// keys are those of some issuers.
type keys struct {
	Issuers []string        `json:"issuers"`
	JWKS    json.RawMessage `json:"jwks"`
	ReadAt  time.Time       `json:"readAt"`
}

// check is the result of a check and its reason.
type check [2]any

// answer has what a vector expects.
type answer struct {
	Refused    certificate.Code                                  `json:"refused,omitempty"`
	Error      string                                            `json:"error,omitempty"`
	Status     certificate.Status                                `json:"status,omitempty"`
	Checks     map[certificate.Check]check                       `json:"checks,omitempty"`
	Profiles   map[certificate.Profile]certificate.ProfileStatus `json:"profiles,omitempty"`
	Warnings   *[]string                                         `json:"warnings,omitempty"`
	Errors     *[]string                                         `json:"errors,omitempty"`
	Conclusion certificate.Code                                  `json:"conclusion,omitempty"`
	Withdrawal map[string]*string                                `json:"withdrawal,omitempty"`
	Requested  *[]string                                         `json:"requested,omitempty"`
	Sentences  map[certificate.Code]string                       `json:"sentences,omitempty"`
}

// program keeps the trusts that it made: requests name few key sets.
type program struct{ trusts map[string]*certificate.Trust }

func main() {
	p := program{trusts: map[string]*certificate.Trust{}}
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			told, err := json.Marshal(p.answer(line))
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			out.Write(append(told, '\n'))
		}
		if err != nil || in.Buffered() == 0 {
			out.Flush()
		}
		if err != nil {
			return
		}
	}
}

func (p *program) answer(line []byte) answer {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: err.Error()}
	}
	told, err := p.verify(asked)
	var cannot *certificate.CannotVerifyError
	if errors.As(err, &cannot) {
		return answer{Refused: cannot.Code}
	}
	if err != nil {
		return answer{Error: err.Error()}
	}
	return told
}

func (p *program) verify(asked request) (answer, error) {
	if asked.Kind == "sentences" {
		sentences := map[certificate.Code]string{}
		for _, code := range asked.Codes {
			sentences[code] = code.Sentence()
		}
		return answer{Sentences: sentences}, nil
	}
	trust, err := p.trust(asked.Keys)
	if err != nil {
		return answer{}, err
	}
	ctx := context.Background()
	document := text(asked.Document)
	switch asked.Kind {
	case "proof":
		var jwt string
		_ = json.Unmarshal(asked.JWT, &jwt)
		result, err := certificate.VerifyProof(ctx, jwt, certificate.ProofOptions{Trust: trust, Kind: asked.ProofKind, Now: asked.Now})
		if err != nil {
			return answer{}, err
		}
		return answer{Checks: checksOf(result.Checks)}, nil
	case "profile":
		return profile(ctx, document, trust, asked)
	}
	result, err := certificate.VerifyProductCertificate(ctx, document, certificate.Options{
		Trust: trust, PageURL: asked.PageURL, ProductID: asked.ProductID, Now: asked.Now,
	})
	if err != nil {
		return answer{}, err
	}
	var told answer
	if asked.Kind == "withdrawal" {
		client := &served{texts: asked.Served, requested: []string{}}
		lists, err := certificate.NewStatusLists(certificate.StatusListsOptions{TrustedIssuers: trust.Issuers(), Client: client})
		if err != nil {
			return answer{}, err
		}
		signed := result.Signed
		if asked.Policy == certificate.Ignore {
			signed = nil
		}
		result = result.WithWithdrawal(lists.LookUp(ctx, document, signed, asked.Now), asked.Policy)
		reason, status := string(result.Withdrawal.Reason), string(result.Withdrawal.Status)
		told.Withdrawal = map[string]*string{"status": &status, "reason": &reason}
		if status == "" {
			told.Withdrawal["status"] = nil
		}
		told.Requested = &client.requested
	}
	told.Status, told.Checks, told.Conclusion = result.Status, checksOf(result.Checks), result.Conclusion.Code
	told.Warnings, told.Errors = codesOf(result.Warnings), codesOf(result.Errors)
	return told, nil
}

func profile(ctx context.Context, document []byte, trust *certificate.Trust, asked request) (answer, error) {
	result, err := certificate.VerifyByProfile(ctx, document, certificate.ProfileOptions{
		Profile: certificate.Standard, Trust: trust, Kind: asked.CertificateKind, PageURL: asked.PageURL, Domain: asked.Domain,
		ProductID: asked.ProductID, Now: asked.Now,
	})
	if err != nil {
		return answer{}, err
	}
	return answer{
		Profiles: result.Profiles, Checks: checksOf(result.Checks), Warnings: codesOf(result.Warnings), Errors: codesOf(result.Errors),
	}, nil
}

// mostTrusts are kept at a time.
const mostTrusts = 1000

func (p *program) trust(text json.RawMessage) (*certificate.Trust, error) {
	if known, ok := p.trusts[string(text)]; ok {
		return known, nil
	}
	var given []keys
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, err
	}
	var options certificate.TrustOptions
	for _, one := range given {
		if one.JWKS == nil {
			one.JWKS = json.RawMessage("null")
		}
		options.TrustedIssuers = append(options.TrustedIssuers, one.Issuers...)
		options.Keys = append(options.Keys, certificate.IssuerKeys{Issuers: one.Issuers, JWKS: one.JWKS, FetchedAt: one.ReadAt})
	}
	trust, err := certificate.NewTrust(options)
	if err != nil {
		return nil, err
	}
	if len(p.trusts) >= mostTrusts {
		p.trusts = map[string]*certificate.Trust{}
	}
	p.trusts[string(text)] = trust
	return trust, nil
}

func checksOf(results map[certificate.Check]certificate.CheckResult) map[certificate.Check]check {
	checks := make(map[certificate.Check]check, len(results))
	for name, result := range results {
		checks[name] = check{result.Result, result.Reason}
	}
	return checks
}

func codesOf(notes []certificate.Note) *[]string {
	codes := make([]string, 0, len(notes))
	for _, note := range notes {
		codes = append(codes, string(note.Code))
	}
	sort.Strings(codes)
	return &codes
}

// text is what a JSON text contains, and the JSON of any other value, as they stand on a page; nil for null.
func text(value json.RawMessage) []byte {
	var words string
	if len(value) == 0 || string(value) == "null" {
		return nil
	}
	if json.Unmarshal(value, &words) == nil {
		return []byte(words)
	}
	return value
}

// served answers requests from texts, and keeps the addresses of status lists that were asked for.
type served struct {
	texts     map[string]json.RawMessage
	requested []string
}

// Do answers a request.
func (s *served) Do(request *http.Request) (*http.Response, error) {
	address := request.URL.String()
	if !strings.HasSuffix(address, ".json") {
		s.requested = append(s.requested, address)
	}
	found, ok := s.texts[address]
	response := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: request, Body: io.NopCloser(bytes.NewReader(text(found)))}
	if !ok {
		response.StatusCode = http.StatusNotFound
	}
	return response, nil
}
