package certificate

import (
	"strconv"
	"strings"
)

// address is an absolute http or https address, taken apart as browsers do (WHATWG URL).
type address struct {
	scheme string
	host   string // in normal form, without a dot at its end
	port   string // empty if it is the default one
	path   string
	// query and fragment are without their signs
	query, fragment       string
	hasQuery, hasFragment bool
	// user name and password as written; neither if they are empty
	credentials string
	hasFinalDot bool
}

// Characters that are percent-encoded beside controls and those beyond ASCII.
const (
	encodedInFragment = " \"<>`"
	encodedInQuery    = " \"#<>'"
	encodedInPath     = " \"#<>?^`{}"
)

// parseAddress reads an absolute http or https address; nil for anything else.
func parseAddress(text string) *address {
	text = stripped(wellFormed(text))
	colon := strings.IndexByte(text, ':')
	if colon < 0 {
		return nil
	}
	a := &address{scheme: strings.ToLower(text[:colon])}
	if a.scheme != "http" && a.scheme != "https" {
		return nil
	}
	text = strings.TrimLeft(text[colon+1:], `/\`)
	if at := strings.IndexByte(text, '#'); at >= 0 {
		a.fragment, a.hasFragment = percentEncode(text[at+1:], encodedInFragment), true
		text = text[:at]
	}
	if at := strings.IndexByte(text, '?'); at >= 0 {
		a.query, a.hasQuery = percentEncode(text[at+1:], encodedInQuery), true
		text = text[:at]
	}
	authority := text
	if at := strings.IndexAny(text, `/\`); at >= 0 {
		authority = text[:at]
	}
	a.path = parsePath(text[len(authority):])
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		a.credentials = strings.TrimSuffix(authority[:at], ":")
		authority = authority[at+1:]
	}
	return a.withServer(authority)
}

// withServer adds host and port; nil if either is none.
func (a *address) withServer(server string) *address {
	host, port := server, ""
	if at := strings.LastIndexByte(server, ':'); at > strings.LastIndexByte(server, ']') {
		host, port = server[:at], server[at+1:]
	}
	if strings.Trim(port, "0123456789") != "" || (strings.Contains(host, ":") && !strings.HasPrefix(host, "[")) {
		return nil
	}
	if port != "" {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return nil
		}
		isDefault := (a.scheme == "http" && number == 80) || (a.scheme == "https" && number == 443)
		if !isDefault {
			a.port = strconv.FormatUint(number, 10)
		}
	}
	host, ok := parseHost(host)
	a.host, a.hasFinalDot = strings.TrimSuffix(host, "."), strings.HasSuffix(host, ".")
	if !ok {
		return nil
	}
	return a
}

// stripped drops what addresses are read without: white space around them, tabs and line ends within.
func stripped(text string) string {
	text = strings.TrimFunc(text, func(char rune) bool { return char <= ' ' })
	if !strings.ContainsAny(text, "\t\n\r") {
		return text
	}
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
}

// parsePath resolves the segments . and .. of a path.
func parsePath(text string) string {
	if text == "" {
		return "/"
	}
	segments := strings.Split(strings.ReplaceAll(text, `\`, "/"), "/")[1:]
	path := make([]string, 0, len(segments))
	for at, segment := range segments {
		isLast := at == len(segments)-1
		switch dots(segment) {
		case 2:
			if len(path) > 0 {
				path = path[:len(path)-1]
			}
		case 1:
		default:
			path = append(path, percentEncode(segment, encodedInPath))
			continue
		}
		if isLast {
			path = append(path, "")
		}
	}
	return "/" + strings.Join(path, "/")
}

// dots counts the dots of a segment that has nothing else, also those that are percent-encoded.
func dots(segment string) int {
	count := 0
	for segment != "" {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && segment[:2] == "%2" && (segment[2] == 'e' || segment[2] == 'E'):
			segment = segment[3:]
		default:
			return 0
		}
		count++
	}
	return count
}

func percentEncode(text, more string) string {
	isEncoded := func(char byte) bool {
		return char < ' ' || char > '~' || strings.IndexByte(more, char) >= 0
	}
	at := 0
	for at < len(text) && !isEncoded(text[at]) {
		at++
	}
	if at == len(text) {
		return text
	}
	const digits = "0123456789ABCDEF"
	out := []byte(text[:at])
	for ; at < len(text); at++ {
		if char := text[at]; isEncoded(char) {
			out = append(out, '%', digits[char>>4], digits[char&15])
		} else {
			out = append(out, char)
		}
	}
	return string(out)
}

// origin is scheme, host and port.
func (a *address) origin() string {
	if a.port == "" {
		return a.scheme + "://" + a.host
	}
	return a.scheme + "://" + a.host + ":" + a.port
}
