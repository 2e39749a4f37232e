// Command bench tells how many certificates are verified in a second, and how long one takes beside the bare verification of
// an RSA-2048 signature, which it contains. It takes a full certificate of the public vectors: run it in the folder sdk/go of the repository.
package main

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"os"
	"sort"
	"strings"
	"time"

	certificate "touchstone.example/certificate"
)

const (
	rounds = 300 // of each, in turn; the fastest counts, which other programs disturb least
	each   = 5
)

func main() {
	one := verified("../../test/vectors/members.json")
	trust, err := certificate.NewTrust(certificate.TrustOptions{TrustedIssuers: one.Context.Issuers, JWKS: one.jwks})
	if err != nil {
		log.Fatal(err)
	}
	options := certificate.Options{Trust: trust, PageURL: one.Context.PageURL, Now: one.Context.Now}
	document := []byte(one.Input.Document)
	whole := func() bool {
		result, err := certificate.VerifyProductCertificate(context.Background(), document, options)
		return err == nil && result.Status == certificate.StatusVerified
	}
	costs := map[string][]float64{}
	bare := signature(document, one.jwks)
	for i := 0; i < rounds; i++ {
		costs["bare"] = append(costs["bare"], cost(bare))
		costs["whole"] = append(costs["whole"], cost(whole))
	}
	alone, all := least(costs["bare"]), least(costs["whole"])
	fmt.Printf("bare RSA-2048 verification   %7.1f µs %8.0f/s\n", alone, 1e6/alone)
	fmt.Printf("VerifyProductCertificate     %7.1f µs %8.0f/s  %.2f times as long (%d bytes)\n", all, 1e6/all, all/alone, len(document))
}

// vector is a document of the public vectors, with what it is verified against.
type vector struct {
	Kind, Jwks string
	Input      struct{ Document json.RawMessage }
	Context    struct {
		Issuers []string
		Now     time.Time
		PageURL string
	}
	Expect struct{ Status string }
	jwks   []byte
}

// verified is the first document of a file of vectors that is verified.
func verified(path string) vector {
	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	var file struct {
		Jwks    map[string]json.RawMessage
		Vectors []vector
	}
	if err := json.Unmarshal(data, &file); err != nil {
		log.Fatal(err)
	}
	for _, one := range file.Vectors {
		if one.Kind == "document" && one.Expect.Status == "verified" {
			one.jwks = file.Jwks[one.Jwks]
			return one
		}
	}
	log.Fatalf("no document of %s is verified", path)
	return vector{}
}

// signature is the bare verification of the signature of the certificate.
func signature(document, jwks []byte) func() bool {
	var node struct{ Proof struct{ JWT string } }
	var set struct{ Keys []struct{ Kid, N, E string } }
	for target, data := range map[any][]byte{&node: document, &set: jwks} {
		if err := json.Unmarshal(data, target); err != nil {
			log.Fatal(err)
		}
	}
	parts := strings.Split(node.Proof.JWT, ".")
	var header struct{ Kid string }
	if err := json.Unmarshal(decode(parts[0]), &header); err != nil {
		log.Fatal(err)
	}
	for _, jwk := range set.Keys {
		if jwk.Kid == header.Kid {
			key := &rsa.PublicKey{N: new(big.Int).SetBytes(decode(jwk.N)), E: int(new(big.Int).SetBytes(decode(jwk.E)).Int64())}
			signed, signature := []byte(parts[0]+"."+parts[1]), decode(parts[2])
			return func() bool {
				sum := sha256.Sum256(signed)
				return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) == nil
			}
		}
	}
	log.Fatal("the key of the certificate is not in its key set")
	return nil
}

func decode(text string) []byte {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		log.Fatal(err)
	}
	return data
}

// cost is the time of one run, in microseconds.
func cost(run func() bool) float64 {
	start := time.Now()
	for i := 0; i < each; i++ {
		if !run() {
			log.Fatal("not verified")
		}
	}
	return float64(time.Since(start).Nanoseconds()) / 1000 / each
}

func least(all []float64) float64 {
	sort.Float64s(all)
	return all[0]
}
