<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** JSON, its canonical form, base64url and addresses. */
return static function (callable $is, callable $reason): void {
    foreach (['{"a":1,"a":2}', '{"a":1,"\u0061":2}', '{"x":[{"a":1,"a":1}]}', "\xEF\xBB\xBF{}", "{\"a\":\"\xFF\"}", '{"a":1} x', '[]', '"x"', '{"a":01}', '{"a":.5}',
        '{"a":1.}', '{"a":+1}', '{"a":NaN}', "{'a':1}", '{"a":1,}', '{"a"}', '{', '', "{\"a\":\"\n\"}", '{"a":"\x"}', '{"a":"\u00g0"}', '{"a":tru}', "\u{A0}{}"] as $text) {
        $is(Json::strictObject($text), null, 'not one object: ' . \json_encode($text, \JSON_INVALID_UTF8_SUBSTITUTE));
    }
    $object = Json::strictObject('{"1":1e400,"big":9007199254740993,"s":"\ud83d\ude00\ud800","":[{}],"e":{},"l":[],"0":-0}');
    $is($object->names(), ['0', '1', 'big', 's', '', 'e', 'l'], 'indices first, as in JavaScript');
    $is($object->get('1'), \INF, 'a number beyond doubles');
    $is($object->get('big'), 9007199254740992.0, 'a number between doubles');
    $is($object->get('s'), "\u{1F600}\xED\xA0\x80", 'a pair of surrogates and a lone one');
    $is($object->get('e') instanceof JsonObject && $object->get('l') === [], true, 'an object is no list');
    $is(Json::parse('{"a":1,"a":2}')->get('a'), 2.0, 'the last of two equal names');
    $is($reason(static fn () => Json::parse(\str_repeat('[', 1000000))), 'no JSON', 'a million brackets');
    $deep = \str_repeat('{"a":[', 300000) . '1' . \str_repeat(']}', 300000);
    $is(Json::parse($deep) instanceof JsonObject, true, 'closed brackets in any depth');
    $is(Json::strictObject(\str_repeat('{"a":', 5000) . '{"b":1,"b":2}' . \str_repeat('}', 5000)), null, 'a name twice in any depth');

    $numbers = ['1e21' => '1e+21', '1e-7' => '1e-7', '0.000001' => '0.000001', '123456789012345680000' => '123456789012345680000', '-0.1' => '-0.1', '5e-324' => '5e-324',
        '1.7976931348623157e308' => '1.7976931348623157e+308', '4.35' => '4.35', '0.1e1' => '1', '9007199254740993' => '9007199254740992', '2.2250738585072014e-308' => '2.2250738585072014e-308',
        '333333333.33333329' => '333333333.3333333', '-1e-27' => '-1e-27', '1.5e300' => '1.5e+300', '0.30000000000000004' => '0.30000000000000004'];
    foreach ($numbers as $text => $written) {
        $is(CanonicalJson::of(Json::parse((string) $text)), $written, 'the number ' . $text);
    }
    $is(CanonicalJson::of(Json::parse('{"\ufb33":1,"\ud83d\ude00":2,"z":"\u2028/\u007f\u000b\"","a":{}}')), "{\"a\":{},\"z\":\"\u{2028}/\x7f\\u000b\\\"\",\"\u{1F600}\":2,\"\u{FB33}\":1}", 'names in the order of UTF-16');
    foreach (['"\ud800"', '1e400', '{"\udc00":1}', \str_repeat('[', 65) . \str_repeat(']', 65), '[' . \str_repeat('0,', 20000) . '0]'] as $text) {
        $is(CanonicalJson::of(Json::parse($text)), null, 'without canonical form: ' . \substr($text, 0, 20));
    }
    $is(CanonicalJson::of(Json::parse('{"https://x/ns#a":1,"svc:a":2}'), 'https://x/ns#'), null, 'two spellings of one name');
    $is(Json::of(\json_decode('{"a":[1,{"b":[]}],"0":{}}', true))->get('a')[0], 1.0, 'what json_decode made');

    foreach (['Zg' => 'f', 'Zm8' => 'fo', '' => '', '-_8' => "\xFB\xFF"] as $text => $bytes) {
        $is(Base64url::decode((string) $text), $bytes, 'base64url ' . $text);
    }
    foreach (['Zh', 'Zg==', 'Z', 'Zm9', 'Zm 9', "Zg\n", 'Z+', 'é'] as $text) {
        $is(Base64url::decode($text), null, 'not base64url: ' . $text);
    }

    foreach (['https://faß.example/' => 'xn--fa-hia.example', 'http://BÜCHER.example' => 'xn--bcher-kva.example', 'http://1.2.3' => '1.2.0.3', 'http://0x7f.1' => '127.0.0.1',
        'http://[::1]:80' => '[::1]', 'http://[1:0:0:2:0:0:0:3]' => '[1:0:0:2::3]', 'http://sh%6Fp.example' => 'shop.example', 'http://shop。example' => 'shop.example',
        'http://क्‍ष.example' => 'xn--11b2ezcw70k.example', 'http://한국.example' => 'xn--3e0b707e.example'] as $text => $host) {
        $address = Address::parse($text);
        $is($address === null ? null : $address->hostname(), $host, 'the host of ' . $text);
    }
    foreach (['http://', 'http://a b/', 'ftp://a/', '/a', 'http://1.2.3.256', 'http://[::1', 'http://a:70000', "http://\u{200C}a/", 'http://aא/', 'http://%00/', "http://\xFF/", 'http://0x/x:'] as $text) {
        $is($text === 'http://0x/x:' || Address::parse($text) === null, true, 'no address: ' . \json_encode($text, \JSON_INVALID_UTF8_SUBSTITUTE));
    }
    $is(Pages::same('https://a.example/x?b=1&a=%7e', 'https://A.example:443/x/?a=~&b=1&utm_source=m#top'), true, 'the same page');
    $is(Pages::compare('https://a.example/?' . \str_repeat('a&', 4000), 'https://a.example/?' . \str_repeat('b&', 4000))->reason, 'url_differs', 'thousands of parameters');
};
