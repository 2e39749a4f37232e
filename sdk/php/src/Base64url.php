<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Base64url without padding (RFC 4648, section 5). */
final class Base64url
{
    /** Null for another alphabet, padding, white space or unused bits that are not zero. */
    public static function decode(string $text): ?string
    {
        if (\strlen($text) % 4 === 1 || \strspn($text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') !== \strlen($text)) {
            return null;
        }
        $bytes = \base64_decode(\strtr($text, '-_', '+/'), true);
        return $bytes !== false && self::encode($bytes) === $text ? $bytes : null;
    }

    public static function encode(string $bytes): string
    {
        return \rtrim(\strtr(\base64_encode($bytes), '+/', '-_'), '=');
    }
}
