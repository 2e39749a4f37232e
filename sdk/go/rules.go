package certificate

import "math"

// Kind is the kind of a certificate. A proof of one kind is never valid as another.
type Kind string

// The kinds of certificates.
const (
	Product Kind = "product"
	Asset   Kind = "asset"
	Image   Kind = "image"
)

// kinds are all of them.
var kinds = [...]Kind{Product, Asset, Image}

// typ is what the header of a proof of this kind says (RFC 8725 section 3.11).
func (k Kind) typ() string { return string(k) + "-certificate+jwt" }

// A proof expires this many seconds after it was issued: seven days.
const lifetime = 604_800

// Seconds by which iat may be ahead, and exp be past.
const (
	early = 300
	late  = 60
)

// claimType tells whether a claim is what it must be; its name is that in messages.
type claimType struct {
	name string
	is   func(value any) bool
}

var (
	isText    = claimType{"text", func(value any) bool { _, ok := value.(string); return ok }}
	isTime    = claimType{"time", isCount}
	isNumber  = claimType{"count", isCount}
	isPercent = claimType{"percent", func(value any) bool {
		number, ok := value.(float64)
		return ok && number >= 0 && number <= 100
	}}
	isDigests = claimType{"digests", func(value any) bool {
		digests, ok := value.(*object)
		for at := 0; ok && at < len(digests.values); at++ {
			_, ok = digests.values[at].(string)
		}
		return ok
	}}
	isControl = claimType{"method and time", func(value any) bool {
		control, _ := value.(*object)
		method, ok := control.at("method").(string)
		checkedAt, isChecked := control.get("checkedAt")
		if method == "none" {
			return ok && !isChecked
		}
		return ok && isCount(checkedAt)
	}}
)

// requiredClaim is a claim that a proof must carry.
type requiredClaim struct {
	name string
	typ  claimType
}

var commonClaims = []requiredClaim{
	{"iss", isText}, {"iat", isTime}, {"exp", isTime}, {"domain", isText}, {"url", isText}, {"productId", isText},
	{"externalProductId", isText}, {"productName", isText}, {"storeName", isText}, {"storeUrl", isText},
}

// requiredClaims are in the order in which they are checked.
var requiredClaims = map[Kind][]requiredClaim{
	Product: append(commonClaims[:len(commonClaims):len(commonClaims)],
		requiredClaim{"certifiedAssets", isNumber}, requiredClaim{"totalAssets", isNumber}, requiredClaim{"coveragePercent", isPercent}),
	Asset: append(commonClaims[:len(commonClaims):len(commonClaims)],
		requiredClaim{"assetId", isText}, requiredClaim{"contentUrl", isText}),
	Image: append(commonClaims[:len(commonClaims):len(commonClaims)],
		requiredClaim{"imageId", isText}, requiredClaim{"contentUrl", isText}),
}

// isSafeInteger tells whether a double is an integer that no other one rounds to.
func isSafeInteger(number float64) bool {
	return math.Trunc(number) == number && math.Abs(number) < 1<<53
}

func isCount(value any) bool {
	number, ok := value.(float64)
	return ok && isSafeInteger(number) && number >= 0
}

// documentForm is what documents of a kind look like.
type documentForm struct {
	typ string // their @type, without schema.org
	// members that repeat claims, and are compared with them
	repeated []string
	// members that svc:issuedFor may have
	issuedFor []string
	// all other members that such a document may have: bound by digests
	digested []string
	// members of proof beside jwt; an empty value follows from the proof
	proof map[string]string
}

// logProof is the one member of ours that no proof binds: it is made after the proof.
const logProof = "svc:logProof"

// mediaID is a member within svc:issuedFor that no claim repeats.
const mediaID = "svc:issuedFor.mediaID"

var (
	ofImage        = []string{mediaID, "encodingFormat", "width", "height", "svc:status", "verification"}
	issuedForImage = []string{"domain", "assetId", "mediaID", "productID", "url"}
)

var documentForms = map[Kind]documentForm{
	Product: {
		typ:       "Product",
		repeated:  []string{"productID", "url", "svc:issuedFor", "svc:trust"},
		issuedFor: []string{"domain", "productID"},
		digested:  []string{"svc:status", "svc:record", "svc:images", "additionalProperty", "verification"},
		proof:     map[string]string{"type": "JsonWebSignature2020", "algorithm": "RS256"},
	},
	Asset: {
		typ:       "ImageObject",
		repeated:  []string{"contentUrl", "svc:issuedFor"},
		issuedFor: issuedForImage,
		digested:  append(ofImage[:len(ofImage):len(ofImage)], "uploadDate", "svc:contentCredentials", "svc:nft"),
		proof: map[string]string{
			"type": "JsonWebSignature2020", "algorithm": "RS256", "proofPurpose": "assertionMethod", "verificationMethod": "",
		},
	},
	Image: {
		typ:       "MediaObject",
		repeated:  []string{"contentUrl", "imageId", "svc:issuedFor"},
		issuedFor: issuedForImage,
		digested:  append(ofImage[:len(ofImage):len(ofImage)], "contentCredentials", "cryptographicProof"),
		proof:     map[string]string{"type": "JwtProof2020"},
	},
}

func contains(list []string, text string) bool {
	for _, one := range list {
		if one == text {
			return true
		}
	}
	return false
}
