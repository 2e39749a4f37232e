import type { SweepPageList } from '@touchstone/contract';
import { fill, Untrusted, UntrustedLink, useTexts } from '../../ui/text.tsx';
import { At, type Standing, State } from '../parts/display.tsx';
import { Reason } from '../parts/reason.tsx';
import { href } from '../routes.ts';
import { useWords } from '../tools.ts';

/** Results of a page check, those that need attention first. */
export const PAGE_RESULTS = [
  'failed',
  'expired',
  'lost',
  'unreachable',
  'missing',
  'stale',
  'verified',
] as const;

const STANDINGS: Readonly<Record<(typeof PAGE_RESULTS)[number], Standing>> = {
  failed: 'bad',
  expired: 'bad',
  lost: 'bad',
  unreachable: 'bad',
  missing: 'open',
  stale: 'open',
  verified: 'good',
};

/** The last check of a page: its result, the reason for a failure, and what to do. */
export function PageRow({ storeId, page }: { storeId: string; page: SweepPageList['pages'][number] }) {
  const { pages: words } = useWords();
  const { sweeps } = useTexts();
  const {
    url,
    productId,
    externalProductId,
    result,
    reason,
    landing,
    expiresAt,
    drift,
    checkedAt,
    since,
    reportId,
  } = page;
  const { sentence, nextStep } = sweeps[result];
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <UntrustedLink url={url} />
        </span>
        <span class="row-detail">
          <a href={href('product', { storeId, productId })}>
            <Untrusted text={fill(words.of, { id: externalProductId })} />
          </a>
        </span>
        {result === 'verified' ? null : (
          <>
            <p>{sentence}</p>
            {reason === undefined ? null : <Reason note={reason} />}
            {landing === undefined ? null : (
              <p class="hint">
                <Untrusted text={fill(words.landing, { url: landing })} />
              </p>
            )}
            {nextStep === '' ? null : (
              <p class="next-step">
                <strong>{words.nextStep}: </strong>
                {nextStep}
              </p>
            )}
          </>
        )}
        {drift === undefined ? null : <Drift drift={drift} />}
        <p class="hint">
          <At text={words.checked} at={checkedAt} /> · <At text={words.since} at={since} />
          {expiresAt === undefined ? null : ' · '}
          <At text={words.expires} at={expiresAt} />
        </p>
      </div>
      <div class="row-side">
        <State standing={STANDINGS[result]} label={words.results[result]} />
        <a href={`/api/v1/mc4p/page-checks/${reportId}`}>{words.report}</a>
      </div>
    </li>
  );
}

type DriftList = NonNullable<SweepPageList['pages'][number]['drift']>;

/** What the page states that differs from the catalogue or from its certificate. */
function Drift({ drift }: { drift: DriftList }) {
  const { pages: words } = useWords();
  return (
    <>
      <p>
        <strong>{words.driftTitle}</strong>
      </p>
      <ul>
        {drift.map(({ field, page, catalogue, signed, since }) => (
          <li key={field}>
            <Untrusted
              text={fill(words.driftPage, { field: words.driftFields[field], value: quoted(page) })}
            />
            {catalogue === undefined ? null : (
              <>
                , <Untrusted text={fill(words.driftCatalogue, { value: quoted(catalogue) })} />
              </>
            )}
            {signed === undefined ? null : (
              <>
                , <Untrusted text={fill(words.driftSigned, { value: quoted(signed) })} />
              </>
            )}
            . <At text={words.driftSince} at={since} />
          </li>
        ))}
      </ul>
      <p class="next-step">
        <strong>{words.nextStep}: </strong>
        {words.driftStep}
      </p>
    </>
  );
}

const quoted = (text: string) => `“${text}”`;
