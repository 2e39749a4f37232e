package certificate

import (
	"math"
	"strings"
)

// Parameters of Punycode (RFC 3492 section 5).
const (
	punyBase, punyMin, punyMax = 36, 1, 26
	punySkew, punyDamp         = 38, 700
	punyBias, punyStart        = 72, 0x80
)

const punyDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

func adapt(delta, count int, isFirst bool) int {
	if isFirst {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyMin)*punyMax/2; k += punyBase {
		delta /= punyBase - punyMin
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}

func threshold(k, bias int) int {
	switch t := k - bias; {
	case t < punyMin:
		return punyMin
	case t > punyMax:
		return punyMax
	default:
		return t
	}
}

// encodePunycode writes a label, without xn--.
func encodePunycode(label []rune) string {
	var out strings.Builder
	for _, char := range label {
		if char < punyStart {
			out.WriteRune(char)
		}
	}
	basic := out.Len()
	if basic > 0 {
		out.WriteByte('-')
	}
	next, delta, bias := rune(punyStart), 0, punyBias
	for done := basic; done < len(label); {
		least := rune(math.MaxInt32)
		for _, char := range label {
			if char >= next && char < least {
				least = char
			}
		}
		delta += int(least-next) * (done + 1)
		next = least
		for _, char := range label {
			if char < next {
				delta++
			}
			if char != next {
				continue
			}
			q := delta
			for k := punyBase; ; k += punyBase {
				t := threshold(k, bias)
				if q < t {
					break
				}
				out.WriteByte(punyDigits[t+(q-t)%(punyBase-t)])
				q = (q - t) / (punyBase - t)
			}
			out.WriteByte(punyDigits[q])
			bias = adapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		next++
	}
	return out.String()
}

// decodePunycode reads a label without xn--, which is ASCII in lower case.
func decodePunycode(text string) ([]rune, bool) {
	var label []rune
	if end := strings.LastIndexByte(text, '-'); end >= 0 {
		label = []rune(text[:end])
		text = text[end+1:]
	}
	char, i, bias := punyStart, 0, punyBias
	for text != "" {
		before, weight := i, 1
		for k := punyBase; ; k += punyBase {
			if text == "" {
				return nil, false
			}
			digit := strings.IndexByte(punyDigits, text[0])
			text = text[1:]
			if digit < 0 || digit > (math.MaxInt32-i)/weight {
				return nil, false
			}
			i += digit * weight
			t := threshold(k, bias)
			if digit < t {
				break
			}
			if weight > math.MaxInt32/(punyBase-t) {
				return nil, false
			}
			weight *= punyBase - t
		}
		count := len(label) + 1
		bias = adapt(i-before, count, before == 0)
		char += i / count
		i %= count
		if char > 0x10ffff || isSurrogate(rune(char)) {
			return nil, false
		}
		label = append(label, 0)
		copy(label[i+1:], label[i:])
		label[i] = rune(char)
		i++
	}
	return label, true
}
