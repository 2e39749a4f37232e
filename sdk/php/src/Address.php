<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/**
 * An absolute http or https address, taken apart as browsers do (WHATWG URL standard). parse_url() is none of these: it takes the
 * backslash, white space, credentials and ports otherwise.
 */
final class Address
{
    private const PORTS = ['http' => 80, 'https' => 443];
    private const IN_PATH = "\"#<>?^`{}";
    private const IN_QUERY = "\"#<>'";
    private const IN_FRAGMENT = "\"<>`";
    private const IN_CREDENTIALS = "\"#<>?^`{}/:;=@[\\]|";

    /** @readonly */
    public string $scheme;
    /** @readonly */
    public string $credentials;
    /** With a dot at its end, if it is there. @readonly */
    public string $host;
    /** Null: that of the scheme. @readonly */
    public ?int $port;
    /** @readonly */
    public string $path;
    /** Without the question mark; null: none. @readonly */
    public ?string $query;
    /** Without the hash; null: none. @readonly */
    public ?string $fragment;

    private function __construct()
    {
    }

    /** Null for anything but an absolute http or https address. */
    public static function parse(string $text): ?self
    {
        return self::read(self::withoutWhiteSpace($text), null);
    }

    /** Resolves a reference; null if it is, or the base is, no http or https address. */
    public static function resolve(string $text, string $base): ?self
    {
        $from = self::parse($base);
        return $from === null ? null : self::read(self::withoutWhiteSpace($text), $from);
    }

    /** Without the dot at its end. */
    public function hostname(): string
    {
        return \substr($this->host, -1) === '.' ? \substr($this->host, 0, -1) : $this->host;
    }

    public function text(): string
    {
        $credentials = $this->credentials === '' ? '' : $this->credentials . '@';
        return $this->scheme . '://' . $credentials . $this->host . ($this->port === null ? '' : ':' . $this->port) . $this->path
            . ($this->query === null ? '' : '?' . $this->query) . ($this->fragment === null ? '' : '#' . $this->fragment);
    }

    /** What every address is first: without white space around it and without line breaks and tabs; the scheme in small letters. */
    public static function withoutWhiteSpace(string $text): string
    {
        $text = \str_replace(["\t", "\n", "\r"], '', \trim($text, "\x00..\x20"));
        $lower = static fn (array $found): string => Text::lower($found[0]);
        return (string) \preg_replace_callback('/^[A-Za-z][A-Za-z0-9+.\-]*:/', $lower, $text);
    }

    private static function read(string $text, ?self $base): ?self
    {
        $found = [];
        $isAbsolute = \preg_match('/^(https?):/i', $text, $found) === 1;
        $scheme = $isAbsolute ? Text::lower($found[1]) : ($base->scheme ?? '');
        $rest = $isAbsolute ? \substr($text, \strlen($found[0])) : $text;
        if (!$isAbsolute && ($base === null || \preg_match('/^[A-Za-z][A-Za-z0-9+.\-]*:/', $text) === 1)) {
            return null;
        }
        if (\preg_match('/^[\/\\\\]{2}/', $rest) === 1 || $base === null || $isAbsolute && $scheme !== $base->scheme) {
            return self::absolute($scheme, $rest);
        }
        return self::relative($rest, $base);
    }

    private static function absolute(string $scheme, string $rest): ?self
    {
        if (\preg_match('/^[\/\\\\]*([^\/\\\\?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/Ds', $rest, $found, \PREG_UNMATCHED_AS_NULL) !== 1) {
            return null;
        }
        $at = \strrpos((string) $found[1], '@');
        $credentials = $at === false ? '' : \substr((string) $found[1], 0, $at);
        $server = $at === false ? (string) $found[1] : \substr((string) $found[1], $at + 1);
        if (\preg_match('/^(\[[^\]]*\]|[^:\[]*)(?::([0-9]*))?$/Ds', $server, $split) !== 1) {
            return null;
        }
        $digits = \ltrim($split[2] ?? '', '0');
        $port = ($split[2] ?? '') === '' ? null : (int) \substr($digits, 0, 6);
        $host = Host::parse($split[1]);
        if ($host === null || $port > 65535) {
            return null;
        }
        $address = new self();
        $address->scheme = $scheme;
        $address->host = $host;
        $address->port = $port === self::PORTS[$scheme] ? null : $port;
        [$user, $word] = \explode(':', $credentials, 2) + [1 => ''];
        $address->credentials = self::encoded($user, self::IN_CREDENTIALS) . ($word === '' ? '' : ':' . self::encoded($word, self::IN_CREDENTIALS));
        $address->path = self::path((string) $found[2], []);
        return $address->followedBy($found[3], $found[4]);
    }

    private static function relative(string $rest, self $base): self
    {
        \preg_match('/^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/Ds', $rest, $found, \PREG_UNMATCHED_AS_NULL);
        $path = (string) $found[1];
        $address = clone $base;
        if ($path !== '') {
            $isRooted = $path[0] === '/' || $path[0] === '\\';
            $above = $isRooted ? [] : \array_slice(\explode('/', $base->path), 1, -1);
            $address->path = self::path($isRooted ? $path : '/' . $path, $above);
        }
        $query = $found[2] ?? null;
        if ($path === '' && $query === null) {
            $address->fragment = null;
            return ($found[3] ?? null) === null ? $address : $address->withFragment((string) $found[3]);
        }
        return $address->followedBy($query, $found[3] ?? null);
    }

    private function followedBy(?string $query, ?string $fragment): self
    {
        $this->query = $query === null ? null : self::encoded($query, self::IN_QUERY);
        $this->fragment = null;
        return $fragment === null ? $this : $this->withFragment($fragment);
    }

    private function withFragment(string $fragment): self
    {
        $this->fragment = self::encoded($fragment, self::IN_FRAGMENT);
        return $this;
    }

    /** @param list<string> $path of the segments above */
    private static function path(string $text, array $path): string
    {
        $segments = \preg_split('/[\/\\\\]/', $text) ?: [];
        \array_shift($segments);
        $last = \count($segments) - 1;
        foreach ($segments === [] ? [''] : $segments as $place => $segment) {
            $dots = \str_ireplace('%2e', '.', $segment);
            if ($dots === '..') {
                \array_pop($path);
            }
            if ($dots !== '.' && $dots !== '..') {
                $path[] = self::encoded($segment, self::IN_PATH);
            } elseif ($place === $last) {
                $path[] = '';
            }
        }
        return '/' . \implode('/', $path);
    }

    private static function encoded(string $text, string $more): string
    {
        // a lone surrogate becomes U+FFFD
        $text = (string) \preg_replace('/\xED[\xA0-\xBF][\x80-\xBF]/', "\u{FFFD}", $text);
        $encode = static fn (array $found): string => \sprintf('%%%02X', \ord($found[0]));
        return (string) \preg_replace_callback('/[\x00-\x20\x7F-\xFF' . \preg_quote($more, '/') . ']/', $encode, $text);
    }
}
