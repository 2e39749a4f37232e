<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Keys that are fetched. */
return static function (callable $is, callable $reason): void {
    $issuer = new TestIssuer();
    $url = Trust::jwksUrl(TestIssuer::ADDRESS);
    $document = $issuer->document();
    $status = static fn (Trust $trust, int $seconds = 0, ?string $text = null): string =>
        Verifier::verifyProductCertificate($text ?? $document, TestIssuer::PAGE, $trust, TestIssuer::at($seconds))->status;

    $network = new TestNetwork([$url => $issuer->jwks]);
    $trust = new Trust([TestIssuer::ADDRESS], [], null, $network);
    $is([$status($trust), $status($trust, 3599), $network->asked], ['verified', 'verified', [$url]], 'kept for an hour');
    $is([$status($trust, 3600), \count($network->asked)], ['verified', 2], 'fetched again after it');
    $network->answers[$url] = new \RuntimeException('no route');
    $is([$status($trust, 7300), $status($trust, 7310), \count($network->asked)], ['verified', 'verified', 3], 'used a little longer while there is no answer');
    $is($reason(static fn () => $status($trust, 3600 + 3600 + 86400)), 'keys_unavailable', 'but not for ever');

    $unknown = (new TestIssuer('key-2'))->document(['iat' => TestIssuer::NOW - 20, 'exp' => TestIssuer::NOW - 20 + 604800]);
    $network = new TestNetwork([$url => $issuer->jwks]);
    $trust = new Trust([TestIssuer::ADDRESS], [], null, $network);
    $is([$status($trust, 0, $unknown), $status($trust, 1, $unknown), $status($trust, 2, $unknown)], ['failed', 'failed', 'failed'], 'an unknown key');
    $is($network->asked, [$url, "$url past caches"], 'is asked for past caches, and not each time');
    $is([$status($trust, 40, $unknown), \count($network->asked)], ['failed', 3], 'and again after a while');
    $stale = new TestNetwork([$url => new Response(200, $issuer->jwks, ['Age' => '50'])]);
    $is($reason(static fn () => $status(new Trust([TestIssuer::ADDRESS], [], null, $stale), 10, $unknown)), 'keys_unavailable', 'a copy that is older than the proof decides nothing');

    $answers = ['{"keys":[]}', 'x', new Response(302, $issuer->jwks), new Response(500, $issuer->jwks), '{"keys":[1],"x":"' . \str_repeat('a', 1000000) . '"}', new \RuntimeException('no')];
    foreach ($answers as $at => $answer) {
        $trust = new Trust([TestIssuer::ADDRESS], [], null, new TestNetwork([$url => $answer]));
        $is($reason(static fn () => $status($trust)), 'keys_unavailable', "an answer without keys, $at");
    }
    $network = new TestNetwork();
    $trust = new Trust([TestIssuer::ADDRESS], [], null, $network);
    $is([$status($trust, 0, '{"proof":{"jwt":"x"}}'), $status($trust, 0, $issuer->document(['iss' => 'https://evil.example'])), $network->asked], ['failed', 'failed', []], 'nothing is requested for what nobody trusts');

    $cache = new TestCache();
    $network = new TestNetwork([$url => $issuer->jwks]);
    $is([$status(new Trust([TestIssuer::ADDRESS], [], null, $network, $cache)), $status(new Trust([TestIssuer::ADDRESS], [], null, $network, $cache), 60), \count($network->asked)], ['verified', 'verified', 1], 'kept between requests');
    $cache->kept['keys ' . $url] = 'x';
    $is($status(new Trust([TestIssuer::ADDRESS], [], null, $network, $cache)), 'verified', 'a cache with something else');

    $both = new Trust([TestIssuer::ADDRESS, 'https://b.example'], [new IssuerKeys(['https://b.example'], (new TestIssuer('key-3'))->jwks), new IssuerKeys([TestIssuer::ADDRESS], $issuer->jwks, TestIssuer::at(-30))]);
    $is([$status($both), $status($both, 0, $issuer->document(['iss' => 'https://b.example']))], ['verified', 'failed'], 'the keys of one issuer verify no proofs of another');
    $is($reason(static fn () => $status($both, 10, $unknown)), 'keys_unavailable', 'given keys that are older than the proof');

    // real HTTP
    $folder = \sys_get_temp_dir() . '/touchstone-php-' . \getmypid();
    \mkdir($folder);
    \file_put_contents("$folder/router.php", '<?php $p = $_SERVER["REQUEST_URI"]; if ($p === "/moved") { header("Location: /keys", true, 302); exit; } '
        . 'if ($p === "/long") { echo str_repeat("a", 3000000); exit; } header("Cache-Control: max-age=60"); echo $p === "/past" ? ($_SERVER["HTTP_CACHE_CONTROL"] ?? "none") : "keys";');
    $server = \proc_open([\PHP_BINARY, '-S', '127.0.0.1:0', "$folder/router.php"], [['pipe', 'r'], ['file', '/dev/null', 'w'], ['pipe', 'w']], $pipes);
    \preg_match('/127\.0\.0\.1:(\d+)/', (string) \fgets($pipes[2]), $found);
    $base = 'http://127.0.0.1:' . $found[1];
    $fetch = new HttpFetch();
    $answer = $fetch("$base/keys", []);
    $is([$answer->status, $answer->body, $answer->headers['cache-control']], [200, 'keys', 'max-age=60'], 'over HTTP');
    $is($fetch("$base/past", ['Cache-Control' => 'no-cache'])->body, 'no-cache', 'past caches');
    $is($fetch("$base/moved", [])->status, 302, 'without redirects');
    $is(\strlen($fetch("$base/long", [])->body) < 1100000, true, 'and not without end');
    \proc_terminate($server);
    \proc_close($server);
    $thrown = '';
    try {
        $fetch("$base/keys", []);
    } catch (\RuntimeException $error) {
        $thrown = 'runtime';
    }
    $is($thrown, 'runtime', 'no answer');
    \unlink("$folder/router.php");
    \rmdir($folder);
};
