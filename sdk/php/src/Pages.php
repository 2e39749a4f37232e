<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Whether two addresses are the same page (docs/format.md, section 7). */
final class Pages
{
    private const MAX_LENGTH = 8192;
    private const COLLECTION = '/\/collections\/[^\/]+(?=\/products\/)/';
    private const IGNORED_PARAMETER = '/^(?:utm_.*|gclid|gad_.*|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|li_fat_id|srsltid'
        . '|igshid|mc_[ce]id|_hsenc|_hsmi|mkt_tok|_kx|_ga|_gl|ref|ref_src|variant|_pos|_sid|_ss|_psq|_fid|_v)$/D';
    private const PERCENT = '/%(?![0-9a-f]{2})[0-9a-f]?+(?:%[0-9a-f]{2})*+|%[0-9a-f]{2}/i';

    /** What comparing gives: `ok` or why they differ, with the values compared. */
    public static function compare(string $signed, string $page): CheckResult
    {
        $longest = \max(Text::length($signed), Text::length($page));
        if ($longest > self::MAX_LENGTH) {
            return CheckResult::failed('url_too_long', 'at most ' . self::MAX_LENGTH . ' characters', $longest . ' characters');
        }
        $expected = Address::parse($signed);
        $actual = Address::parse($page);
        if ($actual === null) {
            return CheckResult::failed('page_url_invalid', null, $page);
        }
        if ($expected === null) {
            return CheckResult::failed('signed_url_invalid', $signed);
        }
        $wanted = self::normalized($expected);
        if ($expected->credentials !== '' || $actual->credentials !== '') {
            return CheckResult::failed('url_credentials', self::text($wanted));
        }
        $found = self::withoutAdditions(self::normalized($actual), $wanted);
        if ($found === $wanted) {
            return CheckResult::passed();
        }
        $extra = self::extraParameters($wanted, $found);
        if ($extra === []) {
            return CheckResult::failed('url_differs', self::text($wanted), self::text($found));
        }
        $told = self::text($found) . ' (extra: ' . \implode(', ', $extra) . ')';
        return CheckResult::failed('url_extra_parameter', self::text($wanted), $told);
    }

    public static function same(string $signed, string $page): bool
    {
        return self::compare($signed, $page)->result === true;
    }

    /** @return array{base: string, parameters: list<string>, route: string} */
    private static function normalized(Address $address): array
    {
        $path = self::decoded($address->path);
        if (\substr($path, -1) === '/' && \substr($path, -2) !== '//') {
            $path = \substr($path, 0, -1);
        }
        $pairs = \array_filter(\explode('&', self::decoded((string) $address->query)), static fn (string $pair): bool => $pair !== '');
        $pairs = self::sorted(\array_values($pairs));
        $isRoute = \preg_match('/^[!\/]/', (string) $address->fragment) === 1;
        $port = $address->port === null ? '' : ':' . $address->port;
        return [
            'base' => $address->scheme . '://' . $address->hostname() . $port . $path,
            'parameters' => $pairs,
            'route' => $isRoute ? '#' . self::decoded((string) $address->fragment) : '',
        ];
    }

    /**
     * By name; equal names keep their order, which sort() does not promise before PHP 8.
     *
     * @param list<string> $pairs
     * @return list<string>
     */
    private static function sorted(array $pairs): array
    {
        $places = \array_keys($pairs);
        \usort($places, static fn (int $a, int $b): int => \strcmp(self::name($pairs[$a]), self::name($pairs[$b])) ?: $a <=> $b);
        return \array_map(static fn (int $place): string => $pairs[$place], $places);
    }

    /** Decodes what needs no encoding. Triplets that would make a percent sign before them whole stay as they are. */
    private static function decoded(string $text): string
    {
        $one = static function (array $found): string {
            $character = \strlen($found[0]) === 3 ? \chr((int) \hexdec(\substr($found[0], 1))) : '';
            if (\preg_match('/^[A-Za-z0-9\-._~]$/D', $character) === 1) {
                return $character;
            }
            $upper = static fn (array $triplet): string => \strtoupper($triplet[0]);
            return (string) \preg_replace_callback('/%[0-9a-f]{2}/i', $upper, $found[0]);
        };
        return \strpos($text, '%') === false ? $text : (string) \preg_replace_callback(self::PERCENT, $one, $text);
    }

    /** What the signed address carries is never dropped from the page's. */
    private static function withoutAdditions(array $page, array $signed): array
    {
        if (\preg_match(self::COLLECTION, $signed['base']) !== 1) {
            $page['base'] = (string) \preg_replace(self::COLLECTION, '', $page['base'], 1);
        }
        $carried = self::names($signed['parameters']);
        $page['parameters'] = \array_values(\array_filter($page['parameters'], static function (string $pair) use ($carried): bool {
            $name = self::name($pair);
            return isset($carried[$name]) || \preg_match(self::IGNORED_PARAMETER, $name) !== 1;
        }));
        $page['route'] = $signed['route'] === '' ? '' : $page['route'];
        return $page;
    }

    /**
     * The names that only the page has, if nothing else differs. Shops read the last of several values: a signed parameter that is
     * repeated may be another product's.
     *
     * @return list<string>
     */
    private static function extraParameters(array $signed, array $page): array
    {
        if ($signed['base'] !== $page['base'] || $signed['route'] !== $page['route']) {
            return [];
        }
        $left = \array_count_values($signed['parameters']);
        $carried = self::names($signed['parameters']);
        $isRepeated = false;
        $extra = [];
        foreach ($page['parameters'] as $pair) {
            if (($left[$pair] ?? 0) === 0) {
                $extra[] = self::name($pair);
                $isRepeated = $isRepeated || isset($carried[self::name($pair)]);
            } else {
                $left[$pair]--;
            }
        }
        return \array_sum($left) === 0 && !$isRepeated ? $extra : [];
    }

    /**
     * @param list<string> $pairs
     * @return array<array-key, true>
     */
    private static function names(array $pairs): array
    {
        return \array_fill_keys(\array_map([self::class, 'name'], $pairs), true);
    }

    private static function text(array $page): string
    {
        return $page['base'] . ($page['parameters'] === [] ? '' : '?' . \implode('&', $page['parameters'])) . $page['route'];
    }

    private static function name(string $pair): string
    {
        return \explode('=', $pair, 2)[0];
    }
}
