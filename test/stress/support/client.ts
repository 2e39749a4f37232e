import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { Answer } from './contract.ts';

export interface Asked {
  readonly method: string;
  /** Path and query, as they go out; percent-encoded where need be. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** A client that keeps its connections, and lets everything through that fits into a request. */
export interface Client {
  ask(asked: Asked): Promise<Answer>;
  close(): void;
}

/** Milliseconds; no answer of ours takes longer. */
const PATIENCE = 60_000;

export function createClient(port: number, connections = 16): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const once = ({ method, path, headers = {}, body }: Asked) =>
    new Promise<Answer>((resolve, reject) => {
      const begun = performance.now();
      const sent = body === undefined ? undefined : Buffer.from(body as Uint8Array);
      const length = sent === undefined ? {} : { 'content-length': sent.length };
      const out = request(
        { agent, host: '127.0.0.1', port, method, path, headers: { ...length, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const ms = performance.now() - begun;
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
              ms,
            });
          });
        },
      );
      out.setTimeout(PATIENCE, () => out.destroy(new Error(`no answer in ${PATIENCE} ms`)));
      out.on('error', (error: Error & { code?: string }) => {
        // the service closed a kept connection in the moment we took it: not an answer, so asked again
        if (out.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
          once({ method, path, headers, ...(body === undefined ? {} : { body }) }).then(resolve, reject);
        else reject(error);
      });
      out.end(sent);
    });
  return { ask: once, close: () => agent.destroy() };
}

/** Runs `work` over all items, so many at a time. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of queue) await work(item, index);
    }),
  );
}
