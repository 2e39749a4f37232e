<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The function that fetches if none is given: PHP's own streams, without redirects, at most 10 s and a little over 1 MB. */
final class HttpFetch
{
    private const SECONDS = 10;

    /**
     * @param array<string, string> $headers
     * @throws \RuntimeException if there is no answer
     */
    public function __invoke(string $url, array $headers): Response
    {
        $lines = [];
        foreach ($headers as $name => $value) {
            $lines[] = $name . ': ' . $value;
        }
        $http = [
            'header' => $lines, 'follow_location' => 0, 'max_redirects' => 1, 'ignore_errors' => true, 'timeout' => self::SECONDS,
            'protocol_version' => 1.1, 'user_agent' => Verifier::NAME,
        ];
        $until = \microtime(true) + self::SECONDS;
        $stream = @\fopen($url, 'rb', false, \stream_context_create(['http' => $http]));
        if ($stream === false) {
            $isOff = !\filter_var(\ini_get('allow_url_fopen'), \FILTER_VALIDATE_BOOLEAN);
            $error = \error_get_last();
            throw new \RuntimeException($isOff
                ? 'PHP may not fetch (allow_url_fopen is off): pass a function of your own.'
                : ($error === null ? 'It does not answer.' : $error['message']));
        }
        try {
            return self::read($stream, $until);
        } finally {
            \fclose($stream);
        }
    }

    /** @param resource $stream */
    private static function read($stream, float $until): Response
    {
        $body = '';
        while (!\feof($stream) && \strlen($body) <= RemoteKeySet::MAX_BYTES) {
            $left = $until - \microtime(true);
            if ($left <= 0) {
                throw new \RuntimeException('It takes longer than ' . self::SECONDS . ' s.');
            }
            \stream_set_timeout($stream, (int) $left, (int) (($left - (int) $left) * 1000000));
            $body .= (string) \fread($stream, 65536);
            if (\stream_get_meta_data($stream)['timed_out']) {
                throw new \RuntimeException('It takes longer than ' . self::SECONDS . ' s.');
            }
        }
        $meta = \stream_get_meta_data($stream);
        $headers = [];
        $status = 0;
        foreach (\is_array($meta['wrapper_data'] ?? null) ? $meta['wrapper_data'] : [] as $line) {
            if (\preg_match('/^HTTP\/\S+ (\d{3})/', $line, $found) === 1) {
                $status = (int) $found[1];
            } elseif (\strpos($line, ':') !== false) {
                [$name, $value] = \explode(':', $line, 2);
                $headers[\strtolower($name)] = \trim($value);
            }
        }
        return new Response($status, $body, $headers);
    }
}
