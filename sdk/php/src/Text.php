<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Texts in UTF-8, measured as the format does: in UTF-16 units. Without mbstring, which not every PHP has. */
final class Text
{
    /** Length in UTF-16 units. */
    public static function length(string $text): int
    {
        $bytes = \strlen($text);
        if (\preg_match('/[\x80-\xFF]/', $text) !== 1) {
            return $bytes;
        }
        $counts = \count_chars($text, 1);
        foreach ($counts as $byte => $count) {
            if ($byte >= 0x80 && $byte < 0xC0) {
                $bytes -= $count;
            } elseif ($byte >= 0xF0) {
                $bytes += $count;
            }
        }
        return $bytes;
    }

    /** At most so many UTF-16 units, as well-formed UTF-8: for texts of strangers in messages. */
    public static function cut(string $text, int $units): string
    {
        $out = '';
        \preg_match_all('/[\x00-\x7F]|[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}|[\x80-\xFF]/', \substr($text, 0, $units * 4), $found);
        foreach ($found[0] as $character) {
            $units -= \strlen($character) === 4 ? 2 : 1;
            if ($units < 0) {
                break;
            }
            $out .= \preg_match('//u', $character) === 1 ? $character : "\u{FFFD}";
        }
        return $out;
    }

    /** ASCII letters in lower case, whatever the locale. */
    public static function lower(string $text): string
    {
        return \strtr($text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
    }

    /** Order by UTF-16 units (RFC 8785, 3.2.3): characters beyond U+FFFF stand before U+E000 and after. */
    public static function compare(string $a, string $b): int
    {
        return \strcmp(\strtr($a, "\xEE\xEF", "\xFE\xFF"), \strtr($b, "\xEE\xEF", "\xFE\xFF"));
    }

    /** As a JSON string; null with a lone surrogate or other bytes that are no UTF-8. */
    public static function quoted(string $text): ?string
    {
        $flags = \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_LINE_TERMINATORS;
        $json = \json_encode($text, $flags);
        return $json === false ? null : $json;
    }

    /** A finite double as ECMAScript writes it (RFC 8785, 3.2.2.3). */
    public static function number(float $value): string
    {
        if ($value === 0.0) {
            return '0';
        }
        if (\abs($value) < 9007199254740992 && $value === \floor($value)) {
            return \sprintf('%.0f', $value);
        }
        $size = \abs($value);
        // the fewest digits that are read as this number again; 15 always are, but for subnormal ones
        for ($digits = $size < 2.2250738585072014e-308 ? 1 : 15; ; $digits++) {
            $written = \sprintf('%.' . ($digits - 1) . 'e', $size);
            [$mantissa, $exponent] = \explode('e', $written);
            $mantissa = (string) \preg_replace('/[^0-9]/', '', $mantissa); // the point is another in some locales
            if ($digits === 17 || (float) ($mantissa . 'e' . ((int) $exponent - \strlen($mantissa) + 1)) === $size) {
                break;
            }
        }
        $mantissa = \rtrim($mantissa, '0');
        $point = (int) $exponent + 1;
        $sign = $value < 0 ? '-' : '';
        $count = \strlen($mantissa);
        if ($point > 21 || $point <= -6) {
            $rest = $count > 1 ? '.' . \substr($mantissa, 1) : '';
            return $sign . $mantissa[0] . $rest . 'e' . ($point > 0 ? '+' : '-') . \abs($point - 1);
        }
        if ($point <= 0) {
            return $sign . '0.' . \str_repeat('0', -$point) . $mantissa;
        }
        if ($point >= $count) {
            return $sign . \str_pad($mantissa, $point, '0');
        }
        return $sign . \substr($mantissa, 0, $point) . '.' . \substr($mantissa, $point);
    }

    /**
     * A value in a message: a primitive by its text, a list or object by its kind.
     *
     * @param mixed $value
     */
    public static function describe($value): string
    {
        if (\is_array($value)) {
            return 'a list';
        }
        if (\is_string($value)) {
            return $value;
        }
        if (\is_float($value)) {
            return \is_finite($value) ? self::number($value) : ($value > 0 ? 'Infinity' : '-Infinity');
        }
        return $value === null ? 'null' : (\is_bool($value) ? ($value ? 'true' : 'false') : 'an object');
    }

    /** A name of a document in a message. */
    public static function shown(string $name): string
    {
        return (string) \preg_replace('/[^A-Za-z0-9_:.@-]/', '?', self::cut($name, 60));
    }

    /** Seconds since 1970 in RFC 3339; the number itself beyond the range of dates. */
    public static function utc(float $seconds): string
    {
        if (\abs($seconds) > 8640000000000) {
            return self::number($seconds);
        }
        $year = (int) \gmdate('Y', (int) $seconds);
        $written = $year > 9999 || $year < 0 ? \sprintf('%+07d', $year) : \sprintf('%04d', $year);
        return $written . \gmdate('-m-d\TH:i:s.000\Z', (int) $seconds);
    }
}
