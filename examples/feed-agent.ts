/**
 * An agent that shops in a product feed and verifies before it buys, without a tool server:
 *
 *   node examples/feed-agent.ts https://certificates.example https://shop.example < feed.xml
 *
 * (Node 22.18 or later, which runs TypeScript; here also node_modules/.bin/node.)
 *
 * It verifies each item itself, by the public keys of the service: field by field against the certificate that the item carries. That an item
 * agrees is no reason to buy: anybody can copy an item with its certificate and link. So it has the page checked by the service, and buys
 * only if that is good and the page asks the same price. Prints one line for each item.
 *
 * With ISSUER=https://certificates.example the service may be reached at another address: for trying it out.
 */
import { type ReadItem, readItems } from '@touchstone/catalogue';
import { createTrust, reportContradictions } from '@touchstone/certificate';
import { verifyItem } from '@touchstone/certificate/item';
import type { PageReport } from '@touchstone/certificate/schema';

const [service, shop] = process.argv.slice(2);
if (service === undefined || shop === undefined) {
  process.stderr.write(
    'node examples/feed-agent.ts <address of the service> <who offers the items> < feed\n',
  );
  process.exit(64);
}

/** Milliseconds. */
const PATIENCE = 20_000;
const trust = createTrust({
  trustedIssuers: [process.env.ISSUER ?? service],
  jwksUrl: new URL('/api/v1/.well-known/jwks.json', service).href,
});

async function checkPage(url: string): Promise<PageReport> {
  const response = await fetch(new URL('/api/v1/mc4p/page-checks', service), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!response.ok) throw new Error(`the page was not checked: status ${response.status}`);
  return (await response.json()) as PageReport;
}

/** Text of others: no line break in it makes a line of ours. */
const quoted = (value: unknown): string => JSON.stringify(value ?? 'nothing stated');

for await (const row of readItems(process.stdin, { source: shop })) {
  if ('problem' in row) {
    process.stdout.write(`row ${row.problem.row}: leave it: ${row.problem.code}\n`);
    continue;
  }
  const decision = await decide(row.item).catch(
    (error: unknown) => `could not ask: ${quoted(error instanceof Error ? error.message : error)}`,
  );
  process.stdout.write(`${quoted(row.item.id)}: ${decision}\n`);
}

async function decide(item: ReadItem): Promise<string> {
  const { conclusion, fields } = await verifyItem(item, { trust, now: new Date(), source: shop });
  if (conclusion.code !== 'item_agrees') {
    const differing = Object.entries(fields).flatMap(([name, { result }]) =>
      result === 'differs' ? [name] : [],
    );
    return `leave it: ${conclusion.code}${differing.length === 0 ? '' : ` (${differing.join(', ')})`}`;
  }
  const url = item.link ?? '';
  const report = await checkPage(url);
  const [wrong] = reportContradictions(report, { url });
  if (wrong !== undefined) return `leave it: the service contradicts itself (${quoted(wrong)})`;
  if (report.conclusion.level !== 'good') return `leave it: its page is ${report.conclusion.code}`;
  const { price, currency } = report.facts;
  const [asked] = item.prices;
  if (asked?.currency !== currency?.value || Number(asked?.amount) !== Number(price?.value))
    return `leave it: the page asks ${quoted(price?.value)}, the feed ${quoted(asked?.amount)}`;
  return `buy ${quoted(item.name)} at ${asked?.amount} ${asked?.currency}`;
}
