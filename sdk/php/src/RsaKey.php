<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** One key of a key set, fit for RS256. */
final class RsaKey
{
    private const ROCA_PRIMES = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157];

    private string $pem;
    /** @var resource|\OpenSSLAsymmetricKey|false|null */
    private $key = null;

    private function __construct(string $pem)
    {
        $this->pem = $pem;
    }

    /** Null for a key that must not check RS256 signatures (docs/format.md, section 3). */
    public static function of(JsonObject $jwk): ?self
    {
        $operations = $jwk->has('key_ops') ? $jwk->get('key_ops') : ['verify'];
        $isMeant = $jwk->get('kty') === 'RSA' && !$jwk->has('d')
            && (!$jwk->has('use') || $jwk->get('use') === 'sig')
            && (!$jwk->has('alg') || $jwk->get('alg') === 'RS256')
            && \is_array($operations) && \in_array('verify', $operations, true);
        $n = self::integer($jwk->get('n'), 2048);
        $e = self::integer($jwk->get('e'), 8);
        if (!$isMeant || $n === null || $e === null || \ord(\substr($n, -1)) % 2 === 0 || \ord(\substr($e, -1)) % 2 === 0) {
            return null;
        }
        $bits = \strlen($n) * 8 - (8 - \strlen(\decbin(\ord($n[0]))));
        if (\hexdec(\bin2hex($e)) <= 65536 || $bits < 2048 || $bits > 8192 || self::isRocaModulus($n)) {
            return null;
        }
        return new self(self::pem($n, $e));
    }

    /** Whether a signature over this text was made by this key: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.2). */
    public function verifies(string $signature, string $text): bool
    {
        if ($this->key === null) {
            $this->key = \openssl_pkey_get_public($this->pem);
        }
        $isValid = $this->key !== false && \openssl_verify($text, $signature, $this->key, \OPENSSL_ALGO_SHA256) === 1;
        if (!$isValid) {
            while (\openssl_error_string() !== false); // the next caller's errors would be told as ours
        }
        return $isValid;
    }

    /**
     * The bytes of a number, the highest not zero.
     *
     * @param mixed $text
     */
    private static function integer($text, int $longest): ?string
    {
        $bytes = \is_string($text) && \strlen($text) <= $longest ? Base64url::decode($text) : null;
        $number = $bytes === null ? '' : \ltrim($bytes, "\x00");
        return $number === '' ? null : $number;
    }

    /** CVE-2017-15361: a weak modulus is a power of 65537 modulo each of these primes; a sound one almost never is. */
    private static function isRocaModulus(string $n): bool
    {
        $parts = \unpack('n*', \strlen($n) % 2 === 1 ? "\x00" . $n : $n) ?: [];
        foreach (self::ROCA_PRIMES as $prime) {
            $rest = 0;
            foreach ($parts as $part) {
                $rest = ($rest << 16 | $part) % $prime;
            }
            $isPower = false;
            for ($i = 0, $power = 1; $i < $prime && !$isPower; $i++) {
                $isPower = $power === $rest;
                $power = $power * 65537 % $prime;
            }
            if (!$isPower) {
                return false;
            }
        }
        return true;
    }

    /** SubjectPublicKeyInfo (RFC 5280, 4.1; RFC 8017, A.1.1). */
    private static function pem(string $n, string $e): string
    {
        $numbers = self::der("\x30", self::number($n) . self::number($e));
        $algorithm = (string) \hex2bin('300d06092a864886f70d0101010500');
        $info = self::der("\x30", $algorithm . self::der("\x03", "\x00" . $numbers));
        return "-----BEGIN PUBLIC KEY-----\n" . \chunk_split(\base64_encode($info), 64, "\n") . "-----END PUBLIC KEY-----\n";
    }

    private static function number(string $bytes): string
    {
        return self::der("\x02", \ord($bytes[0]) > 127 ? "\x00" . $bytes : $bytes);
    }

    private static function der(string $tag, string $content): string
    {
        $size = \strlen($content);
        $length = $size < 128 ? \chr($size) : ($size < 256 ? "\x81" . \chr($size) : "\x82" . \pack('n', $size));
        return $tag . $length . $content;
    }
}
