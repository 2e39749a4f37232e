import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ChainSetting } from '../../platform/settings/chain-setting.ts';

/** Milliseconds until the headers of one answer. */
const TIMEOUT = 10_000;
/** Milliseconds before the only retry of a request. */
const PAUSE = 150;

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
  { name, rpcUrl }: ChainSetting,
  method: string,
  params: readonly unknown[],
  deadline: AbortSignal,
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer =
    (await post(rpcUrl, body, deadline)) ??
    (await delay(PAUSE, undefined, { signal: deadline }).then(() => post(rpcUrl, body, deadline)));
  const reply = replySchema.safeParse(answer);
  if (!reply.success) throw new ChainFailure(`the endpoint of ${name} failed: no answer to ${method}`);
  if ('result' in reply.data) return reply.data.result;
  const { code, message } = reply.data.error;
  // go-ethereum reports a revert by code 3, others in the message or as an internal error (-32603)
  const isRevert = code === 3 || code === -32_603 || /revert/i.test(message);
  throw new RpcRefusal(`the endpoint of ${name} refused ${method}: ${code}`, isRevert);
}

/** The body of the answer; `undefined`: the endpoint was busy or unreachable, or did not send JSON. */
async function post(url: string, body: string, deadline: AbortSignal): Promise<unknown> {
  const begun = new AbortController();
  const timer = setTimeout(() => begun.abort(), TIMEOUT);
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.any([deadline, begun.signal]);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    clearTimeout(timer);
    return await response.json();
  } catch {
    // the error may contain the endpoint's address, and thus a secret
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
