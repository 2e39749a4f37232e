package certificate

import (
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// maxAddress is the length of an address in characters; a longer one is no page.
const maxAddress = 8192

// page is an address in the normal form in which pages are compared (docs/format.md, section 7).
type page struct {
	host       string
	base       string // scheme, host, port and path
	parameters []string
	route      string // a fragment that chooses the page in the browser, #! or #/
	// such an address never matches
	hasCredentials bool
}

// normalizePage returns nil for what is no absolute http or https address, or longer than maxAddress.
func normalizePage(text string) *page {
	if units(text) > maxAddress {
		return nil
	}
	a := parseAddress(text)
	if a == nil {
		return nil
	}
	path := decodeUnreserved(a.path)
	if strings.HasSuffix(path, "/") && !strings.HasSuffix(path, "//") {
		path = path[:len(path)-1]
	}
	p := &page{host: a.host, base: a.origin() + path, hasCredentials: a.credentials != ""}
	if strings.HasPrefix(a.fragment, "!") || strings.HasPrefix(a.fragment, "/") {
		p.route = "#" + decodeUnreserved(a.fragment)
	}
	for _, pair := range strings.Split(decodeUnreserved(a.query), "&") {
		if pair != "" {
			p.parameters = append(p.parameters, pair)
		}
	}
	sort.SliceStable(p.parameters, func(i, j int) bool {
		return less(parameterName(p.parameters[i]), parameterName(p.parameters[j]))
	})
	return p
}

func (p *page) text() string {
	if len(p.parameters) == 0 {
		return p.base + p.route
	}
	return p.base + "?" + strings.Join(p.parameters, "&") + p.route
}

func parameterName(pair string) string {
	name, _, _ := strings.Cut(pair, "=")
	return name
}

// percent is a triplet, or a sign without two digits, with the triplets that would complete it once they are decoded.
var percent = regexp.MustCompile(`(?i)%[0-9a-f]{2}|%[0-9a-f]?(?:%[0-9a-f]{2})*`)

// decodeUnreserved decodes only what means the same either way (RFC 3986 section 6.2.2).
func decodeUnreserved(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	return percent.ReplaceAllStringFunc(text, func(found string) string {
		if char, ok := tripletAt(found); ok && len(found) == 3 && isUnreserved(char) {
			return string(rune(char))
		}
		out := []byte(found)
		for at := range out {
			if _, ok := tripletAt(found[at:]); ok {
				copy(out[at:], strings.ToUpper(found[at:at+3]))
			}
		}
		return string(out)
	})
}

func isUnreserved(char byte) bool {
	lower := char | 0x20
	return (lower >= 'a' && lower <= 'z') || (char >= '0' && char <= '9') || strings.IndexByte("-._~", char) >= 0
}

// A collection before a product is the way that a visitor took; the page is the same.
var collection = regexp.MustCompile(`/collections/[^/]+(/products/)`)

// ignoredParameter has the parameters that only track a visitor, or choose a variant. The list is closed: with any
// other name, two values may be two products.
var ignoredParameter = regexp.MustCompile(`^(utm_.*|gclid|gad_.*|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|` +
	`li_fat_id|srsltid|igshid|mc_[ce]id|_hsenc|_hsmi|mkt_tok|_kx|_ga|_gl|ref|ref_src|variant|_pos|_sid|_ss|_psq|_fid|_v)$`)

// comparison is the result of comparing two addresses: ok, or why they differ, and what was compared.
type comparison struct {
	reason           Code
	expected, actual string
}

// comparePages compares the signed address with that of the page. All that the signed one has must be there; the page
// may add what tracks a visitor or chooses a variant, a collection, and a fragment.
func (c *pages) compare(signed, visited string) comparison {
	longest := units(signed)
	if length := units(visited); length > longest {
		longest = length
	}
	if longest > maxAddress {
		return comparison{"url_too_long", "at most 8192 characters", strconv.Itoa(longest) + " characters"}
	}
	expected, found := c.normalize(signed), c.normalize(visited)
	switch {
	case found == nil:
		return comparison{reason: "page_url_invalid", actual: visited}
	case expected == nil:
		return comparison{reason: "signed_url_invalid", expected: signed}
	case found.hasCredentials || expected.hasCredentials:
		return comparison{reason: "url_credentials", expected: expected.text()}
	}
	wanted := expected.text()
	if wanted == found.text() {
		return comparison{reason: "ok"}
	}
	actual := found.withoutAdditions(expected)
	if wanted == actual.text() {
		return comparison{reason: "ok"}
	}
	reason, told := Code("url_differs"), actual.text()
	if extra := actual.extra(expected); len(extra) > 0 {
		reason, told = "url_extra_parameter", told+" (extra: "+strings.Join(extra, ", ")+")"
	}
	return comparison{reason, wanted, told}
}

// pages keeps the normal forms of one verification, which compares the same two addresses several times.
type pages struct{ known map[string]*page }

func (c *pages) normalize(text string) *page {
	if known, ok := c.known[text]; ok {
		return known
	}
	if c.known == nil {
		c.known = map[string]*page{}
	}
	found := normalizePage(text)
	c.known[text] = found
	return found
}

// withoutAdditions drops what the page may add; what the signed address also has is kept.
func (p *page) withoutAdditions(signed *page) *page {
	out := &page{host: p.host, base: p.base}
	if at := collection.FindStringSubmatchIndex(p.base); at != nil && !collection.MatchString(signed.base) {
		out.base = p.base[:at[0]] + p.base[at[2]:]
	}
	carried := signed.names()
	for _, pair := range p.parameters {
		if name := parameterName(pair); carried[name] || !ignoredParameter.MatchString(name) {
			out.parameters = append(out.parameters, pair)
		}
	}
	if signed.route != "" {
		out.route = p.route
	}
	return out
}

func (p *page) names() map[string]bool {
	names := make(map[string]bool, len(p.parameters))
	for _, pair := range p.parameters {
		names[parameterName(pair)] = true
	}
	return names
}

// extra has the names of the parameters that a page adds; none if anything else differs. A signed parameter that is
// repeated differs: shops read the last of several values, which may be another product's.
func (p *page) extra(signed *page) []string {
	if signed.base != p.base || signed.route != p.route {
		return nil
	}
	missing := map[string]int{}
	for _, pair := range signed.parameters {
		missing[pair]++
	}
	carried := signed.names()
	var extra []string
	for _, pair := range p.parameters {
		if missing[pair] > 0 {
			missing[pair]--
		} else if name := parameterName(pair); carried[name] {
			return nil
		} else {
			extra = append(extra, name)
		}
	}
	for _, count := range missing {
		if count > 0 {
			return nil
		}
	}
	return extra
}
