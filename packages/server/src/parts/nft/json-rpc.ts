import { setTimeout as delay } from 'node:timers/promises';
import { readText } from '@touchstone/contract/bounded-body';
import { Credential } from '@touchstone/fetch/credential';
import { z } from 'zod';
import type { ChainSetting } from './chain-setting.ts';

/** Milliseconds until the headers of one answer. */
const TIMEOUT = 10_000;
/** Milliseconds before the only retry of a request. */
const PAUSE = 150;
/** Bytes of one answer; a receipt with many logs has a few hundred thousand. */
const MAX_ANSWER = 5_000_000;

const replySchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string().catch('') }) }),
  z.object({ result: z.unknown() }),
]);

/** The endpoint did not answer, or serves another chain. The message does not contain its address. */
export class ChainFailure extends Error {
  override readonly name: string = 'ChainFailure';
}

/** The endpoint answered with an error (JSON-RPC 2.0, section 5.1). */
export class RpcRefusal extends ChainFailure {
  /** The contract reverted the call. */
  readonly isRevert: boolean;

  constructor(message: string, isRevert: boolean) {
    super(message);
    this.isRevert = isRevert;
  }
}

/** Calls a method of a chain's endpoint; retries once if it is busy or unreachable. */
export async function callChain(
  chain: ChainSetting,
  method: string,
  params: readonly unknown[],
  deadline: AbortSignal,
): Promise<unknown> {
  const { name } = chain;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer =
    (await post(chain, body, deadline)) ??
    (await delay(PAUSE, undefined, { signal: deadline }).then(() => post(chain, body, deadline)));
  const reply = replySchema.safeParse(answer);
  if (!reply.success) throw new ChainFailure(`the endpoint of ${name} failed: no answer to ${method}`);
  if ('result' in reply.data) return reply.data.result;
  const { code, message } = reply.data.error;
  // go-ethereum reports a revert by code 3, others in the message or as an internal error (-32603)
  const isRevert = code === 3 || code === -32_603 || /revert/i.test(message);
  throw new RpcRefusal(`the endpoint of ${name} refused ${method}: ${code}`, isRevert);
}

/** The body of the answer; `undefined`: the endpoint was busy or unreachable, or did not send JSON. */
async function post(
  { name, rpcUrl: url }: ChainSetting,
  body: string,
  deadline: AbortSignal,
): Promise<unknown> {
  const begun = new AbortController();
  const timer = setTimeout(() => begun.abort(), TIMEOUT);
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.any([deadline, begun.signal]);
    const authorization = new Credential(url).headersFor(new URL(url));
    const request = { method: 'POST', headers: { ...headers, ...authorization }, body, signal } as const;
    const response = await fetch(url, { ...request, redirect: 'manual' });
    clearTimeout(timer);
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status <= 399 && location !== null) {
      await response.body?.cancel();
      const to = URL.parse(location, url)?.origin ?? 'an invalid address';
      throw new ChainFailure(`the endpoint of ${name} redirects to ${to}, which is not followed`);
    }
    return JSON.parse(await readText(response, MAX_ANSWER));
  } catch (error) {
    if (error instanceof ChainFailure) throw error;
    // the error may contain the endpoint's address, and thus a secret
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
