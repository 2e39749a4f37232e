<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Verdicts on whole certificates. */
return static function (callable $is, callable $reason): void {
    $issuer = new TestIssuer();
    $trust = new Trust([TestIssuer::ADDRESS], [], $issuer->jwks);
    $verify = static fn ($document, string $page = TestIssuer::PAGE, int $seconds = 0): VerificationResult =>
        Verifier::verifyProductCertificate($document, $page, $trust, TestIssuer::at($seconds));

    $text = $issuer->document(['control' => ['method' => 'dns_txt', 'checkedAt' => TestIssuer::NOW]]);
    foreach ([$text, Json::parse($text), \json_decode($text), \json_decode($text, true)] as $document) {
        $result = $verify($document);
        $is([$result->status, $result->errors, $result->warnings], ['verified', [], []], 'a genuine certificate');
    }
    $is($result->productId, TestIssuer::PRODUCT, 'the signed product is the one in question');
    $is([$result->signed->claims['domain'], $result->signed->issuedAt], ['shop.example', '2026-03-01T12:00:00.000Z'], 'the signed claims');
    $is($result->conclusion->sentence, 'Issued to shop.example, whose control was last proven on 1 Mar 2026, for this page. Nothing that the page shows was compared with it.', 'the conclusion');
    $elsewhere = $verify($text, 'https://other.example/products/cup');
    $is([$elsewhere->status, $elsewhere->conclusion->level, (string) $elsewhere->errors[0]], ['failed', 'bad', 'domain_differs: The proof was issued for another site. Expected shop.example. Found other.example.'], 'a copy');
    $is($verify($text, TestIssuer::PAGE, 604860)->conclusion->code, 'certificate_expired', 'past its lifetime');
    $is(Verifier::verifyProductCertificate($text, TestIssuer::PAGE, $trust, TestIssuer::at(), 'another')->errors[0]->code, 'product_differs', 'another product');
    $is($verify(\substr_replace($text, 'AAAA', -20, 4))->conclusion->code, 'not_signed_by_issuer', 'a changed signature');
    $is($verify($issuer->document([], ['productID' => 'x']))->errors[0]->code, 'document_differs', 'a document that contradicts its proof');
    $is($verify((new TestIssuer())->document())->errors[0]->code, 'signature_mismatch', 'signed with another key of this name');
    $is($verify($issuer->document(['iss' => 'https://evil.example']))->conclusion->code, 'issuer_untrusted', 'a stranger');

    $limit = \ini_set('memory_limit', '128M');
    $proof = '"proof":{"jwt":"' . $issuer->proof() . '"}';
    $hostile = [
        '' => 'document_not_json', '[]' => 'document_not_single_node', '{"@graph":[],' . $proof . '}' => 'document_not_single_node', '{}' => 'proof_absent', '{"proof":{"jwt":1}}' => 'proof_absent',
        "\xEF\xBB\xBF{" . $proof . '}' => 'document_not_json', '{' . $proof . ',"x":"' . \str_repeat('a', 1048576) . '"}' => 'document_not_json',
        \str_repeat('[', 500000) . \str_repeat(']', 500000) => 'document_not_single_node', '{"proof":' . \str_repeat('[{},', 180000) . '1' . \str_repeat(']', 180000) . '}' => 'proof_absent',
    ];
    foreach ($hostile as $document => $warning) {
        $result = $verify((string) $document);
        $is([$result->status, $result->warnings[0]->code], ['unverified', $warning], 'a hostile document ' . \substr((string) $document, 0, 20));
    }
    $is($verify(null)->conclusion->code, 'unverified', 'no document');
    foreach ([5, true, [], new \stdClass(), 1.5, "\xFF", \INF] as $value) {
        $is($verify($value)->status, 'unverified', 'a value that is no document');
    }
    foreach (['{' . $proof . ',"other":' . \str_repeat('[', 400000) . \str_repeat(']', 400000) . '}', '{' . $proof . ',"other":[' . \str_repeat('{"a":1},', 120000) . '1]}', '{' . $proof . ',"other":"\ud800","__proto__":{"url":"x"}}'] as $document) {
        $is($verify($document)->status, 'verified', 'members of others');
    }
    \ini_set('memory_limit', (string) $limit);

    $profile = static fn (array $more): ProfileResult => Verifier::verifyByProfile($text, 'standard', $trust, TestIssuer::at(), 'product', ...$more);
    $is($profile([TestIssuer::PAGE])->profiles, ['minimal' => 'trusted', 'standard' => 'trusted', 'full' => 'undetermined'], 'by profile');
    $is($profile([null, TestIssuer::PRODUCT, 'other.example'])->profiles, ['minimal' => 'untrusted', 'standard' => 'untrusted', 'full' => 'untrusted'], 'on another host');
    $is($profile([])->status, 'undetermined', 'nowhere');
    $is($reason(static fn () => Verifier::verifyByProfile($text, 'best', $trust)), 'invalid argument', 'another profile');
    $is($reason(static fn () => Verifier::verifyProof('x', 'receipt', $trust)), 'invalid argument', 'another kind');
    $is(Verifier::verifyProof($issuer->proof(), 'asset', $trust, TestIssuer::at())->checkDetails['certificateIntegrity']->reason, 'proof_kind_wrong', 'a proof of another kind');
    $is(Verifier::verifyProof(['x'], 'product', $trust, TestIssuer::at())->checkDetails['signatureValid']->reason, 'proof_malformed', 'a proof that is none');
};
