import { WITHDRAWAL_REASONS, type Withdrawal } from '@touchstone/certificate/verify';

/** Whether the certificate has been withdrawn, and how old that knowledge is; nothing if nothing was verified. */
export function withdrawalRow(withdrawal: Withdrawal | undefined): (readonly [string, string])[] {
  if (withdrawal === undefined) return [];
  const { reason, status, listIssuedAt } = withdrawal;
  const sentence = WITHDRAWAL_REASONS[reason];
  const known = status === null ? `not known: ${sentence}` : sentence;
  return [
    [
      'withdrawal',
      listIssuedAt === undefined ? known : `${known} So says the status list of ${listIssuedAt}.`,
    ],
  ];
}
