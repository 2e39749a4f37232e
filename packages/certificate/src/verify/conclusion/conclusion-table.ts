import { STATUS_CLAIM_FAULTS } from '../withdrawal-reasons.ts';
import { hasNote, type Row, VERIFICATION_ROWS } from './conclusions.ts';

const ANY_SIGNED = ['verified', 'failed', 'checks_failed', 'certificate_expired'] as const;
const VERIFIED = ['verified'] as const;

/** Apart from the others, since only a verifier that looks for withdrawals can draw them: a bundle without one stays small. */
const WITHDRAWAL_ROWS = [
  {
    code: 'withdrawn',
    level: 'bad',
    sentence: 'Signed for {host}, but withdrawn since by the service that issued it.',
    verdicts: ANY_SIGNED,
    when: hasNote('certificate_withdrawn'),
  },
  {
    code: 'not_in_status_list',
    level: 'bad',
    sentence:
      'Signed for {host} with a key of its issuer, but without the place in a status list of this issuer that it must have.',
    verdicts: ['failed', 'checks_failed'],
    when: hasNote(...STATUS_CLAIM_FAULTS),
  },
  {
    code: 'suspended',
    level: 'caution',
    sentence: 'Signed for {host} and this page, but the shop does not publish it at present.',
    verdicts: VERIFIED,
    when: hasNote('certificate_suspended'),
  },
  {
    code: 'withdrawal_unknown',
    level: 'none',
    sentence:
      'Signed for {host} and this page. Whether it has been withdrawn since could not be found out. Try again later.',
    verdicts: VERIFIED,
    when: hasNote('withdrawal_unknown'),
  },
] as const satisfies readonly Row<string>[];

/** Also of what was seen at no known place. */
const LOGGED = ['verified', 'undetermined'] as const;

/** Apart for the same reason. A certificate does not bind what it says about its log: no check fails by it. */
const LOG_ROWS = [
  {
    code: 'log_proof_invalid',
    level: 'caution',
    sentence:
      'Signed for {host}, but what the certificate says about its place in a transparency log is not true.',
    verdicts: LOGGED,
    when: hasNote('log_proof_invalid'),
  },
  {
    code: 'log_required',
    level: 'none',
    sentence:
      'Signed for {host}. Whether it is in a transparency log, as is required here, could not be found out.',
    verdicts: LOGGED,
    when: hasNote('log_required'),
  },
] as const satisfies readonly Row<string>[];

/** A code of the table. */
export type ConclusionCode = (
  | typeof WITHDRAWAL_ROWS
  | typeof LOG_ROWS
  | typeof VERIFICATION_ROWS
)[number]['code'];

/**
 * What is concluded from a verdict and everything else that is known: the first row that applies. One table for every surface, since a
 * verdict alone does not say whether to rely on it. The codes are part of the public contract.
 */
export const CONCLUSION_TABLE: readonly Row<ConclusionCode>[] = [
  ...WITHDRAWAL_ROWS,
  ...LOG_ROWS,
  ...VERIFICATION_ROWS,
];
