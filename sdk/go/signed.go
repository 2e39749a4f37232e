package certificate

import "time"

// SignedClaims are the claims of a proof whose signature is valid and whose issuer is trusted, whatever the other checks
// found. Names and addresses are the shop's own: the issuer vouches only for having recorded them.
type SignedClaims struct {
	Kind      Kind      `json:"kind"`
	Issuer    string    `json:"issuer"` // base address of the service that signed
	IssuedAt  time.Time `json:"issuedAt"`
	ExpiresAt time.Time `json:"expiresAt"`
	Domain    string    `json:"domain"`
	URL       string    `json:"url"`
	// ProductID is the issuer's identifier of the product, ExternalProductID that of the shop.
	ProductID         string `json:"productId"`
	ExternalProductID string `json:"externalProductId"`
	ProductName       string `json:"productName"`
	StoreName         string `json:"storeName"`
	StoreURL          string `json:"storeUrl"`
	// Control is nil in proofs from before it was signed.
	Control *Control `json:"control,omitempty"`
	// Coverage is only in proofs of products.
	Coverage *Coverage `json:"coverage,omitempty"`
	// The others are only in proofs of images.
	AssetID    string `json:"assetId,omitempty"`
	ImageID    string `json:"imageId,omitempty"`
	ContentURL string `json:"contentUrl,omitempty"`
	UHash      string `json:"uhash,omitempty"`
	PHash      string `json:"phash,omitempty"`
}

// Control tells whether and how control of a host had been proven when a proof was signed.
type Control struct {
	// Method is dns_txt, well_known, meta_tag, or one of later releases; none: it had not been proven.
	Method string `json:"method"`
	// CheckedAt is the latest check that had succeeded; nil exactly if the method is none.
	CheckedAt *time.Time `json:"checkedAt,omitempty"`
}

// Coverage counts the images of a product of which the file that the shop serves carries a valid C2PA manifest.
type Coverage struct {
	CertifiedAssets int64   `json:"certifiedAssets"`
	TotalAssets     int64   `json:"totalAssets"`
	CoveragePercent float64 `json:"coveragePercent"` // 0 to 100
}

// signedClaims returns nil unless the signature is valid, the issuer trusted, and the claims complete for their kind.
func (q *question) signedClaims() *SignedClaims {
	if q.signature != "ok" || q.proof == nil || q.proof.claims == nil {
		return nil
	}
	claims := q.proof.claims
	for _, kind := range kinds {
		if q.proof.typ != kind.typ() {
			continue
		}
		if claimFault(kind, claims) != nil || q.issuerFault(claims) != nil {
			return nil
		}
		return q.proof.told(kind)
	}
	return nil
}

func (p *proof) told(kind Kind) *SignedClaims {
	signed := &SignedClaims{
		Kind: kind, Issuer: p.text("iss"), IssuedAt: p.time("iat"), ExpiresAt: p.time("exp"),
		Domain: p.text("domain"), URL: p.text("url"), ProductID: p.text("productId"),
		ExternalProductID: p.text("externalProductId"), ProductName: p.text("productName"),
		StoreName: p.text("storeName"), StoreURL: p.text("storeUrl"), UHash: p.text("uhash"), PHash: p.text("phash"),
	}
	if control, ok := p.claims.at("control").(*object); ok {
		method, _ := control.at("method").(string)
		signed.Control = &Control{Method: method}
		if checkedAt, ok := control.at("checkedAt").(float64); ok {
			at := instant(checkedAt)
			signed.Control.CheckedAt = &at
		}
	}
	if kind != Product {
		signed.AssetID, signed.ImageID, signed.ContentURL = p.text("assetId"), p.text("imageId"), p.text("contentUrl")
		return signed
	}
	certified, _ := p.claims.at("certifiedAssets").(float64)
	total, _ := p.claims.at("totalAssets").(float64)
	percent, _ := p.claims.at("coveragePercent").(float64)
	signed.Coverage = &Coverage{int64(certified), int64(total), percent}
	return signed
}

func (p *proof) time(name string) time.Time {
	value, _ := p.claim(name)
	seconds, _ := value.(float64)
	return instant(seconds)
}

func instant(seconds float64) time.Time { return time.Unix(int64(seconds), 0).UTC() }
