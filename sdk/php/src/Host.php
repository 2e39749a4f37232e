<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Hosts of web addresses by the WHATWG URL standard, and whether two are the same (docs/format.md, section 6). */
final class Host
{
    private const MAX_LENGTH = 2048;
    private const WHITE = '\s\x{0B}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}';

    /** The host of an address as it is written there: `[…]` for IPv6; null if it is none. */
    public static function parse(string $text): ?string
    {
        if ($text !== '' && $text[0] === '[') {
            return \substr($text, -1) === ']' ? self::ipv6((string) \substr($text, 1, -1)) : null;
        }
        $decode = static fn (array $found): string => \chr((int) \hexdec($found[1]));
        $host = self::toAscii((string) \preg_replace_callback('/%([0-9A-Fa-f]{2})/', $decode, $text));
        if ($host === null || $host === '' || \preg_match('/[\x00-\x20#\/:<>?@\[\\\\\]^|%\x7F]/', $host) === 1) {
            return null;
        }
        return self::ipv4($host);
    }

    /** The normal form of a bare host name, without a dot at its end; null for anything more or less. */
    public static function normalized(string $text): ?string
    {
        if (\preg_match('/[\/\\\\?#@:%\[\]' . self::WHITE . ']/u', $text) !== 0) {
            return null;
        }
        $address = Address::parse('http://' . $text . '/');
        return $address === null || \strpos('.' . $address->hostname() . '.', '..') !== false ? null : $address->hostname();
    }

    /** Whether two hosts, as Address::hostname() gives them, are one domain. An IP address is nobody's. */
    public static function same(?string $a, ?string $b): bool
    {
        return $a !== null && $a === $b && $a[0] !== '[' && \preg_match('/^[0-9.]+$/D', $a) !== 1;
    }

    private static function toAscii(string $text): ?string
    {
        // taken as it is, also with a label that is no punycode
        if (\preg_match('/[\x80-\xFF]/', $text) !== 1) {
            return Text::lower($text);
        }
        // no host is as long, and normalising is not linear
        if (\strlen($text) > self::MAX_LENGTH || \preg_match('//u', $text) !== 1) {
            return null;
        }
        $tables = HostTables::read();
        $mapped = $tables->mapped($text);
        $labels = $mapped === null ? [] : \explode('.', $mapped);
        $letters = [];
        foreach ($labels as $label) {
            $isCoded = \strncmp($label, 'xn--', 4) === 0;
            $letter = $isCoded ? Punycode::decode(\substr($label, 4)) : $label;
            $isBeyond = $letter !== null && \preg_match('/[\x80-\xFF]/', $letter) === 1;
            if ($letter === null || $isCoded && (!$isBeyond || 'xn--' . Punycode::encode($letter) !== $label)) {
                return null;
            }
            if ($isBeyond && (!$tables->isLabel($letter) || $tables->isRightToLeft($letter) && !$tables->isOneDirection($letter))) {
                return null;
            }
            $letters[] = $letter;
        }
        $code = static fn (string $letter): string => \preg_match('/[\x80-\xFF]/', $letter) === 1 ? 'xn--' . Punycode::encode($letter) : $letter;
        return $mapped === null ? null : \implode('.', \array_map($code, $letters));
    }

    /** An IPv4 address in any of its spellings in its usual one; the host itself if it is none; null if it is a broken one. */
    private static function ipv4(string $host): ?string
    {
        $labels = \explode('.', $host);
        if (\count($labels) > 1 && \end($labels) === '') {
            \array_pop($labels);
        }
        if (\preg_match('/^(?:[0-9]+|0x[0-9a-f]*)$/D', (string) \end($labels)) !== 1) {
            return $host;
        }
        $count = \count($labels);
        if ($count > 4) {
            return null;
        }
        $address = 0;
        foreach ($labels as $place => $label) {
            if (\preg_match('/^(?:0x([0-9a-f]*)|(0[0-7]*)|([1-9][0-9]*))$/D', $label, $found) !== 1) {
                return null;
            }
            $digits = \ltrim($found[3] ?? $found[2] ?? $found[1] ?? '', '0');
            if (\strlen($digits) > 11) {
                return null;
            }
            $number = isset($found[3]) ? (int) $digits : (int) (isset($found[2]) ? \octdec($digits) : \hexdec($digits));
            $isLast = $place === $count - 1;
            if ($number >= ($isLast ? 256 ** (5 - $count) : 256)) {
                return null;
            }
            $address += $isLast ? $number : $number * 256 ** (3 - $place);
        }
        return \implode('.', [$address >> 24, $address >> 16 & 255, $address >> 8 & 255, $address & 255]);
    }

    private static function ipv6(string $text): ?string
    {
        if (\preg_match('/^(.*:)([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})$/D', $text, $found) === 1) {
            foreach (\array_slice($found, 2) as $part) {
                if ((int) $part > 255 || \strlen($part) > 1 && $part[0] === '0') {
                    return null;
                }
            }
            $text = $found[1] . \dechex((int) $found[2] << 8 | (int) $found[3]) . ':' . \dechex((int) $found[4] << 8 | (int) $found[5]);
        }
        $halves = \explode('::', $text);
        $left = $halves[0] === '' && isset($halves[1]) ? [] : \explode(':', $halves[0]);
        $right = ($halves[1] ?? '') === '' ? [] : \explode(':', $halves[1]);
        $missing = 8 - \count($left) - \count($right);
        if (\count($halves) > 2 || (isset($halves[1]) ? $missing < 1 : $missing !== 0)) {
            return null;
        }
        $pieces = \array_merge($left, \array_fill(0, $missing, '0'), $right);
        foreach ($pieces as $piece) {
            if (\preg_match('/^[0-9A-Fa-f]{1,4}$/D', $piece) !== 1) {
                return null;
            }
        }
        return '[' . self::compressed(\array_map(static fn (string $piece): string => \dechex((int) \hexdec($piece)), $pieces)) . ']';
    }

    /**
     * `::` in place of the first of the longest runs of at least two zeros.
     *
     * @param list<string> $pieces
     */
    private static function compressed(array $pieces): string
    {
        $text = ':' . \implode(':', $pieces) . ':';
        for ($count = 8; $count > 1; $count--) {
            $run = \str_repeat(':0', $count) . ':';
            $at = \strpos($text, $run);
            if ($at !== false) {
                return \ltrim(\substr($text, 0, $at), ':') . '::' . \rtrim(\substr($text, $at + \strlen($run)), ':');
            }
        }
        return \trim($text, ':');
    }
}
