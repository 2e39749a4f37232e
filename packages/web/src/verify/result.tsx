import { Fill, Untrusted, useTexts } from '../ui/text.tsx';
import { DocumentResult } from './document-result.tsx';
import { PageResult } from './page-result.tsx';
import type { Outcome } from './use-verifier.ts';

/** What a certificate, a proof or a page comes to. */
export function Result({ outcome }: { outcome: Outcome }) {
  const { verify: words, cannotVerify } = useTexts();
  switch (outcome.kind) {
    case 'none':
      return null;
    case 'judging':
      return <p>{words.judging}</p>;
    case 'page_needed':
      return (
        <p class="notice" data-tone="neutral">
          {words.place.needed}
        </p>
      );
    case 'failed': {
      const sentences: Readonly<Record<string, string>> = cannotVerify;
      return (
        <p class="notice" data-tone="caution" data-code={outcome.code}>
          <Fill
            text={words.failed}
            values={{ why: sentences[outcome.code] ?? <Untrusted text={outcome.code} /> }}
          />
        </p>
      );
    }
    case 'judged':
      return outcome.judgement.kind === 'page' ? (
        <PageResult judgement={outcome.judgement} at={outcome.at} />
      ) : (
        <DocumentResult judgement={outcome.judgement} at={outcome.at} />
      );
  }
}
