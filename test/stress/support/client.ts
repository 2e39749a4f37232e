import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { Answer } from './contract.ts';

export interface Asked {
  readonly method: string;
  /** Path and query as sent, percent-encoded if necessary. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** A client with kept-alive connections that sends anything that fits into a request. */
export interface Client {
  ask(asked: Asked): Promise<Answer>;
  close(): void;
}

/** Timeout in milliseconds, longer than any response takes. */
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
        // the service closed a kept-alive connection at the moment of reuse: retried, since there was no response
        if (out.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
          once({ method, path, headers, ...(body === undefined ? {} : { body }) }).then(resolve, reject);
        else reject(error);
      });
      out.end(sent);
    });
  return { ask: once, close: () => agent.destroy() };
}

/** Runs `work` on all items, with limited concurrency. */
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
