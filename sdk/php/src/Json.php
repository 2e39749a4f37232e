<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/**
 * Reads JSON (RFC 8259) the way a proof needs it. json_decode() keeps the last of two equal names, refuses what is over a depth,
 * rounds differently and cannot tell objects from lists: here every number is a double (1e400 is INF, 9007199254740993 is
 * 9007199254740992), objects are JsonObject, lists are arrays.
 */
final class Json
{
    /** Containers below are read and checked, but empty in the result: no rule of certificates looks deeper than 64. */
    private const KEPT_DEPTH = 200;

    private const NUMBER = '/\G-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?/';
    private const SURROGATE = '/\xED[\xA0-\xBF][\x80-\xBF]/';
    private const ESCAPED = [
        '"' => '"', '\\' => '\\', '/' => '/', 'b' => "\x08", 'f' => "\f", 'n' => "\n", 'r' => "\r", 't' => "\t",
    ];

    private string $text;
    private int $at = 0;
    private bool $isUnique;

    private function __construct(string $text, bool $isUnique)
    {
        $this->text = $text;
        $this->isUnique = $isUnique;
    }

    /**
     * Reads any JSON value; of equal names the last counts.
     *
     * @return mixed JsonObject, list, string, float, bool or null
     * @throws JsonFault
     */
    public static function parse(string $text)
    {
        // a lone surrogate, as three bytes: no UTF-8, but JavaScript's texts may have one
        if (!self::isUtf8($text) && !self::isUtf8((string) \preg_replace(self::SURROGATE, '?', $text))) {
            throw new JsonFault('It is not UTF-8.');
        }
        return (new self($text, false))->value();
    }

    /** Bytes as one JSON object in UTF-8, without byte order mark and without a name twice at any depth; null for anything else. */
    public static function strictObject(string $bytes): ?JsonObject
    {
        try {
            $value = self::isUtf8($bytes) ? (new self($bytes, true))->value() : null;
        } catch (JsonFault $fault) {
            return null;
        }
        return $value instanceof JsonObject ? $value : null;
    }

    /**
     * What json_decode() returned, in the form of parse(). Prefer the text: an empty array stays a list, and what json_decode() lost
     * is lost.
     *
     * @param mixed $value
     * @return mixed
     */
    public static function of($value, int $depth = 0)
    {
        if (\is_int($value)) {
            return (float) $value;
        }
        if (!\is_array($value) && !($value instanceof \stdClass)) {
            return $value;
        }
        $isList = \is_array($value) && ($value === [] || \array_keys($value) === \range(0, \count($value) - 1));
        $members = [];
        if ($depth < self::KEPT_DEPTH) {
            foreach ((array) $value as $name => $member) {
                $members[$name] = self::of($member, $depth + 1);
            }
        }
        return $isList ? $members : new JsonObject(self::inOrder($members));
    }

    private static function isUtf8(string $bytes): bool
    {
        return \preg_match('//u', $bytes) === 1;
    }

    /**
     * Without recursion, so that a text of nothing but brackets cannot exhaust the stack.
     *
     * @return mixed
     */
    private function value()
    {
        $values = []; // of each open container
        $names = []; // the name under which the next value of each stands; null: a list
        $depth = 0;
        while (true) {
            $next = $this->next();
            if ($next === '{' || $next === '[') {
                $this->at++;
                $isEmpty = $this->next() === ($next === '{' ? '}' : ']');
                if (!$isEmpty) {
                    $values[$depth] = [];
                    $names[$depth] = $next === '{' ? $this->name([]) : null;
                    $depth++;
                    continue;
                }
                $this->at++;
                $value = $next === '{' ? new JsonObject() : [];
            } else {
                $value = $this->scalar($next);
            }
            while (true) {
                if ($depth === 0) {
                    if ($this->next() !== '') {
                        throw new JsonFault('Something follows the value.');
                    }
                    return $value;
                }
                $top = $depth - 1;
                $isObject = $names[$top] !== null;
                if ($isObject) {
                    $values[$top][$names[$top]] = $depth > self::KEPT_DEPTH ? null : $value;
                } elseif ($depth <= self::KEPT_DEPTH) {
                    $values[$top][] = $value;
                }
                $next = $this->next();
                if ($next === ',') {
                    $this->at++;
                    if ($isObject) {
                        $names[$top] = $this->name($values[$top]);
                    }
                    break;
                }
                if ($next !== ($isObject ? '}' : ']')) {
                    throw new JsonFault('A container does not end.');
                }
                $this->at++;
                $depth--;
                $value = $depth >= self::KEPT_DEPTH ? [] : $values[$depth];
                if ($isObject) {
                    $value = new JsonObject(self::inOrder($value));
                }
                unset($values[$depth], $names[$depth]);
            }
        }
    }

    /** The next character that is no white space; '' at the end. */
    private function next(): string
    {
        $this->at += \strspn($this->text, " \t\n\r", $this->at);
        return $this->text[$this->at] ?? '';
    }

    /** @param array<array-key, mixed> $known */
    private function name(array $known): string
    {
        if ($this->next() !== '"') {
            throw new JsonFault('A name is missing.');
        }
        $name = $this->string();
        if ($this->isUnique && \array_key_exists($name, $known)) {
            throw new JsonFault('A name stands twice.');
        }
        if ($this->next() !== ':') {
            throw new JsonFault('A colon is missing.');
        }
        $this->at++;
        return $name;
    }

    /** @return string|float|bool|null */
    private function scalar(string $first)
    {
        if ($first === '"') {
            return $this->string();
        }
        foreach (['true' => true, 'false' => false, 'null' => null] as $word => $value) {
            if ($first === $word[0] && \substr_compare($this->text, $word, $this->at, \strlen($word)) === 0) {
                $this->at += \strlen($word);
                return $value;
            }
        }
        if (\preg_match(self::NUMBER, $this->text, $found, 0, $this->at) !== 1) {
            throw new JsonFault('A value is missing.');
        }
        $this->at += \strlen($found[0]);
        return (float) $found[0];
    }

    private function string(): string
    {
        $out = '';
        for ($this->at++; ; ) {
            $length = \strcspn($this->text, "\"\\\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f", $this->at);
            $out .= \substr($this->text, $this->at, $length);
            $this->at += $length;
            $end = $this->text[$this->at] ?? '';
            if ($end === '"') {
                $this->at++;
                break;
            }
            if ($end !== '\\') {
                throw new JsonFault('A text does not end.');
            }
            $kind = $this->text[$this->at + 1] ?? '';
            if ($kind === 'u' && \preg_match('/\G[0-9A-Fa-f]{4}/', $this->text, $found, 0, $this->at + 2) === 1) {
                $out .= self::encoded((int) \hexdec($found[0]));
                $this->at += 6;
            } elseif (isset(self::ESCAPED[$kind])) {
                $out .= self::ESCAPED[$kind];
                $this->at += 2;
            } else {
                throw new JsonFault('An escape is none.');
            }
        }
        return \strpos($out, "\xED") === false ? $out : self::joined($out);
    }

    /** One UTF-16 unit in UTF-8; a surrogate has three bytes. */
    private static function encoded(int $unit): string
    {
        if ($unit < 0x80) {
            return \chr($unit);
        }
        if ($unit < 0x800) {
            return \chr(0xC0 | $unit >> 6) . \chr(0x80 | $unit & 0x3F);
        }
        return \chr(0xE0 | $unit >> 12) . \chr(0x80 | $unit >> 6 & 0x3F) . \chr(0x80 | $unit & 0x3F);
    }

    /** Makes one character of each pair of surrogates. */
    private static function joined(string $text): string
    {
        $one = static function (array $found): string {
            $high = (\ord($found[1]) & 0x0F) << 6 | \ord($found[2]) & 0x3F;
            $low = (\ord($found[3]) & 0x0F) << 6 | \ord($found[4]) & 0x3F;
            $point = 0x10000 + ($high << 10 | $low);
            return \chr(0xF0 | $point >> 18) . \chr(0x80 | $point >> 12 & 0x3F)
                . \chr(0x80 | $point >> 6 & 0x3F) . \chr(0x80 | $point & 0x3F);
        };
        return (string) \preg_replace_callback(
            '/\xED([\xA0-\xAF])([\x80-\xBF])\xED([\xB0-\xBF])([\x80-\xBF])/',
            $one,
            $text
        );
    }

    /**
     * Names that are indices come first, in their order, as in JavaScript: a context whose terms refer to each other depends on it.
     *
     * @param array<array-key, mixed> $members
     * @return array<array-key, mixed>
     */
    private static function inOrder(array $members): array
    {
        $indices = [];
        foreach ($members as $name => $_) {
            if (\is_int($name) && $name >= 0 && $name < 4294967295) {
                $indices[] = $name;
            }
        }
        if ($indices === []) {
            return $members;
        }
        \sort($indices);
        $ordered = [];
        foreach ($indices as $name) {
            $ordered[$name] = $members[$name];
        }
        return $ordered + $members;
    }
}
