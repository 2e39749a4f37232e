<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/**
 * The keys of an issuer, fetched when they are needed and kept: for the `max-age` of the answer (default one hour, at most a day), and
 * for another day while the issuer cannot be reached. For an unknown key they are fetched past all caches, at most twice a minute.
 */
final class RemoteKeySet
{
    public const MAX_BYTES = 1000000;
    private const MAX_AGE = 3600;
    private const LONGEST = 86400;
    private const COOLDOWN = 30000;
    private const STALE = 86400000;

    private string $url;
    /** @var callable(string, array<string, string>): Response */
    private $fetch;
    private ?Cache $cache;
    private ?KeySet $keys = null;
    /** Times in milliseconds. @var array{text: ?string, since: int, maxAge: int, sentAt: int, asked: list<?int>, failure: ?string} */
    private array $held = ['text' => null, 'since' => 0, 'maxAge' => 0, 'sentAt' => 0, 'asked' => [null, null], 'failure' => null];
    private bool $isLoaded = false;

    /** @throws CannotVerifyError `keys_address_unsafe` */
    public function __construct(string $url, ?callable $fetch = null, ?Cache $cache = null)
    {
        $address = Address::parse($url);
        $isLocal = $address !== null && \preg_match('/^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/D', $address->host) === 1;
        if ($address === null || ($address->scheme !== 'https' && !$isLocal)) {
            throw new CannotVerifyError('keys_address_unsafe', $url);
        }
        $this->url = $address->text();
        $this->fetch = $fetch ?? new HttpFetch();
        $this->cache = $cache;
    }

    /**
     * @param ?string $kid the key that is needed
     * @param mixed $issuedAt the claim iat of the proof with this key: a set without the key counts only if it is newer
     * @throws CannotVerifyError `keys_unavailable`
     */
    public function at(\DateTimeInterface $now, ?string $kid = null, $issuedAt = null): KeySet
    {
        $moment = self::milliseconds($now);
        $this->load();
        if ($this->keys === null || \abs($moment - $this->held['since']) >= $this->held['maxAge']) {
            $this->ask($moment, $this->lacks($kid));
        }
        if ($this->lacks($kid)) {
            $this->ask($moment, true);
        }
        $failure = $this->held['failure'];
        $isOver = $failure !== null && \abs($moment - $this->held['since']) >= $this->held['maxAge'] + self::STALE;
        if ($this->keys === null || $isOver) {
            throw new CannotVerifyError('keys_unavailable', $this->url . ($failure === null ? '' : ': ' . $failure));
        }
        if ($this->lacks($kid) && self::mayPredate($this->held['sentAt'], $moment, $issuedAt)) {
            throw new CannotVerifyError('keys_unavailable', $this->url . ': ' . ($failure ?? 'the keys were read before the proof was issued.'));
        }
        return $this->keys;
    }

    /**
     * Whether a genuine proof of this iat may be signed with a key that was published after a set was read; then nothing follows from
     * the key's absence. A set read at the time of verification is newer than any proof, whatever the clocks.
     *
     * @param mixed $issuedAt
     */
    public static function mayPredate(int $readAt, int $now, $issuedAt): bool
    {
        $issued = \is_float($issuedAt) ? $issuedAt * 1000 : -1;
        return $readAt < $now && $readAt <= $issued && $issued <= $now + 300000;
    }

    public static function milliseconds(\DateTimeInterface $time): int
    {
        return $time->getTimestamp() * 1000 + (int) $time->format('v');
    }

    private function lacks(?string $kid): bool
    {
        return $kid !== null && $this->keys !== null && $this->keys->find($kid) === 'key_unknown';
    }

    private function ask(int $moment, bool $isPast): void
    {
        $asked = $this->held['asked'][(int) $isPast];
        if ($asked !== null && \abs($moment - $asked) < self::COOLDOWN) {
            return;
        }
        $this->held['asked'][(int) $isPast] = $moment;
        try {
            $headers = ['Accept' => 'application/json'] + ($isPast ? ['Cache-Control' => 'no-cache'] : []);
            $response = ($this->fetch)($this->url, $headers);
            $this->keys = self::keysOf($response);
            $age = isset($response->headers['age']) ? ((int) $response->headers['age'] + 1) * 1000 : 0;
            $this->held = [
                'text' => $response->body, 'since' => $moment, 'maxAge' => self::maxAge($response->headers['cache-control'] ?? '') * 1000,
                'sentAt' => $isPast ? $moment - $age : 0, 'asked' => $this->held['asked'], 'failure' => null,
            ];
        } catch (\RuntimeException $error) {
            $this->held['failure'] = $error->getMessage();
        }
        $this->keep();
    }

    private static function keysOf(Response $response): KeySet
    {
        if ($response->status >= 300 && $response->status < 400) {
            throw new \RuntimeException('It redirects, which is not followed.');
        }
        if ($response->status < 200 || $response->status > 299) {
            throw new \RuntimeException('It answered ' . $response->status . '.');
        }
        if (\strlen($response->body) > self::MAX_BYTES) {
            throw new \RuntimeException('It is over 1 MB.');
        }
        $keys = new KeySet($response->body);
        if ($keys->isEmpty) {
            throw new \RuntimeException('It contains no keys.');
        }
        return $keys;
    }

    private static function maxAge(string $cacheControl): int
    {
        $isTold = \preg_match('/(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i', $cacheControl, $found) === 1;
        return $isTold ? \min((int) $found[1], self::LONGEST) : self::MAX_AGE;
    }

    private function load(): void
    {
        $kept = $this->isLoaded || $this->cache === null ? null : $this->cache->get('keys ' . $this->url);
        $this->isLoaded = true;
        $held = $kept === null ? null : \json_decode($kept, true);
        if (\is_array($held) && \array_keys($held) === \array_keys($this->held)) {
            $this->held = $held;
            $this->keys = $held['text'] === null ? null : new KeySet($held['text']);
        }
    }

    private function keep(): void
    {
        $text = \json_encode($this->held, \JSON_INVALID_UTF8_SUBSTITUTE);
        if ($this->cache !== null && $text !== false) {
            $this->cache->set('keys ' . $this->url, $text, \intdiv($this->held['maxAge'] + self::STALE, 1000));
        }
    }
}
