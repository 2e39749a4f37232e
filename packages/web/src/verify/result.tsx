import { Fill, Untrusted, useTexts } from '../ui/text.tsx';
import { type Asking, DocumentDetails, DocumentHeadline } from './document-result.tsx';
import { PageDetails, PageHeadline } from './page-result.tsx';
import type { Outcome } from './use-verifier.ts';

/** The verdict on a certificate, a proof or a page, or why there is none yet. */
export function Headline({ outcome, ...asking }: { outcome: Outcome } & Asking) {
  const { verify: words, cannotVerify } = useTexts();
  switch (outcome.kind) {
    case 'none':
      return null;
    case 'judging':
      return <p>{words.judging}</p>;
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
      return outcome.result.kind === 'page' ? (
        <PageHeadline result={outcome.result} />
      ) : (
        <DocumentHeadline result={outcome.result} {...asking} />
      );
  }
}

/** Details of a verdict. */
export function Details({ outcome }: { outcome: Outcome }) {
  if (outcome.kind !== 'judged') return null;
  const { result, at } = outcome;
  return result.kind === 'page' ? (
    <PageDetails result={result} at={at} />
  ) : (
    <DocumentDetails result={result} at={at} />
  );
}
