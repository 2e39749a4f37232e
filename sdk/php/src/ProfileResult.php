<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** A certificate by the profiles of docs/interpretation.md. */
final class ProfileResult
{
    /** Of the profile in question: `trusted`, `untrusted` or `undetermined`. @readonly */
    public string $status;
    /** The same of `minimal`, `standard` and `full`. Full needs a reader of C2PA manifests, so it is never trusted here. @var array<string, string> @readonly */
    public array $profiles;
    /** Null unless the signature is valid and the issuer trusted. @readonly */
    public ?SignedClaims $signed;
    /** @var array<string, CheckResult> @readonly */
    public array $checkDetails;
    /** @var list<Note> @readonly */
    public array $warnings;
    /** @var list<Note> @readonly */
    public array $errors;
    /** @readonly */
    public ?Withdrawal $withdrawal;
    /** Name and version of the verifier. @readonly */
    public string $verifier = Verifier::NAME;

    /**
     * @param array<string, string> $profiles
     * @param array<string, CheckResult> $checkDetails
     * @param list<Note> $warnings
     * @param list<Note> $errors
     */
    public function __construct(
        string $profile,
        array $profiles,
        ?SignedClaims $signed,
        array $checkDetails,
        array $warnings,
        array $errors,
        ?Withdrawal $withdrawal = null
    ) {
        $this->status = $profiles[$profile];
        $this->profiles = $profiles;
        $this->signed = $signed;
        $this->checkDetails = $checkDetails;
        $this->warnings = $warnings;
        $this->errors = $errors;
        $this->withdrawal = $withdrawal;
    }
}
