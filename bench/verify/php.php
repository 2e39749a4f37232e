<?php

declare(strict_types=1);

// php bench/verify/php.php: verifications of one certificate a second, as a ratio to PHP's bare openssl_verify() of its signature, in
// alternating rounds. With compiled code kept, as in a server: php -d opcache.enable_cli=1 bench/verify/php.php

use Touchstone\Certificate\{Base64url, Json, Trust, Verifier};

require __DIR__ . '/../../sdk/php/autoload.php';

function used(): float
{
    $usage = getrusage();
    return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'] + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
}

$file = Json::parse((string) file_get_contents(__DIR__ . '/../../test/vectors/members.json'));
$isGood = static fn ($one): bool => $one->get('kind') === 'document' && $one->get('expect')->get('status') === 'verified';
$vector = array_values(array_filter($file->get('vectors'), $isGood))[0];
$context = $vector->get('context');
$document = $vector->get('input')->get('document');
// as a page has it
$text = is_string($document) ? $document : (string) Touchstone\Certificate\CanonicalJson::of($document);
$jwks = $file->get('jwks')->get($vector->get('jwks'));
$trust = new Trust($context->get('issuers'), [], $jwks);
$now = new DateTimeImmutable($context->get('now'));
$page = $context->get('pageUrl');

[$header, $payload, $signature] = explode('.', Json::parse($text)->get('proof')->get('jwt'));
$jwk = $jwks->get('keys')[0];
$der = static function (string $tag, string $content): string {
    return $tag . "\x82" . pack('n', strlen($content)) . $content;
};
$numbers = $der("\x30", $der("\x02", "\x00" . Base64url::decode($jwk->get('n'))) . $der("\x02", (string) Base64url::decode($jwk->get('e'))));
$info = $der("\x30", hex2bin('300d06092a864886f70d0101010500') . $der("\x03", "\x00" . $numbers));
$key = openssl_pkey_get_public("-----BEGIN PUBLIC KEY-----\n" . chunk_split(base64_encode($info), 64, "\n") . '-----END PUBLIC KEY-----');
$bytes = Base64url::decode($signature);

$subjects = [
    'openssl_verify' => static fn (): bool => openssl_verify("$header.$payload", $bytes, $key, OPENSSL_ALGO_SHA256) === 1,
    'verification' => static fn (): bool => Verifier::verifyProductCertificate($text, $page, $trust, $now)->status === 'verified',
];
$rates = [];
for ($round = 0; $round < 11; $round++) {
    foreach ($subjects as $name => $run) {
        // of processor time, which others on the machine do not take
        $start = used();
        for ($count = 0; used() - $start < 0.1; $count++) {
            if (!$run()) {
                exit("The $name of a genuine certificate fails.\n");
            }
        }
        $rates[$name][] = $count / (used() - $start);
    }
}
$ratios = array_map(static fn (float $bare, float $whole): float => $whole / $bare, ...array_values($rates));
$median = static function (array $values): float {
    sort($values);
    return $values[intdiv(count($values), 2)];
};
printf("%s bytes; openssl_verify %.0f/s, verification %.0f/s; ratio %.3f\n", strlen($text), $median($rates['openssl_verify']), $median($rates['verification']), $median($ratios));
