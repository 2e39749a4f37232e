import type { DomainLog } from '@touchstone/contract';
import { FactList } from '../ui/fact-list.tsx';
import { logProofPath } from '../ui/log-paths.ts';
import { fill, Moment, Untrusted, UntrustedLink, useTexts } from '../ui/text.tsx';

type Entry = DomainLog['entries'][number];

/** One entry of the log; with the product, for whoever may see it. */
export function EntryView({ entry }: { readonly entry: Entry }) {
  const { domainLog: words } = useTexts();
  const { kind, domain, log, index, issuedAt, expiresAt, kid, proof, name, url } = entry;
  const kinds: Readonly<Record<string, string>> = words.kinds;
  const isExpired = Date.parse(expiresAt) <= Date.now();
  const certificate = certificatePath(entry);
  return (
    <li data-kind={kind}>
      <p>
        <strong>
          <Untrusted text={domain} />
        </strong>{' '}
        {kinds[kind] ?? <Untrusted text={kind} />}
      </p>
      <FactList
        facts={[
          [words.issued, <Moment at={issuedAt} isZoned />],
          [isExpired ? words.expired : words.expires, <Moment at={expiresAt} isZoned />],
          [words.key, <Untrusted text={kid} code />],
          [fill(words.place, { log }), <a href={logProofPath(proof)}>{fill(words.entry, { index })}</a>],
          [words.product, name === undefined ? undefined : <Untrusted text={name} />],
          [words.page, url === undefined ? undefined : <UntrustedLink url={url} />],
        ]}
      />
      {certificate === undefined ? null : (
        <p class="small">
          <a href={certificate}>{words.certificate}</a>
        </p>
      )}
    </li>
  );
}

/** Of the certificate of the same product or image, which has been renewed since, or withdrawn. */
function certificatePath({ kind, id }: Entry): string | undefined {
  if (id === undefined) return undefined;
  const folder = { product: 'products/', asset: 'assets/', image: '' }[kind];
  return folder === undefined ? undefined : `/api/v1/mc4p/${folder}${id}/certificate`;
}
