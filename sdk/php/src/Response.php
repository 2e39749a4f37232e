<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** What an address answered. A function that fetches returns it. */
final class Response
{
    /** @readonly */
    public int $status;
    /** @readonly */
    public string $body;
    /** By names in small letters. @var array<string, string> @readonly */
    public array $headers;

    /** @param array<string, string> $headers */
    public function __construct(int $status, string $body, array $headers = [])
    {
        $this->status = $status;
        $this->body = $body;
        $this->headers = \array_change_key_case($headers);
    }
}
