package certificate

import (
	"strings"
	"testing"
)

func TestHostsAreReadAsByBrowsers(t *testing.T) {
	for text, wanted := range map[string]string{
		"SHOP.example": "shop.example", "shop.example.": "shop.example", "shop。example": "shop.example", "sh%6Fp.example": "shop.example",
		"Bücher.example": "xn--bcher-kva.example", "bu\u0308cher.example": "xn--bcher-kva.example", "faß.example": "xn--fa-hia.example",
		"ﬁ.example": "fi.example", "Ⅷ": "viii", "☃": "xn--n3h", "≠": "xn--1ch", "=\u0338": "xn--1ch", "אב.a": "xn--4dbc.a", "강": "xn--939a",
		"\u1100\u1161\u11bc": "xn--939a", "क्\u200cष": "xn--11b2ezcs70k", "\u00adshop.example": "shop.example", "xn--ls8h.é": "xn--ls8h.xn--9ca",
		"0xc0.0.2.7": "192.0.2.7", "3221225991": "192.0.2.7", "1.2.3": "1.2.0.3", "[2001:DB8::7]": "[2001:db8::7]", "a_b": "a_b", "a..b": "a..b",
	} {
		found, _ := hostOf("https://" + text + "/")
		expect(t, text, found, wanted)
	}
	for _, text := range []string{
		"", "a b", "a\u200cb", "\u0301a", "aא", "א1a", "xn--a.é", "xn--é", "256.1.1.1.1", "1.2.3.4.5", "0x100000000", "09.1", "[::1", "[::g]", "\ufffd", "a|b", "a%00", "\u00ad",
	} {
		if found, ok := hostOf("https://" + text + "/"); ok {
			t.Errorf("%q was read as %q", text, found)
		}
	}
}

func TestADomainIsNothingMore(t *testing.T) {
	for domain, wanted := range map[string]bool{
		"shop.example": true, "SHOP.EXAMPLE.": true, "www.shop.example": false, "shop.example:443": false, "shop.example/": false,
		"a@shop.example": false, " shop.example": false, "\ufeffshop.example": false, "": false, "shop..example": false, "%73hop.example": false,
	} {
		expect(t, domain, isDomainOf(domain, "shop.example"), wanted)
	}
	expect(t, "an IP address", isDomainOf("192.0.2.7", "192.0.2.7"), false)
}

func TestPagesAreCompared(t *testing.T) {
	const cup = "https://shop.example/products/cup"
	for _, one := range []struct {
		signed, page string
		reason       Code
	}{
		{cup, "HTTPS://SHOP.example:443/products/cup/?utm_source=x&variant=2#top", "ok"},
		{cup, "https://shop.example/collections/a/products/./cup", "ok"},
		{cup, "https://shop.example/products/%63up?ref=1&&ref=2", "ok"},
		{cup, cup + "?size=m", "url_extra_parameter"},
		{cup + "?a=1", cup + "?a=1&a=2", "url_differs"},
		{cup + "?b=2&a=1", cup + "?a=1&b=2", "ok"},
		{cup + "?variant=1", cup + "?variant=2", "url_differs"},
		{cup, cup + "//", "url_differs"},
		{cup, "https://shop.example/products/cup%2F", "url_differs"},
		{"https://shop.example/%2%46", "https://shop.example/%2F", "url_differs"},
		{cup + "#!/a", cup, "url_differs"},
		{cup, cup + "#!/a", "ok"},
		{cup, "http://shop.example/products/cup", "url_differs"},
		{cup, "https://a@shop.example/products/cup", "url_credentials"},
		{cup, "https://:@shop.example/products/cup", "ok"},
		{cup, "/products/cup", "page_url_invalid"},
		{"javascript:1", cup, "signed_url_invalid"},
		{cup, cup + "?" + strings.Repeat("a", 8192), "url_too_long"},
	} {
		expect(t, one.signed+" and "+one.page, new(pages).compare(one.signed, one.page).reason, one.reason)
	}
}

func TestIdsAreResolved(t *testing.T) {
	base := parseAddress("https://shop.example/products/cup?a=1#b")
	for text, wanted := range map[string]string{
		"": "https://shop.example/products/cup?a=1", "mug": "https://shop.example/products/mug", "/a/../b": "https://shop.example/b",
		"?x": "https://shop.example/products/cup?x", "#c": "https://shop.example/products/cup?a=1#c", "//other.example": "https://other.example/",
		"https:mug": "https://shop.example/products/mug", "http:mug": "http://mug/", `\\other.example\a`: "https://other.example/a",
		"URN:x": "urn:x", "https://[": "https://[",
	} {
		expect(t, text, resolve(text, base), wanted)
	}
}
