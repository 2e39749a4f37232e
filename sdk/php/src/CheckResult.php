<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The result of one check. */
final class CheckResult
{
    /** Null: it did not run. False: it ran and failed. @readonly */
    public ?bool $result;
    /** A code of docs/codes.md. @readonly */
    public string $reason;
    /** The value that a passing document would have had, at most 200 characters; null where it would not help. @readonly */
    public ?string $expected;
    /** The value found. @readonly */
    public ?string $actual;

    private function __construct(?bool $result, string $reason, ?string $expected, ?string $actual)
    {
        $this->result = $result;
        $this->reason = $reason;
        $this->expected = $expected === null ? null : Text::cut($expected, 200);
        $this->actual = $actual === null ? null : Text::cut($actual, 200);
    }

    public static function passed(): self
    {
        return new self(true, 'ok', null, null);
    }

    public static function notRun(string $reason): self
    {
        return new self(null, $reason, null, null);
    }

    public static function failed(string $reason, ?string $expected = null, ?string $actual = null): self
    {
        return new self(false, $reason, $expected, $actual);
    }
}
