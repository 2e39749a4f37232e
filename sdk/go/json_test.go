package certificate

import (
	"math"
	"strings"
	"testing"
)

func TestJSONIsReadAsByECMAScript(t *testing.T) {
	for text, wanted := range map[string]string{
		`{"b":1,"a":[true,null,"x"]}`:                      `{"a":[true,null,"x"],"b":1}`,
		" \t\r\n[1,2] ":                                    `[1,2]`,
		`"\u00e9\ud83d\ude00\/\b\"\\\n"`:                   `"é😀/\b\"\\\n"`,
		`[1E3,1e21,1e-7,0.000001,-0,-1.50]`:                `[1000,1e+21,1e-7,0.000001,0,-1.5]`,
		`[9007199254740993,5e-324,1.7976931348623157e308]`: `[9007199254740992,5e-324,1.7976931348623157e+308]`,
		`{"a":1,"b":2,"a":3}`:                              `{"a":3,"b":2}`,
		`{"\ue000":1,"\ud83d\ude00":2}`:                    "{\"😀\":2,\"\ue000\":1}",
		`{"__proto__":{"a":1},"":[]}`:                      `{"":[],"__proto__":{"a":1}}`,
	} {
		value, ok := parseJSON(text, false)
		if found, _ := canonicalJSON(value, ""); !ok || found != wanted {
			t.Errorf("%s: found %s, wanted %s", text, found, wanted)
		}
	}
}

func TestJSONOfOtherProgramsIsRefused(t *testing.T) {
	for _, text := range []string{
		"", " ", "{", "[1", "[1,]", `{"a":1,}`, `{a:1}`, `{"a"}`, `{"a":}`, "01", "+1", ".5", "1.", "1e", "-", "NaN", "Infinity", "nul",
		"'a'", "\"\n\"", `"\x41"`, `"\u12"`, `"`, "[1]x", "\ufeff{}", "{}{}", "// 1", "\u00a0{}", `{"a" 1}`, `[1 2]`, "tru", `"\`,
	} {
		if value, ok := parseJSON(text, false); ok {
			t.Errorf("%q was read as %v", text, value)
		}
	}
}

func TestStrictObjectHasNoNameTwice(t *testing.T) {
	for text, wanted := range map[string]bool{
		`{"a":1,"b":{"a":1}}`: true, `{"a":1,"a":1}`: false, `{"n":[{"a":1,"\u0061":2}]}`: false, `[{}]`: false,
		"\ufeff{}": false, "{\"a\":\"\xff\"}": false, `{"__proto__":1,"__proto__":2}`: false, `{"a":"\ud800"}`: true,
	} {
		expect(t, text, strictObject([]byte(text)) != nil, wanted)
	}
}

func TestLoneSurrogatesStayWhatTheyAre(t *testing.T) {
	value, ok := parseJSON(`["\ud800","\udc00\ud800","\ud83d\ude00"]`, false)
	list := value.([]any)
	expect(t, "read", ok, true)
	expect(t, "lone", quoted(list[0].(string)), `"\ud800"`)
	expect(t, "two the wrong way round", quoted(list[1].(string)), `"\udc00\ud800"`)
	expect(t, "a pair", quoted(list[2].(string)), `"😀"`)
	expect(t, "units", units(list[1].(string))+units(list[2].(string)), 4)
	expect(t, "well formed", wellFormed(list[1].(string)), "\ufffd\ufffd")
	_, isCanonical := canonicalJSON(value, "")
	expect(t, "canonical", isCanonical, false)
}

func TestCanonicalJSONIsBounded(t *testing.T) {
	nested := func(levels int) any {
		return mustParse(strings.Repeat("[", levels) + strings.Repeat("]", levels))
	}
	values := func(count int) any { return mustParse("[" + strings.Repeat("1,", count-2) + "1]") }
	for what, one := range map[string]struct {
		value any
		ok    bool
	}{
		"64 levels":            {nested(64), true},
		"65 levels":            {nested(65), false},
		"20,000 values":        {values(20_000), true},
		"20,001 values":        {values(20_001), false},
		"as long as it may be": {strings.Repeat("a", maxCanonical-2), true},
		"too long":             {strings.Repeat("a", maxCanonical-1), false},
		"long by escapes":      {strings.Repeat("\n", maxCanonical/2), false},
		"infinite":             {math.Inf(1), false},
	} {
		_, ok := canonicalJSON(one.value, "")
		expect(t, what, ok, one.ok)
	}
	_, ok := canonicalJSON(mustParse(`{"https://ns#a":1,"svc:a":1}`), "https://ns#")
	expect(t, "two names that become one", ok, false)
}

func TestMembersAreInTheOrderOfECMAScript(t *testing.T) {
	value := mustParse(`{"b":1,"10":1,"a":1,"9":1,"01":1,"4294967295":1}`).(*object)
	expect(t, "names", strings.Join(value.names, " "), "9 10 b a 01 4294967295")
	large := mustParse(`{"x":0,` + strings.Repeat(`"y":1,`, 3) + `"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,"10":10,"11":11,` +
		`"12":12,"13":13,"14":14,"15":15,"16":16,"17":17}`).(*object)
	expect(t, "found by its index", large.at("17").(float64), 17)
	expect(t, "found behind them", large.at("x").(float64), 0)
}
