<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** A list that says which certificates were withdrawn (docs/format.md, section 8). */
final class StatusList
{
    public const SIZE = 1048576;
    private const BYTES = self::SIZE / 4;
    private const MAX_TOKEN = 700000;
    private const PATH = '/api/v1/mc4p/status/';
    private const MAX_LIST = 2147483647;
    private const SKEW = 60;
    private const LIFETIME = 86400;

    /** @readonly */
    public string $uri;
    /** Seconds since 1970, like expiresAt. @readonly */
    public float $issuedAt;
    /** @readonly */
    public float $expiresAt;
    /** Seconds for which it is used without a request for a newer one. @readonly */
    public float $ttl;
    /** @var list<string> @readonly */
    public array $revokedKids;
    private string $entries;

    private function __construct()
    {
    }

    /**
     * @param callable(string, mixed): ?KeySet $keysFor gives the keys of lists for a key's name and the time of issue
     * @return self|string the list, or the reason why it does not count
     */
    public static function read(string $token, callable $keysFor, string $uri, int $now)
    {
        if (\strlen($token) > self::MAX_TOKEN) {
            return 'status_list_too_large';
        }
        $parts = \array_map([Base64url::class, 'decode'], \explode('.', $token, 4));
        $header = \is_string($parts[0]) ? Json::strictObject($parts[0]) : null;
        $isJws = \count($parts) === 3 && !\in_array(null, $parts, true) && Proof::headerFault($header) === 'ok';
        if (!$isJws || $header === null) {
            return 'status_list_malformed';
        }
        $claims = Json::strictObject((string) $parts[1]);
        $keys = $keysFor($header->get('kid'), $claims === null ? null : $claims->get('iat'));
        if ($keys === null) {
            return 'status_list_unreachable';
        }
        if ($header->get('typ') !== 'statuslist+jwt') {
            return 'status_list_type_wrong';
        }
        $key = $keys->find($header->get('kid'));
        if (\is_string($key)) {
            return 'status_list_key_unknown';
        }
        if (!$key->verifies((string) $parts[2], \substr($token, 0, (int) \strrpos($token, '.')))) {
            return 'status_list_signature_invalid';
        }
        return $claims === null ? 'status_list_malformed' : self::of($claims, $uri, $now);
    }

    /** What a token says of itself, unverified: to choose among lists, and nothing else. */
    public static function statedUri(string $token): ?string
    {
        $payload = \strlen($token) > self::MAX_TOKEN ? null : Base64url::decode(\explode('.', $token, 3)[1] ?? '.');
        $claims = $payload === null ? null : Json::strictObject($payload);
        $uri = $claims === null ? null : $claims->get('sub');
        return \is_string($uri) ? $uri : null;
    }

    /** Whether an address is one of a list of this issuer, written exactly so. */
    public static function isUriOf(string $uri, string $issuer): bool
    {
        $start = $issuer . self::PATH;
        $list = \substr($uri, \strlen($start));
        return \strncmp($uri, $start, \strlen($start)) === 0 && \preg_match('/^[1-9][0-9]{0,9}$/D', (string) $list) === 1
            && (int) $list <= self::MAX_LIST;
    }

    /** 0 valid, 1 invalid, 2 suspended, 3 not defined. */
    public function entryAt(int $index): int
    {
        return \ord($this->entries[\intdiv($index, 4)]) >> $index % 4 * 2 & 3;
    }

    /** Why it does not count at this time, if so. */
    public function timeFault(int $now): ?string
    {
        if ($this->issuedAt > $now + self::SKEW) {
            return 'status_list_not_yet_valid';
        }
        return $this->expiresAt <= $now - self::SKEW ? 'status_list_expired' : null;
    }

    /** @return self|string */
    private static function of(JsonObject $claims, string $uri, int $now)
    {
        $list = new self();
        $ttl = $claims->has('ttl') ? $claims->get('ttl') : 900.0;
        $kids = $claims->has('revoked_kids') ? $claims->get('revoked_kids') : [];
        [$sub, $iat, $exp, $body] = \array_map([$claims, 'get'], ['sub', 'iat', 'exp', 'status_list']);
        $areTimes = Claims::isCount($iat) && Claims::isCount($exp) && Claims::isCount($ttl) && $exp > $iat;
        $areKids = \is_array($kids) && \array_filter($kids, 'is_string') === $kids;
        $lst = $body instanceof JsonObject && $body->get('bits') === 2.0 ? $body->get('lst') : null;
        $compressed = \is_string($lst) ? Base64url::decode($lst) : null;
        if (!\is_string($sub) || !$areTimes || !$areKids || $compressed === null) {
            return 'status_list_malformed';
        }
        $list->uri = $sub;
        $list->issuedAt = $iat;
        // whoever had a key for a moment must not make a list that counts for years
        $list->expiresAt = \min($exp, $iat + self::LIFETIME);
        $list->ttl = \min(\max($ttl, 60.0), 86400.0);
        $list->revokedKids = $kids;
        if ($sub !== $uri) {
            return 'status_list_subject_differs';
        }
        $fault = $list->timeFault($now);
        if ($fault !== null) {
            return $fault;
        }
        $entries = self::inflated($compressed);
        if ($entries === null || \strlen($entries) !== self::BYTES) {
            return $entries !== null && \strlen($entries) > self::BYTES ? 'status_list_too_large' : 'status_list_malformed';
        }
        $list->entries = $entries;
        return $list;
    }

    /** The whole of a zlib stream, or more than a list has as soon as it is more; null for anything else. */
    private static function inflated(string $compressed): ?string
    {
        $inflating = \inflate_init(\ZLIB_ENCODING_DEFLATE);
        $out = '';
        if ($inflating === false) {
            return null;
        }
        // small steps: at most a thousand times as much comes out of each
        foreach (\str_split($compressed, 256) as $part) {
            if (\inflate_get_status($inflating) === \ZLIB_STREAM_END) {
                return null; // something follows
            }
            $more = @\inflate_add($inflating, $part);
            if ($more === false) {
                return null;
            }
            $out .= $more;
            if (\strlen($out) > self::BYTES) {
                return $out;
            }
        }
        $isWhole = \inflate_get_status($inflating) === \ZLIB_STREAM_END && \inflate_get_read_len($inflating) === \strlen($compressed);
        return $isWhole ? $out : null;
    }
}
