<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** A warning or error. Programs should rely on the code; the sentence may change. */
final class Note
{
    /** Of docs/codes.md. @readonly */
    public string $code;
    /** May quote what a page states, at most 200 characters of each value: escape it for output. @readonly */
    public string $sentence;

    public function __construct(string $code, ?string $sentence = null)
    {
        $this->code = $code;
        $this->sentence = $sentence ?? Reasons::SENTENCES[$code];
    }

    public function __toString(): string
    {
        return $this->code . ': ' . $this->sentence;
    }
}
