package certificate

import (
	"strings"
	"unicode/utf8"
)

func isSurrogate(char rune) bool { return char >= 0xd800 && char <= 0xdfff }

// surrogateAt returns the lone surrogate with which a text begins.
func surrogateAt(text string) (rune, bool) {
	if len(text) < 3 || text[0] != 0xed || text[1] < 0xa0 || text[1] > 0xbf || text[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f), true
}

// charAt decodes the first character of a text that is not empty; a lone surrogate is one.
func charAt(text string) (char rune, size int) {
	if text[0] < utf8.RuneSelf {
		return rune(text[0]), 1
	}
	if char, ok := surrogateAt(text); ok {
		return char, 3
	}
	return utf8.DecodeRuneInString(text)
}

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// units is the length of a text in UTF-16 code units, in which all limits of characters are.
func units(text string) int {
	count := 0
	for at := 0; at < len(text); {
		char, size := charAt(text[at:])
		at += size
		count++
		if char > 0xffff {
			count++
		}
	}
	return count
}

// wellFormed replaces each lone surrogate, and what is no UTF-8, by U+FFFD.
func wellFormed(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var out strings.Builder
	for at := 0; at < len(text); {
		char, size := charAt(text[at:])
		at += size
		out.WriteRune(char) // writes U+FFFD for a surrogate
	}
	return out.String()
}

// less compares by UTF-16 code units, in which ECMAScript and canonical JSON sort.
func less(one, other string) bool {
	for at := 0; ; {
		if at == len(one) || at == len(other) {
			return len(one) < len(other)
		}
		if one[at] < utf8.RuneSelf || other[at] < utf8.RuneSelf {
			if one[at] != other[at] {
				return one[at] < other[at]
			}
			at++
			continue
		}
		a, size := charAt(one[at:])
		b, _ := charAt(other[at:])
		if a != b {
			// a character beyond U+FFFF begins with a surrogate
			if (a > 0xffff) != (b > 0xffff) {
				return firstUnit(a) < firstUnit(b)
			}
			return a < b
		}
		at += size
	}
}

func firstUnit(char rune) rune {
	if char > 0xffff {
		return 0xd800 + (char-0x10000)>>10
	}
	return char
}

func hexDigit(char byte) (byte, bool) {
	switch {
	case char >= '0' && char <= '9':
		return char - '0', true
	case char >= 'a' && char <= 'f':
		return char - 'a' + 10, true
	case char >= 'A' && char <= 'F':
		return char - 'A' + 10, true
	}
	return 0, false
}

// truncate shortens a compared value for a result: 200 characters, since it may come from a hostile page.
func truncate(text string) string {
	const most = 200
	count := 0
	for at := 0; at < len(text); {
		char, size := charAt(text[at:])
		count++
		if char > 0xffff {
			count++
		}
		if count > most {
			return wellFormed(text[:at])
		}
		at += size
	}
	return wellFormed(text)
}

func validUTF8(data []byte) bool { return utf8.Valid(data) }
