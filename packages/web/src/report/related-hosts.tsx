import type { PageReport } from '@touchstone/certificate/schema';
import { Month } from '../ui/month.tsx';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';

/** The proven hosts that the host of the page resembles: facts, told before what is concluded from a page without a certificate. */
export function RelatedHosts({ related = [] }: { readonly related: PageReport['related'] }) {
  const { report: words } = useTexts();
  if (related.length === 0) return null;
  return (
    <section class="notice" data-tone="caution" data-related>
      {related.map(({ host, provenSince }) => (
        <p key={host}>
          <Fill
            text={words.relatedHost}
            values={{ host: <Untrusted text={host} />, month: <Month month={provenSince} /> }}
          />
        </p>
      ))}
    </section>
  );
}
