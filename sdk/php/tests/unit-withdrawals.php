<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Status lists. */
return static function (callable $is, callable $reason): void {
    $issuer = new TestIssuer();
    $lists = new TestIssuer('list-1');
    $address = TestIssuer::ADDRESS . '/api/v1/mc4p/status/7';
    $keysAddress = StatusLists::statusListJwksUrl(TestIssuer::ADDRESS);
    $trust = new Trust([TestIssuer::ADDRESS], [], $issuer->jwks);
    $document = static fn (int $index): string => $issuer->document(['status' => ['status_list' => ['idx' => $index, 'uri' => $address]]]);
    $list = $lists->statusList([5 => 1, 6 => 2, 7 => 3]);
    $network = new TestNetwork([$keysAddress => $lists->jwks, $address => $list, Trust::jwksUrl(TestIssuer::ADDRESS) => $issuer->jwks]);
    $source = new StatusLists([TestIssuer::ADDRESS], [], [], $network);
    $looked = static fn (int $index, StatusLists $by, int $seconds = 0): Withdrawal => $by->lookUp($document($index), TestIssuer::ADDRESS, TestIssuer::at($seconds));
    foreach ([4 => ['valid', 'not_withdrawn'], 5 => ['invalid', 'withdrawn'], 6 => ['suspended', 'suspended'], 7 => [null, 'status_value_unknown'], 1048575 => ['valid', 'not_withdrawn'], 1048576 => [null, 'status_index_out_of_range']] as $index => $expected) {
        $found = $looked($index, $source);
        $is([$found->status, $found->reason], $expected, "the entry $index");
    }
    $is($network->asked, [$address, $keysAddress], 'one request for each address');
    $is($looked(4, $source)->nextLook, '2026-03-01T12:15:00.000Z', 'when a newer list is looked for');
    $is($source->lookUp($document(5), null)->reason, 'not_looked_at', 'without a trusted issuer');
    $is($source->lookUp($document(5), 'https://other.example')->reason, 'not_looked_at', 'of another issuer');

    $verified = Verifier::verifyProductCertificate($document(5), TestIssuer::PAGE, $trust, TestIssuer::at());
    $withdrawn = Verifier::withWithdrawal($verified, $looked(5, $source));
    $is([$verified->status, $withdrawn->status, $withdrawn->conclusion->code, $withdrawn->errors[0]->code], ['verified', 'failed', 'withdrawn', 'certificate_withdrawn'], 'a withdrawn certificate');
    $is(Verifier::withWithdrawal($verified, $looked(5, $source), 'none')->status, 'verified', 'if nobody wants to know');
    $suspended = Verifier::withWithdrawal($verified, $looked(6, $source));
    $is([$suspended->status, $suspended->conclusion->code, $suspended->warnings[0]->code], ['verified', 'suspended', 'certificate_suspended'], 'a suspended one');
    $unknown = Verifier::withWithdrawal($verified, new Withdrawal(null, 'status_list_unreachable'), 'required');
    $is([$unknown->status, $unknown->conclusion->code], ['verified', 'withdrawal_unknown'], 'one of which nothing is known');
    $profile = Verifier::verifyByProfile($document(5), 'minimal', $trust, TestIssuer::at(), 'product', TestIssuer::PAGE);
    $is(Verifier::withWithdrawal($profile, $looked(5, $source))->status, 'untrusted', 'a withdrawn one by profile');
    $is($reason(static fn () => Verifier::withWithdrawal($verified, $unknown->withdrawal, 'maybe')), 'invalid argument', 'another policy');

    // a list is asked for again after its ttl, counts until it ends, and what it called invalid stays so
    $network->answers[$address] = new Response(503, '');
    $network->asked = [];
    $is([$looked(4, $source, 899)->status, $network->asked], ['valid', []], 'within the ttl');
    $is([$looked(4, $source, 900)->status, $network->asked], ['valid', [$address]], 'after the ttl');
    $is([$looked(4, $source, 920)->status, \count($network->asked)], ['valid', 1], 'soon after a failure');
    $is($looked(4, $source, 86460)->reason, 'status_list_expired', 'after its end');
    $is($looked(5, $source, 86460)->reason, 'withdrawn', 'withdrawn before its end');

    $given = static fn (string $token): StatusLists => new StatusLists([TestIssuer::ADDRESS], [new IssuerKeys([TestIssuer::ADDRESS], $lists->jwks)], [$token], null, true);
    $is($looked(5, $given($list))->reason, 'withdrawn', 'a given list');
    $is($looked(5, $given($lists->statusList([], ['revoked_kids' => ['key-1']], 8)))->reason, 'key_revoked', 'a key that another list revokes');
    $faults = [
        'status_list_signature_invalid' => (new TestIssuer('list-1'))->statusList([]), 'status_list_key_unknown' => $issuer->statusList([]),
        'status_list_type_wrong' => $lists->sign('jwt', \json_encode(['sub' => $address])), 'status_list_expired' => $lists->statusList([], ['iat' => 1, 'exp' => 9999999999]),
        'status_list_not_yet_valid' => $lists->statusList([], ['iat' => TestIssuer::NOW + 61]),
        'status_list_too_large' => $lists->statusList([], ['status_list' => ['bits' => 2, 'lst' => Base64url::encode(\gzcompress(\str_repeat("\x00", 400000000 >> 3)))]]),
        'status_list_malformed' => $lists->statusList([], ['status_list' => ['bits' => 2, 'lst' => Base64url::encode(\gzcompress(\str_repeat("\x00", 262144)) . 'x')]]),
    ];
    foreach ($faults as $fault => $token) {
        $is($looked(5, $given($token))->reason, $fault, 'a list that does not count');
    }
    $short = $lists->statusList([], ['status_list' => ['bits' => 2, 'lst' => Base64url::encode(\substr(\gzcompress(\str_repeat("\x00", 262144)), 0, -3))]]);
    $is($looked(5, $given($short))->reason, 'status_list_malformed', 'a list that is cut off');

    // between requests
    $cache = new TestCache();
    $network = new TestNetwork([$keysAddress => $lists->jwks, $address => $list]);
    $is($looked(5, new StatusLists([TestIssuer::ADDRESS], [], [], $network, false, $cache))->reason, 'withdrawn', 'the first request');
    $network->asked = [];
    $is([$looked(5, new StatusLists([TestIssuer::ADDRESS], [], [], $network, false, $cache), 60)->reason, $network->asked], ['withdrawn', []], 'the second');
    $is($looked(5, new StatusLists([TestIssuer::ADDRESS], [], [], new TestNetwork(), false, $cache), 200000)->reason, 'withdrawn', 'long after');
};
