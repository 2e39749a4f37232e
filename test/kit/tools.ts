import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll } from 'vitest';
import { ROOT } from './imports.ts';

/** A client of the companion tools, by its transport. */
export interface ToolClient {
  readonly name: string;
  readonly client: Client;
}

/** Clients for all transports of a service's tools: both revisions of the protocol over HTTP, and `touchstone mcp` over stdio. */
export async function openToolClients(serviceUrl: string): Promise<ToolClient[]> {
  const modern = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const legacy = new Client(INFO);
  await modern.connect(new StreamableHTTPClientTransport(new URL(`${serviceUrl}/mcp`)));
  await legacy.connect(new StreamableHTTPClientTransport(new URL(`${serviceUrl}/mcp`)));
  return [
    { name: 'HTTP, revision 2026-07-28', client: modern },
    { name: 'HTTP, revision 2025-11-25', client: legacy },
    { name: 'stdio', client: await openStdioClient(serviceUrl) },
  ];
}

/** The same for the tests of a file, closed after them. To be called while tests are collected. */
export async function useToolClients(serviceUrl: string): Promise<ToolClient[]> {
  const clients = await openToolClients(serviceUrl);
  afterAll(async () => {
    for (const { client } of clients) await client.close();
  });
  return clients;
}

async function openStdioClient(serviceUrl: string): Promise<Client> {
  const client = new Client(INFO);
  const command = join(ROOT, 'packages/cli/bin/touchstone.js');
  const args = [command, 'mcp', '--service', serviceUrl];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  return client;
}

const INFO = { name: 'touchstone-tests', version: '1' };
