<?php

declare(strict_types=1);

/** Answers verification vectors: one request in JSON a line, one answer a line. test/scenarios/transports/php.ts writes and reads them. */

namespace Touchstone\Certificate;

require __DIR__ . '/../autoload.php';

/** @return array<string, array{?bool, string}> */
function checksOf(array $details): array
{
    return \array_map(static fn (CheckResult $one): array => [$one->result, $one->reason], $details);
}

/** @return list<string> */
function codesOf(array $notes): array
{
    return \array_map(static fn (Note $one): string => $one->code, $notes);
}

/** @return list<IssuerKeys> */
function keysOf(array $given): array
{
    $keys = [];
    foreach ($given as $one) {
        $readAt = $one->has('readAt') ? new \DateTimeImmutable($one->get('readAt')) : null;
        $keys[] = new IssuerKeys($one->get('issuers'), $one->get('jwks') instanceof JsonObject ? $one->get('jwks') : new JsonObject(), $readAt);
    }
    return $keys;
}

function verification(JsonObject $request, Trust $trust, \DateTimeInterface $now): VerificationResult
{
    $document = $request->get('document');
    return Verifier::verifyProductCertificate($document, $request->get('pageUrl'), $trust, $now, $request->get('productId'));
}

function withdrawn(JsonObject $request, Trust $trust, \DateTimeInterface $now): array
{
    $requested = [];
    $served = $request->get('served');
    $fetch = static function (string $url) use ($served, &$requested): Response {
        if (\substr($url, -5) !== '.json') {
            $requested[] = $url;
        }
        $answer = $served->get($url);
        if ($answer === null) {
            return new Response(404, '');
        }
        return new Response(200, \is_string($answer) ? $answer : (string) CanonicalJson::of($answer));
    };
    $policy = $request->get('policy') ?? 'ifReachable';
    $verified = verification($request, $trust, $now);
    $lists = new StatusLists($request->get('issuers'), [], [], $fetch);
    $issuer = $policy === 'none' || $verified->signed === null ? null : $verified->signed->issuer;
    $withdrawal = $lists->lookUp($request->get('document'), $issuer, $now);
    $result = Verifier::withWithdrawal($verified, $withdrawal, $policy);
    $known = $result->withdrawal;
    return told($result) + ['withdrawal' => ['status' => $known->status, 'reason' => $known->reason], 'requested' => $requested];
}

function told(VerificationResult $result): array
{
    return [
        'status' => $result->status,
        'checks' => checksOf($result->checkDetails),
        'warnings' => codesOf($result->warnings),
        'errors' => codesOf($result->errors),
        'conclusion' => $result->conclusion->code,
    ];
}

function answer(JsonObject $request): array
{
    if ($request->get('kind') === 'texts') {
        return ['sentences' => Reasons::SENTENCES, 'conclusions' => Conclusion::ROWS, 'verifier' => Verifier::NAME];
    }
    try {
        $now = new \DateTimeImmutable($request->get('now'));
        $trust = new Trust($request->get('issuers'), keysOf($request->get('keys')));
        if ($request->get('kind') === 'proof') {
            return ['checks' => checksOf(Verifier::verifyProof($request->get('jwt'), $request->get('proofKind'), $trust, $now)->checkDetails)];
        }
        if ($request->get('kind') === 'profile') {
            [$kind, $pageUrl, $productId, $domain] = \array_map([$request, 'get'], ['certificateKind', 'pageUrl', 'productId', 'domain']);
            $result = Verifier::verifyByProfile($request->get('document'), 'standard', $trust, $now, $kind, $pageUrl, $productId, $domain);
            return [
                'profiles' => $result->profiles,
                'checks' => checksOf($result->checkDetails),
                'warnings' => codesOf($result->warnings),
                'errors' => codesOf($result->errors),
            ];
        }
        return $request->get('kind') === 'withdrawal' ? withdrawn($request, $trust, $now) : told(verification($request, $trust, $now));
    } catch (CannotVerifyError $error) {
        return ['refused' => $error->reason];
    }
}

\ini_set('memory_limit', '-1'); // some vectors are of many megabytes
while (($line = \fgets(\STDIN)) !== false) {
    $request = Json::parse($line);
    echo \json_encode(answer($request), \JSON_THROW_ON_ERROR | \JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
