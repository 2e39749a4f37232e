package certificate

import (
	_ "embed" // for the table
	"sort"
	"strconv"
	"strings"
	"sync"
)

// The standard library has neither UTS 46 nor normalisation, without which hosts cannot be compared. The table is
// written by scripts/sdk-unicode.ts of the project.
//
//go:embed unicode.txt
var unicodeText string

// traits are what the rules of labels ask of a character that hosts may have.
type traits struct {
	first, last rune
	// L, R: a letter of this direction; E, A: digits; N: takes the direction of the character before; O: any other
	direction byte
	// may stand before a non-joiner, or after one
	joinsAfter, joinsBefore bool
	isVirama, isMark        bool
}

// unicodeTable is read once, and never changes.
type unicodeTable struct {
	allowed []traits
	mapped  map[rune][]rune
	parts   map[rune][]rune
	order   map[rune]int
	pairs   map[[2]rune]rune
}

var unicodeOnce struct {
	sync.Once
	table *unicodeTable
}

func unicodeData() *unicodeTable {
	unicodeOnce.Do(func() { unicodeOnce.table = readUnicode(unicodeText) })
	return unicodeOnce.table
}

func readUnicode(text string) *unicodeTable {
	t := &unicodeTable{
		mapped: map[rune][]rune{}, parts: map[rune][]rune{}, order: map[rune]int{}, pairs: map[[2]rune]rune{},
	}
	var composed []rune
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fields := strings.Split(line, " ")
		first := hexRune(fields[1])
		switch fields[0] {
		case "a":
			t.allowed = append(t.allowed, traits{
				first: first, last: hexRune(fields[2]), direction: fields[3][0],
				joinsAfter: strings.Contains(fields[3], "b"), joinsBefore: strings.Contains(fields[3], "a"),
				isVirama: strings.Contains(fields[3], "v"), isMark: strings.Contains(fields[3], "m"),
			})
		case "m":
			for at, value := range fields[2:] {
				t.mapped[first+rune(at)] = runesOf(value)
			}
		case "d":
			for at, value := range fields[2:] {
				char := first + rune(at)
				t.parts[char] = runesOf(strings.TrimPrefix(value, "!"))
				if value[0] != '!' {
					composed = append(composed, char)
				}
			}
		case "o":
			order, _ := strconv.Atoi(fields[3])
			for char := first; char <= hexRune(fields[2]); char++ {
				t.order[char] = order + 1
			}
		}
	}
	// the shorter ones are what the longer ones are composed of
	sort.SliceStable(composed, func(i, j int) bool { return len(t.parts[composed[i]]) < len(t.parts[composed[j]]) })
	for _, char := range composed {
		parts := t.parts[char]
		end := len(parts) - 1
		if start := t.compose(append([]rune{}, parts[:end]...)); len(start) == 1 {
			t.pairs[[2]rune{start[0], parts[end]}] = char
		}
	}
	return t
}

func hexRune(text string) rune {
	number, _ := strconv.ParseInt(text, 16, 32)
	return rune(number)
}

func runesOf(text string) []rune {
	if text == "-" {
		return []rune{}
	}
	var runes []rune
	for _, one := range strings.Split(text, "+") {
		runes = append(runes, hexRune(one))
	}
	return runes
}

// traitsOf returns what is known of a character beyond ASCII; nil if no host may have it.
func (t *unicodeTable) traitsOf(char rune) *traits {
	at := sort.Search(len(t.allowed), func(i int) bool { return t.allowed[i].last >= char })
	if at == len(t.allowed) || t.allowed[at].first > char {
		return nil
	}
	return &t.allowed[at]
}

// Hangul syllables are composed by their numbers (Unicode, section 3.12).
const (
	hangulBase, hangulCount = 0xac00, 11172
	leadBase, leadCount     = 0x1100, 19
	vowelBase, vowelCount   = 0x1161, 21
	tailBase, tailCount     = 0x11a7, 28
)

// normalize returns Normalization Form C (UAX 15).
func (t *unicodeTable) normalize(text []rune) []rune {
	var out []rune
	for _, char := range text {
		if at := char - hangulBase; at >= 0 && at < hangulCount {
			out = append(out, leadBase+at/(vowelCount*tailCount), vowelBase+at/tailCount%vowelCount)
			if tail := at % tailCount; tail > 0 {
				out = append(out, tailBase+tail)
			}
		} else if parts, ok := t.parts[char]; ok {
			out = append(out, parts...)
		} else {
			out = append(out, char)
		}
	}
	for start := 0; start < len(out); {
		end := start
		for end < len(out) && t.order[out[end]] > 0 {
			end++
		}
		marks := out[start:end]
		sort.SliceStable(marks, func(i, j int) bool { return t.order[marks[i]] < t.order[marks[j]] })
		start = end + 1
	}
	return t.compose(out)
}

// compose composes what is decomposed and in order, in place.
func (t *unicodeTable) compose(text []rune) []rune {
	out := text[:0]
	starter := -1 // the last one, in what is composed
	before := 0   // the order of the character before
	for _, char := range text {
		order := t.order[char]
		isNext := starter == len(out)-1
		if starter >= 0 && (isNext || (before > 0 && before < order)) {
			if one, ok := t.pair(out[starter], char); ok {
				out[starter] = one
				continue
			}
		}
		if order == 0 {
			starter = len(out)
		}
		before = order
		out = append(out, char)
	}
	return out
}

func (t *unicodeTable) pair(one, other rune) (rune, bool) {
	lead, vowel := one-leadBase, other-vowelBase
	if lead >= 0 && lead < leadCount && vowel >= 0 && vowel < vowelCount {
		return hangulBase + (lead*vowelCount+vowel)*tailCount, true
	}
	syllable, tail := one-hangulBase, other-tailBase
	if syllable >= 0 && syllable < hangulCount && syllable%tailCount == 0 && tail > 0 && tail < tailCount {
		return one + tail, true
	}
	char, ok := t.pairs[[2]rune{one, other}]
	return char, ok
}
