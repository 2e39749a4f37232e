package certificate

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"math"
	"math/big"
)

// rsaKey is a public key that may verify signatures.
type rsaKey struct{ n, e *big.Int }

// Primes by which a modulus made by flawed smart cards is told (ROCA, CVE-2017-15361).
var rocaPrimes = [...]int64{11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157}

// suitableKey reads a key of a JWKS (RFC 7517). It must be RSA, public, for RS256 signatures, of 2048 to 8192 bits
// (RFC 7518 section 3.3), with an odd exponent over 65536 (FIPS 186-5), and no flawed modulus.
func suitableKey(jwk *object) *rsaKey {
	_, isPrivate := jwk.get("d")
	if isPrivate || jwk.at("kty") != "RSA" || !isOr(jwk, "use", "sig") || !isOr(jwk, "alg", "RS256") {
		return nil
	}
	if operations, ok := jwk.get("key_ops"); ok {
		list, _ := operations.([]any)
		mayVerify := false
		for _, one := range list {
			mayVerify = mayVerify || one == "verify"
		}
		if !mayVerify {
			return nil
		}
	}
	n, e := integer(jwk.at("n"), 2048), integer(jwk.at("e"), 8)
	if n == nil || e == nil || n.Bit(0) == 0 || e.Bit(0) == 0 || e.Cmp(big.NewInt(65536)) <= 0 {
		return nil
	}
	if n.BitLen() < 2048 || n.BitLen() > 8192 || isROCA(n) {
		return nil
	}
	return &rsaKey{n, e}
}

// isOr tells whether a member is absent or has this value.
func isOr(jwk *object, name, value string) bool {
	found, ok := jwk.get(name)
	return !ok || found == value
}

func integer(value any, longest int) *big.Int {
	text, ok := value.(string)
	if !ok || len(text) > longest {
		return nil
	}
	data, ok := decodeBase64url(text)
	if !ok || len(data) == 0 {
		return nil
	}
	return new(big.Int).SetBytes(data)
}

func isROCA(n *big.Int) bool {
	for _, prime := range rocaPrimes {
		rest := new(big.Int).Mod(n, big.NewInt(prime)).Int64()
		power, isPower := int64(1), false
		for i := int64(0); i < prime && !isPower; i++ {
			isPower = power == rest
			power = power * 65537 % prime
		}
		if !isPower {
			return false
		}
	}
	return true
}

// verify checks a signature by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2.2).
func (k *rsaKey) verify(signature, data []byte) bool {
	sum := sha256.Sum256(data)
	if k.e.IsInt64() && k.e.Int64() <= math.MaxInt32 {
		key := rsa.PublicKey{N: k.n, E: int(k.e.Int64())}
		return rsa.VerifyPKCS1v15(&key, crypto.SHA256, sum[:], signature) == nil
	}
	// the package takes no larger exponent; the padding is made, not parsed
	size := (k.n.BitLen() + 7) / 8
	number := new(big.Int).SetBytes(signature)
	if len(signature) != size || number.Cmp(k.n) >= 0 {
		return false
	}
	wanted := append([]byte{0, 1}, bytes.Repeat([]byte{0xff}, size-len(sha256Info)-len(sum)-3)...)
	wanted = append(append(append(wanted, 0), sha256Info...), sum[:]...)
	return bytes.Equal(number.Exp(number, k.e, k.n).FillBytes(make([]byte, size)), wanted)
}

// sha256Info is the DER of a DigestInfo of SHA-256, without the digest.
const sha256Info = "\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20"
