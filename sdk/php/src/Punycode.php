<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** RFC 3492, of one label without `xn--`. */
final class Punycode
{
    public static function encode(string $label): string
    {
        $points = \array_map([HostTables::class, 'point'], HostTables::characters($label));
        $basic = \array_filter($points, static fn (int $point): bool => $point < 0x80);
        $out = \implode('', \array_map('chr', $basic));
        $done = $start = \count($basic);
        $out .= $start > 0 ? '-' : '';
        for ($n = 0x80, $delta = 0, $bias = 72; $done < \count($points); $n++, $delta++) {
            $next = \min(\array_filter($points, static fn (int $point): bool => $point >= $n));
            $delta += ($next - $n) * ($done + 1);
            $n = $next;
            foreach ($points as $point) {
                $delta += $point < $n ? 1 : 0;
                if ($point !== $n) {
                    continue;
                }
                for ($rest = $delta, $k = 36; ; $k += 36) {
                    $least = \min(\max($k - $bias, 1), 26);
                    if ($rest < $least) {
                        break;
                    }
                    $out .= self::digit($least + ($rest - $least) % (36 - $least));
                    $rest = \intdiv($rest - $least, 36 - $least);
                }
                $out .= self::digit($rest);
                $bias = self::adapted($delta, $done + 1, $done === $start);
                $delta = 0;
                $done++;
            }
        }
        return $out;
    }

    /** Null if it is none, in capitals too. */
    public static function decode(string $text): ?string
    {
        if (\preg_match('/^(?:([\x00-\x7F]*)-)?([a-z0-9]*)$/D', $text, $found) !== 1) {
            return null;
        }
        $characters = \str_split($found[1]);
        if ($found[1] === '') {
            $characters = [];
        }
        $digits = $found[2];
        for ($n = 0x80, $i = 0, $bias = 72, $at = 0; $at < \strlen($digits);) {
            for ($old = $i, $weight = 1, $k = 36; ; $k += 36) {
                if (!isset($digits[$at])) {
                    return null;
                }
                $code = \ord($digits[$at++]);
                $digit = $code < 58 ? $code - 22 : $code - 97;
                $i += $digit * $weight;
                $least = \min(\max($k - $bias, 1), 26);
                if ($digit < $least) {
                    break;
                }
                $weight *= 36 - $least;
                if ($i > 0x7FFFFFFF || $weight > 0x7FFFFFFF) {
                    return null;
                }
            }
            $count = \count($characters) + 1;
            $bias = self::adapted($i - $old, $count, $old === 0);
            $n += \intdiv($i, $count);
            $i %= $count;
            if ($n > 0x10FFFF || $n >= 0xD800 && $n < 0xE000) {
                return null;
            }
            \array_splice($characters, $i++, 0, [HostTables::character($n)]);
        }
        return \implode('', $characters);
    }

    private static function digit(int $value): string
    {
        return \chr($value < 26 ? 97 + $value : 22 + $value);
    }

    private static function adapted(int $delta, int $count, bool $isFirst): int
    {
        $delta = $isFirst ? \intdiv($delta, 700) : $delta >> 1;
        $delta += \intdiv($delta, $count);
        for ($k = 0; $delta > 455; $k += 36) {
            $delta = \intdiv($delta, 35);
        }
        return $k + \intdiv(36 * $delta, $delta + 38);
    }
}
