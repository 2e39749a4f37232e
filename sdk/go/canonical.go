package certificate

import (
	"crypto/sha256"
	"math"
	"sort"
	"strconv"
	"strings"
)

// Bounds of canonical JSON, and so of the work for a hostile document.
const (
	maxDepth     = 64
	maxValues    = 20_000
	maxCanonical = 4_194_304
)

// canonicalJSON writes a value as canonical JSON (RFC 8785), with svc: in place of a namespace at the beginning of
// names. Without canonical form are lone surrogates, numbers beyond doubles, two names that become one, and more than
// 64 levels, 20,000 values or 4,194,304 characters.
func canonicalJSON(value any, namespace string) (string, bool) {
	limits := limits{left: maxCanonical, values: maxValues}
	if !limits.holds(value, 0) {
		return "", false
	}
	w := writer{namespace: namespace}
	if !w.write(value) || units(string(w.text)) > maxCanonical {
		return "", false
	}
	return string(w.text), true
}

// digest is the base64url SHA-256 of a text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return encodeBase64url(sum[:])
}

// limits counts what a value has, without what escapes and numbers add.
type limits struct{ left, values int }

func (l *limits) holds(value any, depth int) bool {
	l.values--
	if l.values < 0 {
		return false
	}
	switch value := value.(type) {
	case string:
		l.left -= units(value) + 2
		return l.left >= 0
	case float64:
		return !math.IsInf(value, 0) && !math.IsNaN(value)
	case []any:
		l.left -= 2
		if depth >= maxDepth || l.left < 0 {
			return false
		}
		l.left -= len(value)
		for _, entry := range value {
			if !l.holds(entry, depth+1) {
				return false
			}
		}
	case *object:
		l.left -= 2
		if depth >= maxDepth || l.left < 0 {
			return false
		}
		for at, name := range value.names {
			l.left -= units(name)
			if !l.holds(value.values[at], depth+1) {
				return false
			}
		}
	}
	return true
}

type writer struct {
	namespace string
	text      []byte
}

func (w *writer) write(value any) bool {
	switch value := value.(type) {
	case nil:
		w.text = append(w.text, "null"...)
	case bool:
		w.text = strconv.AppendBool(w.text, value)
	case float64:
		w.text = append(w.text, formatNumber(value)...)
	case string:
		return w.writeString(value)
	case []any:
		w.text = append(w.text, '[')
		for at, entry := range value {
			if at > 0 {
				w.text = append(w.text, ',')
			}
			if !w.write(entry) {
				return false
			}
		}
		w.text = append(w.text, ']')
	case *object:
		return w.writeObject(value)
	}
	return true
}

type named struct {
	name  string
	value any
}

func (w *writer) writeObject(value *object) bool {
	members := make([]named, len(value.names))
	isSorted := true
	for at, name := range value.names {
		if w.namespace != "" && strings.HasPrefix(name, w.namespace) {
			name = "svc:" + name[len(w.namespace):]
		}
		members[at] = named{name, value.values[at]}
		isSorted = isSorted && (at == 0 || less(members[at-1].name, name))
	}
	if !isSorted {
		sort.Slice(members, func(i, j int) bool { return less(members[i].name, members[j].name) })
	}
	w.text = append(w.text, '{')
	for at, member := range members {
		if at > 0 {
			if members[at-1].name == member.name {
				return false
			}
			w.text = append(w.text, ',')
		}
		if !w.writeString(member.name) {
			return false
		}
		w.text = append(w.text, ':')
		if !w.write(member.value) {
			return false
		}
	}
	w.text = append(w.text, '}')
	return true
}

func (w *writer) writeString(text string) bool {
	w.text = append(w.text, '"')
	start := 0
	for at := 0; at < len(text); at++ {
		char := text[at]
		if char == 0xed {
			if _, ok := surrogateAt(text[at:]); ok {
				return false
			}
		}
		if char >= ' ' && char != '"' && char != '\\' {
			continue
		}
		w.text = append(append(w.text, text[start:at]...), escapeOf(char)...)
		start = at + 1
	}
	w.text = append(append(w.text, text[start:]...), '"')
	return true
}

func escapeOf(char byte) string {
	switch char {
	case '"', '\\':
		return `\` + string(rune(char))
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	const digits = "0123456789abcdef"
	return `\u00` + string(rune(digits[char>>4])) + string(rune(digits[char&15]))
}

// quoted writes a text as JSON.stringify does, also one with lone surrogates.
func quoted(text string) string {
	w := writer{}
	if w.writeString(text) {
		return string(w.text)
	}
	var out strings.Builder
	out.WriteByte('"')
	for at := 0; at < len(text); {
		char, size := charAt(text[at:])
		if isSurrogate(char) {
			out.WriteString(`\u` + strconv.FormatInt(int64(char), 16))
		} else if char < ' ' || char == '"' || char == '\\' {
			out.WriteString(escapeOf(byte(char)))
		} else {
			out.WriteString(text[at : at+size])
		}
		at += size
	}
	return out.String() + `"`
}

// formatNumber writes a double as ECMAScript does (RFC 8785 section 3.2.2.3).
func formatNumber(value float64) string {
	switch {
	case value == 0:
		return "0" // also -0
	case math.IsInf(value, 1):
		return "Infinity"
	case math.IsInf(value, -1):
		return "-Infinity"
	case math.IsNaN(value):
		return "NaN"
	}
	sign := ""
	if value < 0 {
		sign = "-"
	}
	// the shortest digits, and the place of the point in them
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(value), 'e', -1, 64), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	power, _ := strconv.Atoi(exponent)
	point := power + 1
	switch {
	case point > 21 || point <= -6:
		text := digits[:1]
		if len(digits) > 1 {
			text += "." + digits[1:]
		}
		if power > 0 {
			return sign + text + "e+" + strconv.Itoa(power)
		}
		return sign + text + "e" + strconv.Itoa(power)
	case point <= 0:
		return sign + "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		return sign + digits + strings.Repeat("0", point-len(digits))
	}
	return sign + digits[:point] + "." + digits[point:]
}
