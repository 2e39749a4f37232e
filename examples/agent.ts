/**
 * An agent that verifies before it buys, over the companion tool server:
 *
 *   node examples/agent.ts https://certificates.example/mcp https://shop.example/products/cup …
 *
 * (Node 22.18 or later, which runs TypeScript; here also node_modules/.bin/node.)
 *
 * Prints one line for each page, and buys only where the conclusion is good: a certificate may be verified on a host of which
 * nobody has shown who runs it, or beside other goods than it was signed for. A model in the place of `refusal` would be
 * given the same tool; what it must not be given is the last word on a verdict.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { reportContradictions } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/certificate/schema';

const [server, ...pages] = process.argv.slice(2);
if (server === undefined || pages.length === 0) {
  process.stderr.write('node examples/agent.ts <address of the tool server> <page> …\n');
  process.exit(64);
}

/** What it answers where it cannot: the tool `explain_code` explains a code. */
interface ToolFault {
  readonly error: { readonly code: string };
}

/** Text of the page, which a reason may repeat: no line break in them makes a line of ours, and nobody follows them. */
function quoted(text: string | undefined): string {
  return text === undefined ? 'nothing stated' : JSON.stringify(text);
}

/** Why not to buy. Only the level `good` is a yes. What could not be decided is no reason to accuse anybody, and none to buy. */
function refusal(report: PageReport, url: string): string | undefined {
  // a report on another page, or with a verdict that it does not support itself, is no reason for anything; the tools cut
  // addresses after 300 characters, and what cannot be compared is not bought either
  const [contradiction] = reportContradictions(report, { url });
  if (contradiction !== undefined) {
    return `leave it: the service contradicts itself (${quoted(contradiction)})`;
  }
  const { conclusion } = report;
  return conclusion.level === 'good' ? undefined : `leave it: ${conclusion.code} (${conclusion.sentence})`;
}

/** Whether pictures of the page were compared with the certified ones, and none is one, nor a copy of one. */
function showsOthers(findings: readonly string[]): boolean {
  const has = (codes: RegExp) => findings.some((finding) => codes.test(finding));
  return has(/^image_(not_certified|similar):/) && !has(/^image_(same|source|copy):/);
}

const client = new Client({ name: 'example-agent', version: '1.0.0' });

async function ask(name: string, given: Record<string, unknown>): Promise<PageReport> {
  const { isError, structuredContent } = await client.callTool({ name, arguments: given });
  if (isError) throw new Error((structuredContent as ToolFault).error.code);
  return structuredContent as unknown as PageReport;
}

async function decide(url: string): Promise<string> {
  try {
    const report = await ask('verify_svc_certificate', { productUrl: url });
    const reason = refusal(report, url);
    if (reason !== undefined) return reason;
    // no verdict depends on the bytes of pictures: many shops have more pictures than certified ones
    const { findings } = await ask('check_product_page', { url, images: 'match' });
    if (showsOthers(findings)) return 'leave it: none of its pictures is a certified one';
    const { name, price } = report.facts;
    return `buy ${quoted(name?.value)} at ${quoted(price?.value)}`;
  } catch (error) {
    return `could not ask: ${error instanceof Error ? error.message : String(error)}`;
  }
}

await client.connect(new StreamableHTTPClientTransport(new URL(server)));
try {
  for (const productUrl of pages) process.stdout.write(`${productUrl}: ${await decide(productUrl)}\n`);
} finally {
  await client.close();
}
