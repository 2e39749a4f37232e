/**
 * An agent that shops in catalogues of UCP (Universal Commerce Protocol) and verifies before it buys:
 *
 *   node examples/ucp-agent.ts https://certificates.example/mcp "kettle" https://shop.example https://other.example …
 *
 * (Node 22.18 or later, which runs TypeScript; here also node_modules/.bin/node.)
 *
 * It searches each business, has the tool `verify_catalog_items` verify what it found, and leaves what does not agree with a certificate.
 * That an item agrees is no reason to buy: anybody can copy an item with its certificate and link. So it then has the page itself
 * checked, and buys only if that is good and the page asks the same price. Prints one line for each item.
 *
 * With CONNECT_TO=shop.example=127.0.0.1:8080 a host is reached there, over plain http too: for trying it out.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readItem } from '@touchstone/catalogue';
import { reportContradictions } from '@touchstone/certificate';
import { itemContradictions } from '@touchstone/certificate/item';
import type { PageReport } from '@touchstone/certificate/schema';
import type { ItemAnswer } from '@touchstone/contract';

const [server, query, ...businesses] = process.argv.slice(2);
if (server === undefined || query === undefined || businesses.length === 0) {
  process.stderr.write('node examples/ucp-agent.ts <address of the tool server> <words> <business> …\n');
  process.exit(64);
}

const connectTo = new Map(
  (process.env.CONNECT_TO ?? '').split(',').map((entry) => entry.split('=') as [string, string]),
);
const PROFILE = 'https://agent.example/.well-known/ucp';
/** Items of one call of the tool. */
const MOST_ITEMS = 20;
/** Milliseconds. */
const PATIENCE = 20_000;

/** Calls a business. A redirect is an error: UCP has none for profiles, and another host would be another business. */
async function ask(address: string, body?: object): Promise<unknown> {
  const url = new URL(address);
  const at = connectTo.get(url.hostname);
  if (url.protocol !== 'https:' && at === undefined) throw new Error(`${address} is not https`);
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const target = at === undefined ? url : new URL(url.pathname + url.search, `http://${at}`);
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string]>();
  const outgoing = request(
    target,
    {
      method: sent === undefined ? 'GET' : 'POST',
      signal: AbortSignal.timeout(PATIENCE),
      headers: {
        host: url.host,
        accept: 'application/json',
        'ucp-agent': `profile="${PROFILE}"`,
        ...(sent === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      },
    },
    (incoming) => text(incoming).then((answer) => resolve([incoming.statusCode, answer]), reject),
  );
  outgoing.on('error', reject).end(sent);
  const [status, answer] = await promise;
  if (status !== 200) throw new Error(`${address}: status ${status}`);
  return JSON.parse(answer);
}

interface Profile {
  readonly ucp: {
    readonly services: Readonly<
      Record<string, readonly { readonly transport: string; readonly endpoint?: string }[]>
    >;
  };
}

type Found = Readonly<Record<string, unknown>> & { readonly id?: unknown };

async function find(business: string, words: string): Promise<readonly Found[]> {
  const { ucp } = (await ask(`${business}/.well-known/ucp`)) as Profile;
  const rest = ucp.services['dev.ucp.shopping']?.find(({ transport }) => transport === 'rest');
  if (rest?.endpoint === undefined) throw new Error(`${business} has no catalogue over REST`);
  const answer = (await ask(`${rest.endpoint}/catalog/search`, { query: words })) as {
    readonly products?: readonly Found[];
  };
  return (answer.products ?? []).slice(0, MOST_ITEMS);
}

const client = new Client({ name: 'example-ucp-agent', version: '1.0.0' });

async function tool(name: string, given: Record<string, unknown>): Promise<unknown> {
  const { isError, structuredContent } = await client.callTool({ name, arguments: given });
  if (isError) throw new Error((structuredContent as { error: { code: string } }).error.code);
  return structuredContent;
}

/** Text of others: no line break in it makes a line of ours. */
const quoted = (value: unknown): string => JSON.stringify(value ?? 'nothing stated');

async function decide(found: Found, result: ItemAnswer | undefined, source: string): Promise<string> {
  if (result === undefined) return 'leave it: it cannot be read';
  const [contradiction] = itemContradictions(result);
  if (contradiction !== undefined)
    return `leave it: the service contradicts itself (${quoted(contradiction)})`;
  const { conclusion, fields, item } = result;
  if (conclusion.code !== 'item_agrees') {
    const differing = Object.entries(fields).flatMap(([name, { result: is }]) =>
      is === 'differs' ? [name] : [],
    );
    return `leave it: ${conclusion.code}${differing.length === 0 ? '' : ` (${differing.join(', ')})`}`;
  }
  const url = item.link ?? '';
  const report = (await tool('verify_svc_certificate', { productUrl: url })) as PageReport;
  const [wrong] = reportContradictions(report, { url });
  if (wrong !== undefined) return `leave it: the service contradicts itself (${quoted(wrong)})`;
  if (report.conclusion.level !== 'good') return `leave it: its page is ${report.conclusion.code}`;
  const { price, currency } = report.facts;
  const [asked] = readItem(found, { source })?.prices ?? [];
  if (
    asked === undefined ||
    Number(asked.amount) !== Number(price?.value) ||
    asked.currency !== currency?.value
  )
    return `leave it: the page asks ${quoted(price?.value)}, the catalogue ${quoted(asked?.amount)}`;
  return `buy ${quoted(item.name)} at ${asked.amount} ${asked.currency}`;
}

await client.connect(new StreamableHTTPClientTransport(new URL(server)));
try {
  for (const business of businesses) {
    try {
      const items = await find(business, query);
      if (items.length === 0) continue;
      const { results } = (await tool('verify_catalog_items', { items, source: business })) as {
        readonly results: readonly { readonly result?: ItemAnswer }[];
      };
      for (const [at, found] of items.entries())
        process.stdout.write(
          `${business} ${quoted(found.id)}: ${await decide(found, results[at]?.result, business)}\n`,
        );
    } catch (error) {
      process.stdout.write(
        `${business}: could not ask: ${quoted(error instanceof Error ? error.message : error)}\n`,
      );
    }
  }
} finally {
  await client.close();
}
