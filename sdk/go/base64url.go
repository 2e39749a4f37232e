package certificate

import "encoding/base64"

// decodeBase64url reads canonical base64url without padding (RFC 4648 section 5, RFC 7515 section 2): no other
// alphabet, no white space, and unused bits that are zero, so that no two texts mean the same bytes.
func decodeBase64url(text string) ([]byte, bool) {
	for i := 0; i < len(text); i++ {
		// the package would pass over line ends
		if text[i] == '\n' || text[i] == '\r' {
			return nil, false
		}
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return data, err == nil
}

func encodeBase64url(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }
