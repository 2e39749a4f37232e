import type { Withdrawal } from '@touchstone/certificate/verify';
import { Fill, Moment, useTexts } from '../ui/text.tsx';

/** Whether the certificate has been withdrawn, as far as it is known, why not if it is not, and how old the answer is. */
export function WithdrawalFact({ withdrawal }: { withdrawal: Withdrawal | undefined }) {
  const { report, withdrawalReasons } = useTexts();
  const { withdrawal: words } = report;
  if (withdrawal === undefined) return null;
  const { status, reason, listIssuedAt, nextLook } = withdrawal;
  const state = status ?? 'unknown';
  return (
    <section aria-labelledby="withdrawal">
      <h2 id="withdrawal">{words.title}</h2>
      <p data-withdrawal={state} data-reason={reason}>
        <strong>{words.states[state]}</strong> {status === 'valid' ? null : withdrawalReasons[reason]}
      </p>
      <p class="small">
        {listIssuedAt === undefined ? (
          status === null ? (
            words.unknownMeans
          ) : (
            words.asked
          )
        ) : (
          <Fill
            text={nextLook === undefined ? words.list : words.listUntil}
            values={{
              when: <Moment at={listIssuedAt} isZoned />,
              next: nextLook === undefined ? '' : <Moment at={nextLook} isZoned />,
            }}
          />
        )}
      </p>
    </section>
  );
}
