package certificate

import (
	"math"
	"sort"
	"strconv"
	"unicode/utf8"
)

// A JSON value is nil, a bool, a float64, a string, a []any or an *object. Every number is a double, as in most
// languages, so that 9007199254740993 and 1e400 mean the same to every verifier; 1e400 is infinite. A lone surrogate
// in a string is kept, as the three bytes that UTF-8 would use for it (WTF-8), since it must not become another text.

// object is a JSON object. Its members are in the order in which ECMAScript lists them, since the terms of an
// @context depend on those before them.
type object struct {
	names  []string
	values []any
	index  map[string]int // only of large objects
}

// An object with more members than this has an index; hostile ones have a hundred thousand.
const maxUnindexed = 16

func (o *object) find(name string) int {
	if o == nil {
		return -1
	}
	if o.index != nil {
		if at, ok := o.index[name]; ok {
			return at
		}
		return -1
	}
	for at, one := range o.names {
		if one == name {
			return at
		}
	}
	return -1
}

// get returns a member. An absent one is not ok; that of no object is absent.
func (o *object) get(name string) (value any, ok bool) {
	at := o.find(name)
	if at < 0 {
		return nil, false
	}
	return o.values[at], true
}

// at returns a member, nil if it is absent or null: both repeat and alter nothing.
func (o *object) at(name string) any {
	value, _ := o.get(name)
	return value
}

// set adds a member, or replaces the one of this name where it is. It tells whether the name is new.
func (o *object) set(name string, value any) bool {
	if at := o.find(name); at >= 0 {
		o.values[at] = value
		return false
	}
	o.names = append(o.names, name)
	o.values = append(o.values, value)
	if o.index != nil {
		o.index[name] = len(o.names) - 1
	} else if len(o.names) > maxUnindexed {
		o.reindex()
	}
	return true
}

func (o *object) reindex() {
	o.index = make(map[string]int, 2*len(o.names))
	for at, name := range o.names {
		o.index[name] = at
	}
}

// order puts names that are array indexes first, by number, as ECMAScript does.
func (o *object) order() {
	first := 0
	for ; first < len(o.names); first++ {
		if _, ok := arrayIndex(o.names[first]); ok {
			break
		}
	}
	if first == len(o.names) {
		return
	}
	sort.Stable(byIndex{o})
	if o.index != nil {
		o.reindex()
	}
}

type byIndex struct{ *object }

func (b byIndex) Len() int { return len(b.names) }
func (b byIndex) Swap(i, j int) {
	b.names[i], b.names[j] = b.names[j], b.names[i]
	b.values[i], b.values[j] = b.values[j], b.values[i]
}
func (b byIndex) Less(i, j int) bool {
	one, isOne := arrayIndex(b.names[i])
	other, isOther := arrayIndex(b.names[j])
	return isOne && (!isOther || one < other)
}

func arrayIndex(name string) (uint64, bool) {
	if name == "" || name[0] < '0' || name[0] > '9' || len(name) > 10 || (name[0] == '0' && name != "0") {
		return 0, false
	}
	number, err := strconv.ParseUint(name, 10, 64)
	return number, err == nil && number < math.MaxUint32
}

// parser reads JSON (RFC 8259) without recursion: a document may be nested a million times.
type parser struct {
	text string
	at   int
	// isUnique refuses a name that stands twice in an object; else the last counts.
	isUnique bool
}

// open is an object or a list of which the parser has not seen the end.
type open struct {
	object *object
	name   string
	list   []any
}

// parseJSON reads exactly one JSON value.
func parseJSON(text string, isUnique bool) (value any, ok bool) {
	p := parser{text: text, isUnique: isUnique}
	var stack []open
	for {
		p.space()
		if p.take('{') {
			p.space()
			if !p.take('}') {
				name, ok := p.name()
				if !ok {
					return nil, false
				}
				stack = append(stack, open{object: &object{}, name: name})
				continue
			}
			value = &object{}
		} else if p.take('[') {
			p.space()
			if !p.take(']') {
				stack = append(stack, open{})
				continue
			}
			value = []any{}
		} else if value, ok = p.scalar(); !ok {
			return nil, false
		}
		for isNext := false; !isNext; {
			p.space()
			if len(stack) == 0 {
				if p.at < len(p.text) {
					return nil, false
				}
				return value, true
			}
			if isNext, ok = p.close(&stack[len(stack)-1], &value); !ok {
				return nil, false
			}
			if !isNext {
				stack = stack[:len(stack)-1]
			}
		}
	}
}

// close adds a value to what is open. It tells whether another value follows; if not, the value is what was open.
func (p *parser) close(in *open, value *any) (isNext, ok bool) {
	if in.object == nil {
		in.list = append(in.list, *value)
		if p.take(',') {
			return true, true
		}
		*value = in.list
		return false, p.take(']')
	}
	if !in.object.set(in.name, *value) && p.isUnique {
		return false, false
	}
	if p.take(',') {
		p.space()
		in.name, ok = p.name()
		return true, ok
	}
	in.object.order()
	*value = in.object
	return false, p.take('}')
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) take(char byte) bool {
	if p.at < len(p.text) && p.text[p.at] == char {
		p.at++
		return true
	}
	return false
}

// name reads the name of a member, and its colon.
func (p *parser) name() (string, bool) {
	name, ok := p.string()
	if !ok {
		return "", false
	}
	p.space()
	return name, p.take(':')
}

func (p *parser) scalar() (any, bool) {
	rest := p.text[p.at:]
	if rest == "" {
		return nil, false
	}
	if rest[0] == '"' {
		return p.string()
	}
	for _, literal := range literals {
		if len(rest) >= len(literal.text) && rest[:len(literal.text)] == literal.text {
			p.at += len(literal.text)
			return literal.value, true
		}
	}
	return p.number()
}

var literals = [...]struct {
	text  string
	value any
}{{"null", nil}, {"true", true}, {"false", false}}

func (p *parser) number() (any, bool) {
	start := p.at
	p.take('-')
	if !p.take('0') && !p.digits() {
		return nil, false
	}
	if p.take('.') && !p.digits() {
		return nil, false
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if !p.digits() {
			return nil, false
		}
	}
	// the only error that is left is that of a number beyond doubles, which is infinite
	number, _ := strconv.ParseFloat(p.text[start:p.at], 64)
	return number, true
}

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}

func (p *parser) string() (string, bool) {
	if !p.take('"') {
		return "", false
	}
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		switch char := p.text[p.at]; {
		case char == '"':
			p.at++
			return p.text[start : p.at-1], true
		case char == '\\':
			return p.escaped([]byte(p.text[start:p.at]))
		case char < ' ':
			return "", false
		}
	}
	return "", false
}

// escaped reads the rest of a string that has an escape.
func (p *parser) escaped(text []byte) (string, bool) {
	for p.at < len(p.text) {
		char := p.text[p.at]
		p.at++
		switch {
		case char == '"':
			return string(text), true
		case char < ' ':
			return "", false
		case char != '\\':
			text = append(text, char)
			continue
		}
		if p.at == len(p.text) {
			return "", false
		}
		char = p.text[p.at]
		p.at++
		switch char {
		case '"', '\\', '/':
			text = append(text, char)
		case 'b':
			text = append(text, '\b')
		case 'f':
			text = append(text, '\f')
		case 'n':
			text = append(text, '\n')
		case 'r':
			text = append(text, '\r')
		case 't':
			text = append(text, '\t')
		case 'u':
			unit, ok := p.unit()
			if !ok {
				return "", false
			}
			text = appendUnit(text, unit)
		default:
			return "", false
		}
	}
	return "", false
}

func (p *parser) unit() (rune, bool) {
	if len(p.text)-p.at < 4 {
		return 0, false
	}
	var unit rune
	for _, char := range []byte(p.text[p.at : p.at+4]) {
		digit, ok := hexDigit(char)
		if !ok {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	p.at += 4
	return unit, true
}

// appendUnit adds a UTF-16 code unit: the second of a surrogate pair completes the first.
func appendUnit(text []byte, unit rune) []byte {
	if !isSurrogate(unit) {
		return utf8.AppendRune(text, unit)
	}
	if end := len(text) - 3; unit >= 0xdc00 && end >= 0 {
		if high, ok := surrogateAt(string(text[end:])); ok && high < 0xdc00 {
			return utf8.AppendRune(text[:end], (high-0xd800)<<10+(unit-0xdc00)+0x10000)
		}
	}
	return append(text, 0xe0|byte(unit>>12), 0x80|byte(unit>>6)&0xbf, 0x80|byte(unit)&0x3f)
}
