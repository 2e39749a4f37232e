<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Canonical JSON (RFC 8785), of which members of documents have their digests. */
final class CanonicalJson
{
    private const MAX_DEPTH = 64;
    private const MAX_LENGTH = 4194304;
    private const MAX_VALUES = 20000;

    private string $namespace;
    private int $left = self::MAX_LENGTH;
    private int $values = self::MAX_VALUES;

    private function __construct(string $namespace)
    {
        $this->namespace = $namespace;
    }

    /**
     * Null for a lone surrogate, a number beyond doubles, over 64 levels, 20,000 values or 4,194,304 characters.
     *
     * @param mixed $value in the form of Json::parse()
     * @param string $namespace names that begin with it are written with `svc:` in its place
     */
    public static function of($value, string $namespace = ''): ?string
    {
        $text = (new self($namespace))->write($value, 0);
        return $text === null || Text::length($text) > self::MAX_LENGTH ? null : $text;
    }

    /** @param mixed $value */
    private function write($value, int $depth): ?string
    {
        if (--$this->values < 0) {
            return null;
        }
        if (\is_string($value)) {
            $this->left -= Text::length($value) + 2;
            return $this->left < 0 ? null : Text::quoted($value);
        }
        if (\is_float($value)) {
            return \is_finite($value) ? Text::number($value) : null;
        }
        if ($value === null || \is_bool($value)) {
            return $value === null ? 'null' : ($value ? 'true' : 'false');
        }
        $this->left -= 2;
        if ($depth >= self::MAX_DEPTH || $this->left < 0) {
            return null;
        }
        return \is_array($value) ? $this->list($value, $depth) : $this->object($value, $depth);
    }

    /** @param list<mixed> $value */
    private function list(array $value, int $depth): ?string
    {
        $this->left -= \count($value);
        $parts = [];
        foreach ($value as $entry) {
            $text = $this->write($entry, $depth + 1);
            if ($text === null) {
                return null;
            }
            $parts[] = $text;
        }
        return '[' . \implode(',', $parts) . ']';
    }

    private function object(JsonObject $value, int $depth): ?string
    {
        $size = \strlen($this->namespace);
        $members = [];
        foreach ($value->members as $spelling => $member) {
            $name = (string) $spelling;
            $this->left -= Text::length($name);
            if ($size > 0 && \strncmp($name, $this->namespace, $size) === 0) {
                $name = 'svc:' . \substr($name, $size);
            }
            $text = $this->write($member, $depth + 1);
            $key = Text::quoted($name);
            if ($text === null || $key === null || isset($members[$name])) {
                return null;
            }
            $members[$name] = $key . ':' . $text;
        }
        \uksort($members, static fn ($a, $b): int => Text::compare((string) $a, (string) $b));
        return '{' . \implode(',', $members) . '}';
    }
}
