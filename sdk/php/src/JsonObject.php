<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** A JSON object as it was read: PHP's arrays cannot tell `{}` from `[]`. */
final class JsonObject
{
    /**
     * By name. PHP makes integers of names like "1": use names() to iterate.
     *
     * @var array<array-key, mixed>
     * @readonly
     */
    public array $members;

    /** @param array<array-key, mixed> $members */
    public function __construct(array $members = [])
    {
        $this->members = $members;
    }

    public function has(string $name): bool
    {
        return \array_key_exists($name, $this->members);
    }

    /**
     * The value of a member; null also if there is none.
     *
     * @return mixed
     */
    public function get(string $name)
    {
        return $this->members[$name] ?? null;
    }

    /** @return list<string> */
    public function names(): array
    {
        return \array_map('strval', \array_keys($this->members));
    }
}
