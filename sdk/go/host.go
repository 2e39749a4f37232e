package certificate

import (
	"net/netip"
	"strconv"
	"strings"
)

// forbiddenInHost are the characters, beside controls, that no domain has (WHATWG URL).
const forbiddenInHost = " #/:<>?@[\\]^|%"

// parseHost reads the host of an http or https address as the WHATWG URL standard does, and writes its normal form.
func parseHost(text string) (string, bool) {
	if strings.HasPrefix(text, "[") {
		return parseIPv6(text)
	}
	host, ok := domainToASCII(percentDecode(text))
	if !ok || host == "" {
		return "", false
	}
	for i := 0; i < len(host); i++ {
		if host[i] <= ' ' || host[i] == 0x7f || strings.IndexByte(forbiddenInHost, host[i]) >= 0 {
			return "", false
		}
	}
	return parseIPv4(host)
}

func percentDecode(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var out []byte
	for at := 0; at < len(text); at++ {
		if char, ok := tripletAt(text[at:]); ok {
			out = append(out, char)
			at += 2
		} else {
			out = append(out, text[at])
		}
	}
	return string(out)
}

// tripletAt decodes the percent-encoded byte with which a text begins.
func tripletAt(text string) (byte, bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	high, isHigh := hexDigit(text[1])
	low, isLow := hexDigit(text[2])
	return high<<4 | low, isHigh && isLow
}

// domainToASCII maps a domain by UTS 46, non-transitional. A domain in ASCII is only written in lower case; what a
// label in Punycode stands for is looked at beside other letters alone, as by the URL parser that the service uses.
func domainToASCII(text string) (string, bool) {
	if isASCII(text) {
		return strings.ToLower(text), true
	}
	table := unicodeData()
	var mapped []rune
	for _, char := range text {
		if chars, ok := table.mapped[char]; ok {
			mapped = append(mapped, chars...)
		} else if char >= 'A' && char <= 'Z' {
			mapped = append(mapped, char+'a'-'A')
		} else {
			mapped = append(mapped, char)
		}
	}
	labels := strings.Split(string(table.normalize(mapped)), ".")
	for at, label := range labels {
		ascii, ok := table.labelToASCII(label)
		if !ok {
			return "", false
		}
		labels[at] = ascii
	}
	return strings.Join(labels, "."), true
}

func (t *unicodeTable) labelToASCII(label string) (string, bool) {
	if !strings.HasPrefix(label, "xn--") {
		if isASCII(label) {
			return label, true
		}
		chars := []rune(label)
		return "xn--" + encodePunycode(chars), t.isLabel(chars)
	}
	if !isASCII(label) {
		return "", false
	}
	chars, ok := decodePunycode(label[4:])
	if !ok || isASCII(string(chars)) || !t.isLabel(chars) {
		return "", false
	}
	for _, char := range chars {
		if _, isMapped := t.mapped[char]; isMapped || (char >= 'A' && char <= 'Z') {
			return "", false
		}
	}
	return label, string(t.normalize(append([]rune{}, chars...))) == string(chars)
}

const nonJoiner, joiner = 0x200c, 0x200d

// isLabel tells whether a label, in normal form, may be one. A joiner decides for the whole label, since the URL
// parser that the service uses looks for nothing behind one.
func (t *unicodeTable) isLabel(chars []rune) bool {
	known := make([]*traits, len(chars))
	for at, char := range chars {
		switch {
		case char == nonJoiner || char == joiner:
			known[at] = &traits{direction: 'N'}
		case char < 0x80:
			known[at] = asciiTraits(char)
		default:
			known[at] = t.traitsOf(char)
		}
		if known[at] == nil {
			return false
		}
	}
	if len(chars) == 0 || known[0].isMark {
		return false
	}
	for at, char := range chars {
		if char != nonJoiner && char != joiner {
			continue
		}
		if at > 0 && known[at-1].isVirama {
			return true
		}
		joins := func(all []*traits, test func(*traits) bool) bool {
			for _, one := range all {
				if test(one) {
					return true
				}
			}
			return false
		}
		return char == nonJoiner &&
			joins(known[:at], func(one *traits) bool { return one.joinsAfter }) &&
			joins(known[at+1:], func(one *traits) bool { return one.joinsBefore })
	}
	return keepsDirection(known)
}

func asciiTraits(char rune) *traits {
	switch {
	case char >= '0' && char <= '9':
		return &traits{direction: 'E'}
	case (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z'):
		return &traits{direction: 'L'}
	}
	return &traits{direction: 'O'}
}

// keepsDirection tells whether a label with letters from right to left is not mixed (RFC 5893 section 2).
func keepsDirection(label []*traits) bool {
	has := map[byte]bool{}
	last := byte('N')
	for _, one := range label {
		has[one.direction] = true
		if one.direction != 'N' {
			last = one.direction
		}
	}
	if !has['R'] && !has['A'] {
		return true
	}
	return label[0].direction == 'R' && !has['L'] && !(has['E'] && has['A']) && last != 'O'
}

// parseIPv4 writes an IPv4 address in any of its spellings as four numbers, and any other host as it is.
func parseIPv4(host string) (string, bool) {
	labels := strings.Split(host, ".")
	if len(labels) > 1 && labels[len(labels)-1] == "" {
		labels = labels[:len(labels)-1]
	}
	last := labels[len(labels)-1]
	_, isNumber := ipv4Number(last)
	if !isNumber && (last == "" || strings.Trim(last, "0123456789") != "") {
		return host, true
	}
	if len(labels) > 4 {
		return "", false
	}
	var address uint64
	for at, label := range labels {
		number, ok := ipv4Number(label)
		isLast := at == len(labels)-1
		if !ok || (!isLast && number > 255) || (isLast && number >= 1<<(8*(4-at))) {
			return "", false
		}
		if isLast {
			address |= number
		} else {
			address |= number << (8 * (3 - at))
		}
	}
	four := [4]byte{byte(address >> 24), byte(address >> 16), byte(address >> 8), byte(address)}
	return netip.AddrFrom4(four).String(), true
}

// ipv4Number reads a decimal, octal or hexadecimal number; one that is too large for an address is only large.
func ipv4Number(text string) (uint64, bool) {
	if text == "" {
		return 0, false
	}
	base := 10
	if strings.HasPrefix(text, "0x") {
		text, base = text[2:], 16
	} else if len(text) > 1 && text[0] == '0' {
		text, base = text[1:], 8
	}
	if text == "" {
		return 0, true
	}
	if strings.Trim(text, "0123456789abcdef"[:base]) != "" {
		return 0, false
	}
	number, err := strconv.ParseUint(text, base, 40)
	if err != nil {
		return 1 << 40, true
	}
	return number, true
}

func parseIPv6(text string) (string, bool) {
	if !strings.HasSuffix(text, "]") || strings.Contains(text, "%") {
		return "", false
	}
	address, err := netip.ParseAddr(text[1 : len(text)-1])
	if err != nil || !address.Is6() {
		return "", false
	}
	if address.Is4In6() {
		// the package would write the last two parts as an IPv4 address
		b := address.As16()
		last := strconv.FormatUint(uint64(b[14])<<8|uint64(b[15]), 16)
		return "[::ffff:" + strconv.FormatUint(uint64(b[12])<<8|uint64(b[13]), 16) + ":" + last + "]", true
	}
	return "[" + address.String() + "]", true
}
