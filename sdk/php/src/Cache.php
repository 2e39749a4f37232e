<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/**
 * Where keys and lists are kept between requests: PHP forgets everything after each. What is kept there is trusted, so nobody else may
 * write it. Without one, they are fetched once in each process.
 */
interface Cache
{
    /** Null if nothing is kept under this key. */
    public function get(string $key): ?string;

    /** @param int $seconds after which it may be forgotten */
    public function set(string $key, string $value, int $seconds): void;
}
