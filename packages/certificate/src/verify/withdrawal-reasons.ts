/**
 * What became of the question whether a certificate has been withdrawn, with its sentence; a closed list. `not_withdrawn`, `withdrawn`,
 * `key_revoked` and `suspended` are answers. All others are reasons why there is none: neither a pass nor a failure by itself.
 */
export const WITHDRAWAL_REASONS = {
  not_withdrawn: 'The issuer has not withdrawn the certificate.',
  withdrawn: 'The issuer has withdrawn the certificate for good.',
  key_revoked: 'The issuer has revoked the key that signed the certificate.',
  suspended: 'The shop does not publish this certificate at present.',
  not_looked_at: 'Nobody asked whether the certificate has been withdrawn.',
  registry_outdated: 'The registry is not reachable, and was read before: it may have been withdrawn since.',
  status_claim_absent: 'The proof is from before certificates named a status list.',
  status_list_unreachable: 'The status list of the issuer, or its keys, cannot be read at the moment.',
  status_list_expired: 'The status list is past its lifetime.',
  status_list_not_yet_valid: 'The status list is from the future.',
  status_list_malformed: 'The status list cannot be read.',
  status_list_too_large: 'The status list is larger than it may be.',
  status_list_type_wrong: 'What was served as a status list is a token of another type.',
  status_list_subject_differs: 'The status list is another one than the proof names.',
  status_list_signature_invalid: 'The signature of the status list does not match.',
  status_list_key_unknown: 'The issuer publishes no usable key of this name for status lists.',
  status_value_unknown: 'The status list has a value that is not defined.',
  // faults of the proof, for which nothing is looked up
  status_claim_required: 'The issuer gives every certificate a place in a status list: this one has none.',
  status_claim_malformed: 'The proof does not say where its status is listed.',
  status_uri_differs: 'The proof names a status list that is not one of its issuer.',
  status_index_out_of_range: 'The proof names a place that no status list has.',
} as const;

/** A code of `WITHDRAWAL_REASONS`. */
export type WithdrawalReason = keyof typeof WITHDRAWAL_REASONS;

/** What a withdrawal adds to the reasons and notes of a result, with its sentence; a closed list. */
export const WITHDRAWAL_NOTES = {
  certificate_withdrawn: 'The issuer has withdrawn the certificate for good.',
  certificate_suspended: 'The shop does not publish this certificate at present.',
  withdrawal_unknown: 'Whether the certificate has been withdrawn could not be found out, as was required.',
} as const;

/** A code of `WITHDRAWAL_NOTES`. */
export type WithdrawalNote = keyof typeof WITHDRAWAL_NOTES;

/** Faults of the proof: `certificateIntegrity` is false. */
export const STATUS_CLAIM_FAULTS = [
  'status_claim_required',
  'status_claim_malformed',
  'status_uri_differs',
  'status_index_out_of_range',
] as const satisfies readonly WithdrawalReason[];

/** A code of `STATUS_CLAIM_FAULTS`. */
export type StatusClaimFault = (typeof STATUS_CLAIM_FAULTS)[number];

/** Reasons that a check may have because of a withdrawal. */
export type WithdrawnCheckReason = 'certificate_withdrawn' | StatusClaimFault;

/** `invalid`: withdrawn for good. `suspended`: not published at present, and may come back. */
export const WITHDRAWAL_STATUSES = ['valid', 'invalid', 'suspended'] as const;

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Whether a certificate has been withdrawn, as far as it is known. */
export interface Withdrawal {
  /** `null`: not known, for `reason`; neither a pass nor a failure. */
  readonly status: WithdrawalStatus | null;
  readonly reason: WithdrawalReason;
  /** When the status list was issued, RFC 3339; absent if no list was read, or the registry itself answered. */
  readonly listIssuedAt?: string;
  /** From when on a newer list is looked for, RFC 3339. */
  readonly nextLook?: string;
}
