<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Which keys may verify, and whose they are. */
return static function (callable $is, callable $reason): void {
    $issuer = new TestIssuer();
    $jwk = Json::parse($issuer->jwks)->get('keys')[0]->members;
    $find = static function (array $changes) use ($jwk): string {
        $changed = \array_filter($changes + $jwk, static fn ($value): bool => $value !== 'absent');
        $key = (new KeySet(new JsonObject(['keys' => [new JsonObject($changed)]])))->find('key-1');
        return \is_string($key) ? $key : 'ok';
    };
    $even = \substr($jwk['n'], 0, -2) . 'AA';
    $cases = [[[], 'ok'], [['use' => 'absent', 'alg' => 'absent'], 'ok'], [['use' => 'enc'], 'key_unsuitable'], [['use' => null], 'key_unsuitable'], [['alg' => 'RS512'], 'key_unsuitable'],
        [['d' => ''], 'key_unsuitable'], [['kty' => 'EC'], 'key_unsuitable'], [['key_ops' => ['verify']], 'ok'], [['key_ops' => ['sign']], 'key_unsuitable'], [['e' => 'Aw'], 'key_unsuitable'],
        [['e' => 'AAEAAQ'], 'ok'], [['e' => 'AQAA'], 'key_unsuitable'], [['n' => $even], 'key_unsuitable'], [['n' => 'absent'], 'key_unsuitable'], [['n' => \substr($jwk['n'], 0, 340)], 'key_unsuitable'],
        [['n' => 5.0], 'key_unsuitable'], [['kid' => 7.0], 'key_unknown'], [['n' => \str_repeat('_', 1368)], 'key_unsuitable']];
    foreach ($cases as [$changes, $expected]) {
        $is($find($changes), $expected, 'a key with ' . \json_encode($changes));
    }
    $is((new KeySet('{"keys":[' . \json_encode($jwk) . ',' . \json_encode($jwk) . ']}'))->find('key-1'), 'key_ambiguous', 'two keys of one name');
    foreach (['x', '[]', '{"keys":{}}', '{"keys":[null,1,[]]}', '', null, 5, []] as $set) {
        $is((new KeySet($set))->find('key-1'), 'key_unknown', 'a set that is none');
    }
    // a product of two primes of the flawed form: 65537 to some power modulo each small prime
    $roca = \str_repeat("\x00", 256);
    $roca[0] = "\x80";
    $is($find(['n' => Base64url::encode(\substr($roca, 0, 255) . "\x01")]), 'ok', 'a modulus that is no power of 65537');

    $keys = $issuer->jwks;
    $is($reason(static fn () => new Trust([])), 'no_trusted_issuer', 'nobody is trusted');
    $is($reason(static fn () => new Trust(['', ' '])), 'no_trusted_issuer', 'an unset setting');
    $is($reason(static fn () => new Trust(['http://a.example'])), 'keys_address_unsafe', 'keys over http');
    $is($reason(static fn () => new Trust(['http://127.0.0.1:8080'])), 'none', 'keys of this machine over http');
    $is($reason(static fn () => new Trust(['https://a.example'], [], '{"keys":[]}')), 'keys_unavailable', 'an empty set');
    $is($reason(static fn () => new Trust(['https://a.example', 'https://b.example'], [], $keys)), 'invalid argument', 'one set for two issuers');
    $is($reason(static fn () => new Trust(['https://a.example'], [new IssuerKeys(['https://b.example'], $keys)])), 'invalid argument', 'keys of a stranger');
    $is((new Trust([' https://a.example/ ', 'https://a.example'], [], $keys))->issuers, ['https://a.example'], 'an issuer in two spellings');
};
