import type { DomainLog } from '@touchstone/contract';

/** An Atom feed (RFC 4287) of what was issued for a domain. */
export function renderFeed(
  { host, self, baseUrl }: { readonly host: string; readonly self: string; readonly baseUrl: string },
  entries: DomainLog['entries'],
): string {
  const updated = entries[0]?.issuedAt ?? new Date(0).toISOString();
  const items = entries.map(
    ({ log, index, kind, domain, issuedAt, kid, proof }) => `  <entry>
    <id>${escaped(`${baseUrl}/api/v1/mc4p/log/${log}#${index}`)}</id>
    <title>${escaped(`${kind} certificate for ${domain}`)}</title>
    <updated>${issuedAt}</updated>
    <link rel="alternate" type="text/plain" href="${escaped(`${baseUrl}/api/v1/mc4p/log/proofs/${proof}`)}"/>
    <summary>${escaped(`Key ${kid}; leaf ${index} of the log ${log}.`)}</summary>
  </entry>\n`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(self)}</id>
  <title>${escaped(`Certificates issued for ${host}`)}</title>
  <updated>${updated}</updated>
  <author><name>${escaped(baseUrl)}</name></author>
  <link rel="self" type="application/atom+xml" href="${escaped(self)}"/>
${items.join('')}</feed>
`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
