package certificate

import "strings"

// resolve returns the address that a text in a document at base stands for, in the normal form of browsers; the text
// itself if it is none. Addresses of other schemes are taken as they are, but for the case of the scheme.
func resolve(text string, base *address) string {
	if base == nil {
		return text
	}
	found := stripped(wellFormed(text))
	if colon := schemeEnd(found); colon > 0 {
		scheme, rest := strings.ToLower(found[:colon]), found[colon+1:]
		if scheme != "http" && scheme != "https" {
			return scheme + ":" + percentEncode(rest, "")
		}
		if scheme != base.scheme || strings.HasPrefix(rest, "//") {
			if a := parseAddress(found); a != nil {
				return a.href()
			}
			return text
		}
		found = rest
	}
	if a := parseAddress(base.join(found)); a != nil {
		return a.href()
	}
	return text
}

// join writes a reference without a scheme as an absolute address, which is yet to be parsed.
func (b *address) join(reference string) string {
	isSlash := func(at int) bool {
		return at < len(reference) && (reference[at] == '/' || reference[at] == '\\')
	}
	switch path := b.path[:strings.LastIndexByte(b.path, '/')+1]; {
	case isSlash(0) && isSlash(1):
		return b.scheme + ":" + reference
	case isSlash(0):
		return b.server() + reference
	case reference == "" || reference[0] == '#':
		if b.hasQuery {
			return b.server() + b.path + "?" + b.query + reference
		}
		return b.server() + b.path + reference
	case reference[0] == '?':
		return b.server() + b.path + reference
	default:
		return b.server() + path + reference
	}
}

// schemeEnd is the place of the colon behind a scheme; 0 if there is none.
func schemeEnd(text string) int {
	for at := 0; at < len(text); at++ {
		char := text[at] | 0x20
		isLetter := char >= 'a' && char <= 'z'
		if text[at] == ':' {
			return at
		}
		isOther := (text[at] >= '0' && text[at] <= '9') || strings.IndexByte("+-.", text[at]) >= 0
		if !isLetter && (at == 0 || !isOther) {
			return 0
		}
	}
	return 0
}

// href is the address as browsers write it.
func (a *address) href() string {
	text := a.server() + a.path
	if a.hasQuery {
		text += "?" + a.query
	}
	if a.hasFragment {
		text += "#" + a.fragment
	}
	return text
}

// server is what precedes the path.
func (a *address) server() string {
	text := a.scheme + "://"
	if a.credentials != "" {
		text += a.credentials + "@"
	}
	text += a.host
	if a.hasFinalDot {
		text += "."
	}
	if a.port != "" {
		text += ":" + a.port
	}
	return text
}
