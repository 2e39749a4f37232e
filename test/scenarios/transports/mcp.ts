import { join } from 'node:path';
import {
  type CallToolResult,
  Client,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ROOT } from '../../kit/imports.ts';
import type { Vector } from '../../kit/vectors.ts';
import {
  answersOf,
  codesOf,
  expectedWithRegistry,
  type Outcome,
  pageOutcome,
  proofAnswers,
  type Transport,
} from './transport.ts';
import { notForService, vectorServer } from './vector-server.ts';

const SOME_PRODUCT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const SOME_PAGE = 'https://shop.example/products/kettle';
/** Maximum bytes of a body that the service accepts. */
const BODY_LIMIT = 1024 * 1024;

/** The tools of the service over Streamable HTTP, by the newest revision of the protocol. */
export async function mcpHttpTransport(): Promise<Transport> {
  const server = await vectorServer();
  const client = new Client(
    { name: 'vectors', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  return mcpTransport('mcp over http', server, client);
}

/** `touchstone mcp` in a separate process, connected to the service. */
export async function mcpStdioTransport(): Promise<Transport> {
  const server = await vectorServer();
  const client = new Client({ name: 'vectors', version: '1' });
  const command = join(ROOT, 'packages/cli/bin/touchstone.js');
  const args = [command, 'mcp', '--service', server.url];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  return mcpTransport('mcp over stdio', server, client);
}

function mcpTransport(
  name: string,
  server: Awaited<ReturnType<typeof vectorServer>>,
  client: Client,
): Transport {
  return {
    name,
    cannot: notForService,
    expected: (vector) =>
      JSON.stringify(callOf(vector)).length > BODY_LIMIT
        ? { status: 'refused: body_too_large' }
        : expectedWithRegistry(vector),
    async run(vector, keys) {
      server.show(vector, keys);
      const { isError, structuredContent = {} } = await call(client, vector);
      const told = structuredContent as Record<string, unknown>;
      if (isError === true) return { status: `refused: ${String((told.error as { code: string }).code)}` };
      return outcomeOf(vector, told);
    },
    async close() {
      await client.close();
      await server.close();
    },
  };
}

async function call(client: Client, vector: Vector): Promise<CallToolResult> {
  try {
    return await client.callTool(callOf(vector));
  } catch (error) {
    if (!(error instanceof SdkHttpError)) throw error;
    const { error: refused } = JSON.parse(String(error.data.text)) as { error: { data: { code: string } } };
    return { content: [], isError: true, structuredContent: { error: refused.data } };
  }
}

function callOf(vector: Vector): { name: string; arguments: Record<string, unknown> } {
  if (vector.kind === 'page') return { name: 'check_product_page', arguments: { url: vector.input.url } };
  const given =
    vector.kind === 'proof'
      ? { productUrl: SOME_PAGE, productId: SOME_PRODUCT, document: { proof: { jwt: vector.input.jwt } } }
      : { productUrl: vector.context.pageUrl, productId: vector.context.productId, ...vector.input };
  return { name: 'verify_svc_certificate', arguments: given };
}

function outcomeOf(vector: Vector, told: Record<string, unknown>): Outcome {
  if (vector.kind === 'page')
    return pageOutcome(vector, told as unknown as Parameters<typeof pageOutcome>[1]);
  const checks = answersOf(told.checkDetails as Parameters<typeof answersOf>[0]);
  if (vector.kind === 'proof') return proofAnswers(checks);
  return {
    status: String(told.status),
    checks,
    warnings: codesOf(told.warnings as string[]),
    errors: codesOf(told.errors as string[]),
  };
}
