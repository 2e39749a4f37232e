<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** The checks that need only a proof. */
final class ProofResult
{
    /** signatureValid, certificateIntegrity and timestampValid. @var array<string, CheckResult> @readonly */
    public array $checkDetails;
    /** Null unless the signature is valid and the issuer trusted. @readonly */
    public ?SignedClaims $signed;

    /** @param array<string, CheckResult> $checkDetails */
    public function __construct(array $checkDetails, ?SignedClaims $signed)
    {
        $this->checkDetails = $checkDetails;
        $this->signed = $signed;
    }
}
