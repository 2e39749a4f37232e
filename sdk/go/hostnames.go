package certificate

import (
	"strings"
	"unicode"
)

// hostOf returns the host of an absolute http or https address in normal form.
func hostOf(text string) (string, bool) {
	a := parseAddress(text)
	if a == nil {
		return "", false
	}
	return a.host, true
}

// normalizeHost returns the normal form of a bare host name; not ok for anything more or less.
func normalizeHost(text string) (string, bool) {
	isMore := func(char rune) bool {
		// the white space of ECMAScript, which has the byte order mark but not U+0085
		isSpace := unicode.IsSpace(char) && char != 0x85
		return isSpace || char == 0xfeff || strings.ContainsRune(`/\?#@:%[]`, char)
	}
	if strings.IndexFunc(text, isMore) >= 0 {
		return "", false
	}
	host, ok := hostOf("http://" + text + "/")
	return host, ok && !hasEmptyLabel(host)
}

// hasEmptyLabel tells of a..b, which parsers of addresses accept but no resolver does.
func hasEmptyLabel(host string) bool { return strings.Contains("."+host+".", "..") }

// isDomainOf tells whether a signed domain is this normalised host. An IP address is nobody's domain, since control of
// one cannot be proven lastingly.
func isDomainOf(domain, host string) bool {
	normal, ok := normalizeHost(domain)
	return ok && normal == host && !isIPLiteral(host)
}

// sameDomain tells whether two domains as written are the same.
func sameDomain(one, other string) bool {
	if one == other {
		return true
	}
	host, ok := normalizeHost(other)
	return ok && isDomainOf(one, host)
}

func isIPLiteral(host string) bool {
	return strings.HasPrefix(host, "[") || (host != "" && strings.Trim(host, "0123456789.") == "")
}
