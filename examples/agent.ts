/**
 * An agent that verifies before it buys, over the companion tool server:
 *
 *   node examples/agent.ts https://certificates.example/mcp https://shop.example/products/cup …
 *
 * (Node 22.18 or later, which runs TypeScript; here also node_modules/.bin/node.)
 *
 * Prints one line for each page, and buys only where the conclusion is good: a certificate may be verified on a host of which
 * nobody has shown who runs it, or beside other goods than it was signed for. A model in the place of `decide` would be
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

/** Only the level `good` is a yes. What could not be decided is no reason to accuse anybody, and none to buy. */
function decide(report: PageReport, url: string): string {
  // a report on another page, or with a verdict that it does not support itself, is no reason for anything; the tools cut
  // addresses after 300 characters, and what cannot be compared is not bought either
  const [contradiction] = reportContradictions(report, { url });
  if (contradiction !== undefined) {
    return `leave it: the service contradicts itself (${quoted(contradiction)})`;
  }
  const { conclusion, facts } = report;
  if (conclusion.level === 'good') return `buy ${quoted(facts.name?.value)} at ${quoted(facts.price?.value)}`;
  return `leave it: ${conclusion.code} (${conclusion.sentence})`;
}

const client = new Client({ name: 'example-agent', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(server)));
try {
  for (const productUrl of pages) {
    const answer = await client.callTool({ name: 'verify_svc_certificate', arguments: { productUrl } });
    const decision = answer.isError
      ? `could not ask: ${(answer.structuredContent as ToolFault).error.code}`
      : decide(answer.structuredContent as unknown as PageReport, productUrl);
    process.stdout.write(`${productUrl}: ${decision}\n`);
  }
} finally {
  await client.close();
}
