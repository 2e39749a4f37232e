<?php

declare(strict_types=1);

/** The tests that need no vectors: php sdk/php/tests/unit.php */

namespace Touchstone\Certificate;

\error_reporting(\E_ALL);
\set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((\error_reporting() & $level) === 0) {
        return false; // silenced
    }
    throw new \ErrorException($message, 0, $level, $file, $line);
});
require __DIR__ . '/../autoload.php';
require __DIR__ . '/issuer.php';

$assertions = 0;
$failures = 0;
$is = static function ($found, $expected, string $what) use (&$assertions, &$failures): void {
    $assertions++;
    if ($found !== $expected) {
        $failures++;
        echo $what, ":\n  expected ", \var_export($expected, true), "\n  found    ", \var_export($found, true), "\n";
    }
};
$reason = static function (callable $work): string {
    try {
        $work();
    } catch (CannotVerifyError $error) {
        return $error->reason;
    } catch (JsonFault $fault) {
        return 'no JSON';
    } catch (\InvalidArgumentException $error) {
        return 'invalid argument';
    }
    return 'none';
};
foreach (['reading', 'keys', 'verdicts', 'withdrawals', 'fetching'] as $part) {
    (require __DIR__ . "/unit-$part.php")($is, $reason);
}
echo $assertions, ' assertions, ', $failures === 0 ? 'none' : $failures, " failed\n";
exit($failures === 0 ? 0 : 1);
