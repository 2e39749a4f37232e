<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The verdict on a certificate. */
final class VerificationResult
{
    /** The six checks that decide. */
    public const LOAD_BEARING = [
        'signatureValid', 'certificateIntegrity', 'timestampValid', 'boundToDomain', 'productIdMatches', 'boundToUrl',
    ];

    /** `verified`, `failed` (signed, but a check failed) or `unverified` (nothing signed). @readonly */
    public string $status;
    /** The product in question. @readonly */
    public string $productId;
    /** Null unless the signature is valid and the issuer trusted. @readonly */
    public ?SignedClaims $signed;
    /** By name; null: it did not run, which is no pass. @var array<string, ?bool> @readonly */
    public array $checks;
    /** @var array<string, CheckResult> @readonly */
    public array $checkDetails;
    /** @var list<Note> @readonly */
    public array $warnings;
    /** One for each reason of the six that are false. @var list<Note> @readonly */
    public array $errors;
    /** @readonly */
    public Conclusion $conclusion;
    /** Whether it has been withdrawn; null if nobody looked (Verifier::withWithdrawal). @readonly */
    public ?Withdrawal $withdrawal;
    /** Name and version of the verifier. @readonly */
    public string $verifier = Verifier::NAME;

    /**
     * @param array<string, CheckResult> $checkDetails
     * @param list<Note> $warnings
     * @param list<Note> $errors
     */
    public function __construct(
        string $status,
        string $productId,
        ?SignedClaims $signed,
        array $checkDetails,
        array $warnings,
        array $errors,
        ?Withdrawal $withdrawal = null
    ) {
        $this->status = $status;
        $this->productId = $productId;
        $this->signed = $signed;
        $this->checkDetails = $checkDetails;
        $this->checks = \array_map(static fn (CheckResult $one): ?bool => $one->result, $checkDetails);
        $this->warnings = $warnings;
        $this->errors = $errors;
        $this->withdrawal = $withdrawal;
        $this->conclusion = new Conclusion($status, $this->checks, $signed, \array_merge($errors, $warnings));
    }
}
