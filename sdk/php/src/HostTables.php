<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** What host-tables.php says of characters beyond ASCII. Read for a host that has one, so of the tables nothing is kept otherwise. */
final class HostTables
{
    /** @var array{starts: list<int>, kinds: string, shapeStarts: list<int>, shapes: string, mapped: array<int, string>, combining: array<string, int>, composed: array<string, string>} */
    private array $tables;
    /** @var array<string, string> */
    private array $decomposed;

    /** The tables never change, and reading them takes 20 ms where PHP keeps no compiled code. */
    private static ?self $read = null;

    public static function read(): self
    {
        return self::$read ??= new self();
    }

    private function __construct()
    {
        $this->tables = require __DIR__ . '/host-tables.php';
        $this->decomposed = \array_flip($this->tables['composed']);
    }

    /** The mapping of UTS 46 (non-transitional) in NFC; null with a character that it refuses. */
    public function mapped(string $text): ?string
    {
        $out = '';
        foreach (self::characters($text) as $character) {
            $kind = $this->kind($character);
            if ($kind === 'x') {
                return null;
            }
            $out .= $kind === 'y' ? $this->tables['mapped'][self::point($character)] : Text::lower($character);
        }
        return $this->composed($out);
    }

    /** Whether the characters of a label, in letters, may stand in this order. */
    public function isLabel(string $label): bool
    {
        $characters = self::characters($label);
        $kinds = \array_map([$this, 'kind'], $characters);
        if ($kinds === [] || $kinds[0] !== \strtoupper($kinds[0]) || $this->composed($label) !== $label) {
            return false;
        }
        foreach ($characters as $at => $character) {
            if ($kinds[$at] === 'x' || $kinds[$at] === 'y' || Text::lower($character) !== $character) {
                return false;
            }
            if (($character === "\u{200C}" || $character === "\u{200D}") && !$this->joins($characters, $at)) {
                return false;
            }
        }
        return true;
    }

    /** RFC 5892, A.1 and A.2: a joiner follows a virama, or stands between letters that it keeps apart. */
    private function joins(array $characters, int $at): bool
    {
        if ($at > 0 && $this->shape($characters[$at - 1]) === 'v') {
            return true;
        }
        if ($characters[$at] === "\u{200D}") {
            return false;
        }
        for ($before = $at - 1; $before >= 0 && \in_array($this->shape($characters[$before]), ['T', 'v'], true); $before--);
        for ($after = $at + 1; isset($characters[$after]) && \in_array($this->shape($characters[$after]), ['T', 'v'], true); $after++);
        return $before >= 0 && isset($characters[$after])
            && \in_array($this->shape($characters[$before]), ['D', 'L'], true)
            && \in_array($this->shape($characters[$after]), ['D', 'R'], true);
    }

    /** Whether a label, in letters, has characters that are written from right to left. */
    public function isRightToLeft(string $label): bool
    {
        return \preg_match('/[RN]/', $this->kinds($label)) === 1;
    }

    /** RFC 5893, 2: whether nothing in such a label is written the other way. */
    public function isOneDirection(string $label): bool
    {
        $kinds = \rtrim($this->kinds($label), 'M');
        return $kinds !== '' && $kinds[0] === 'R' && \strpos($kinds, 'L') === false && \preg_match('/[REN]$/D', $kinds) === 1
            && !(\strpos($kinds, 'E') !== false && \strpos($kinds, 'N') !== false);
    }

    private function kinds(string $label): string
    {
        return \strtoupper(\implode('', \array_map([$this, 'kind'], self::characters($label))));
    }

    /** As scripts/php-host-tables.ts says: `x` refused, `y` mapped, else the direction, in small of a mark. */
    private function kind(string $character): string
    {
        if (\strlen($character) > 1) {
            return $this->tables['kinds'][self::place($this->tables['starts'], self::point($character))] ?? 'x';
        }
        return \ctype_alpha($character) ? 'L' : (\ctype_digit($character) ? 'E' : 'O');
    }

    private function shape(string $character): string
    {
        return \strlen($character) === 1 ? '.' : $this->tables['shapes'][self::place($this->tables['shapeStarts'], self::point($character))] ?? '.';
    }

    /**
     * The last of these that is not after a value.
     *
     * @param list<int> $starts
     */
    private static function place(array $starts, int $value): int
    {
        for ($low = 0, $high = \count($starts); $high - $low > 1;) {
            $middle = $low + $high >> 1;
            if ($starts[$middle] <= $value) {
                $low = $middle;
            } else {
                $high = $middle;
            }
        }
        return $low;
    }

    /** NFC (UAX 15). */
    private function composed(string $text): string
    {
        $parts = [];
        foreach (self::characters($text) as $character) {
            \array_push($parts, ...$this->decomposed($character));
        }
        $this->order($parts);
        $combining = $this->tables['combining'];
        $out = [];
        $starter = -1;
        $last = 0;
        foreach ($parts as $part) {
            $class = $combining[$part] ?? 0;
            $isBlocked = $starter >= 0 && \count($out) - 1 > $starter && $last >= $class;
            $joint = $starter >= 0 && !$isBlocked ? $this->pair($out[$starter], $part) : null;
            if ($joint !== null) {
                $out[$starter] = $joint;
                continue;
            }
            $out[] = $part;
            if ($class === 0) {
                $starter = \count($out) - 1;
            }
            $last = $class;
        }
        return \implode('', $out);
    }

    /** @return list<string> */
    private function decomposed(string $character): array
    {
        $point = \strlen($character) === 3 ? self::point($character) - 0xAC00 : -1;
        if ($point >= 0 && $point < 11172) {
            $parts = [0x1100 + \intdiv($point, 588), 0x1161 + \intdiv($point % 588, 28), 0x11A7 + $point % 28];
            return \array_map([self::class, 'character'], $point % 28 === 0 ? \array_slice($parts, 0, 2) : $parts);
        }
        $pair = $this->decomposed[$character] ?? null;
        if ($pair === null) {
            return [$character];
        }
        $parts = self::characters($pair);
        $last = \array_pop($parts);
        return \array_merge(...\array_map([$this, 'decomposed'], $parts), ...[[$last]]);
    }

    /** @param list<string> $parts */
    private function order(array &$parts): void
    {
        $combining = $this->tables['combining'];
        for ($at = 1; $at < \count($parts); $at++) {
            $part = $parts[$at];
            $class = $combining[$part] ?? 0;
            for ($to = $at; $class > 0 && $to > 0 && ($combining[$parts[$to - 1]] ?? 0) > $class; $to--) {
                $parts[$to] = $parts[$to - 1];
            }
            $parts[$to] = $part;
        }
    }

    private function pair(string $first, string $second): ?string
    {
        $joint = $this->tables['composed'][$first . $second] ?? null;
        if ($joint !== null || \strlen($first) !== 3 || \strlen($second) !== 3) {
            return $joint;
        }
        $a = self::point($first);
        $b = self::point($second);
        if ($a >= 0x1100 && $a < 0x1113 && $b >= 0x1161 && $b < 0x1176) {
            return self::character(0xAC00 + ($a - 0x1100) * 588 + ($b - 0x1161) * 28);
        }
        $isOpen = $a >= 0xAC00 && $a < 0xAC00 + 11172 && ($a - 0xAC00) % 28 === 0;
        return $isOpen && $b > 0x11A7 && $b < 0x11C3 ? self::character($a + $b - 0x11A7) : null;
    }

    /** @return list<string> */
    public static function characters(string $text): array
    {
        return \preg_split('//u', $text, -1, \PREG_SPLIT_NO_EMPTY) ?: [];
    }

    public static function point(string $character): int
    {
        $first = \ord($character[0]);
        if ($first < 0x80) {
            return $first;
        }
        $size = $first < 0xE0 ? 2 : ($first < 0xF0 ? 3 : 4);
        $point = $first & (0xFF >> $size + 1);
        for ($at = 1; $at < $size; $at++) {
            $point = $point << 6 | \ord($character[$at]) & 0x3F;
        }
        return $point;
    }

    public static function character(int $point): string
    {
        if ($point < 0x80) {
            return \chr($point);
        }
        if ($point < 0x800) {
            return \chr(0xC0 | $point >> 6) . \chr(0x80 | $point & 0x3F);
        }
        $end = \chr(0x80 | $point >> 6 & 0x3F) . \chr(0x80 | $point & 0x3F);
        if ($point < 0x10000) {
            return \chr(0xE0 | $point >> 12) . $end;
        }
        return \chr(0xF0 | $point >> 18) . \chr(0x80 | $point >> 12 & 0x3F) . $end;
    }
}
