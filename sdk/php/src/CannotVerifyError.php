<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/**
 * No verdict on a certificate is possible for a reason outside the certificate. It is never told as a failed check: with keys that cannot
 * be read, every genuine certificate would look forged.
 */
final class CannotVerifyError extends \RuntimeException
{
    private const SENTENCES = [
        'no_trusted_issuer' => 'No issuer is trusted. Name the base address of the service whose certificates you trust.',
        'keys_unavailable' => 'The public keys cannot be read at the moment. Keys read before the proof was issued may lack its key.',
        'keys_address_unsafe' => 'Keys are only taken from an absolute https address, or from this machine.',
    ];

    /** `no_trusted_issuer`, `keys_unavailable` or `keys_address_unsafe`. (An exception's own `code` is a number.) @readonly */
    public string $reason;

    public function __construct(string $reason, string $detail = '', ?\Throwable $cause = null)
    {
        parent::__construct(\rtrim(self::SENTENCES[$reason] . ' ' . $detail), 0, $cause);
        $this->reason = $reason;
    }
}
