<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** Whether a certificate was withdrawn, as far as it is known. */
final class Withdrawal
{
    /** Faults of the proof: certificateIntegrity is false. */
    public const CLAIM_FAULTS = ['status_claim_required', 'status_claim_malformed', 'status_uri_differs', 'status_index_out_of_range'];

    /** `valid`, `invalid` (for good) or `suspended`; null: not known, which is neither a pass nor a failure. @readonly */
    public ?string $status;
    /** Of docs/codes.md. @readonly */
    public string $reason;
    /** When the list was issued, RFC 3339; null if none was read. @readonly */
    public ?string $listIssuedAt;
    /** From when on a newer list is looked for, RFC 3339. @readonly */
    public ?string $nextLook;

    public function __construct(?string $status, string $reason, ?string $listIssuedAt = null, ?string $nextLook = null)
    {
        $this->status = $status;
        $this->reason = $reason;
        $this->listIssuedAt = $listIssuedAt;
        $this->nextLook = $nextLook;
    }

    /**
     * @param VerificationResult|ProfileResult $result
     * @return VerificationResult|ProfileResult
     * @internal see Verifier::withWithdrawal()
     */
    public function appliedTo($result, string $policy)
    {
        if (!\in_array($policy, ['required', 'ifReachable', 'none'], true)) {
            throw new \InvalidArgumentException("The policy must be 'required', 'ifReachable' or 'none'.");
        }
        $details = $result->checkDetails;
        // its key is no longer accepted where it was revoked
        $isSigned = $details['signatureValid']->result === true || $this->reason === 'key_revoked';
        if (!$isSigned || $policy === 'none') {
            return self::changed($result, $details, $result->warnings, $result->errors, new self(null, 'not_looked_at'), null);
        }
        $errors = $result->errors;
        $warnings = $result->warnings;
        $failing = null;
        if ($this->status === 'invalid') {
            $failing = ['boundToDomain', 'certificate_withdrawn'];
            $errors = \array_filter($errors, static fn (Note $one): bool => $one->code !== 'domain_differs');
        } elseif (\in_array($this->reason, self::CLAIM_FAULTS, true)) {
            $failing = $details['certificateIntegrity']->result === false ? null : ['certificateIntegrity', $this->reason];
        } elseif ($this->status === 'suspended') {
            \array_unshift($warnings, new Note('certificate_suspended'));
        } elseif ($this->status === null && $policy === 'required') {
            \array_unshift($warnings, new Note('withdrawal_unknown'));
        }
        if ($failing !== null) {
            $details[$failing[0]] = CheckResult::failed($failing[1]);
            $errors = \array_merge([new Note($failing[1])], $errors);
        }
        $worst = $failing !== null ? 'untrusted' : (\count($warnings) > \count($result->warnings) ? 'undetermined' : null);
        return self::changed($result, $details, $warnings, \array_values($errors), $this, $worst);
    }

    /**
     * @param VerificationResult|ProfileResult $result
     * @param array<string, CheckResult> $details
     * @param list<Note> $warnings
     * @param list<Note> $errors
     * @param ?string $worst of the profiles; null: they stay
     * @return VerificationResult|ProfileResult
     */
    private static function changed($result, array $details, array $warnings, array $errors, self $known, ?string $worst)
    {
        if ($result instanceof VerificationResult) {
            $status = $worst === 'untrusted' ? 'failed' : $result->status;
            return new VerificationResult($status, $result->productId, $result->signed, $details, $warnings, $errors, $known);
        }
        $told = static fn (string $status): string => $worst === 'untrusted' || ($worst !== null && $status === 'trusted') ? $worst : $status;
        $profiles = \array_map($told, $result->profiles);
        $changed = new ProfileResult('minimal', $profiles, $result->signed, $details, $warnings, $errors, $known);
        $changed->status = $told($result->status);
        return $changed;
    }
}
