import type { ServerResponse } from 'node:http';
import type { Identity } from './access.ts';
import { addressChain, callerOf, type IsTrustedProxy } from './client-address.ts';
import type { Call } from './route.ts';
import type { Exchange } from './send.ts';

/**
 * A request as use cases see it. Everything is computed on demand, so that a call that needs nothing
 * costs nothing.
 */
export class RequestCall implements Call {
  readonly requestId: string;
  readonly identity: Identity | null;
  readonly rawBody?: AsyncIterable<Uint8Array>;
  readonly #exchange: Exchange;
  readonly #isTrusted: IsTrustedProxy;
  #signal: AbortSignal | undefined;

  constructor(
    exchange: Exchange,
    identity: Identity | null,
    isTrusted: IsTrustedProxy,
    rawBody?: AsyncIterable<Uint8Array>,
  ) {
    this.#exchange = exchange;
    this.#isTrusted = isTrusted;
    this.requestId = exchange.requestId;
    this.identity = identity;
    if (rawBody !== undefined) this.rawBody = rawBody;
  }

  get url(): string {
    return this.#exchange.request.url ?? '';
  }

  get caller(): string {
    const { identity } = this;
    // read by `networkOfCaller`: the keys of a merchant have common limits
    if (identity?.role === 'merchant') return `merchant:${identity.merchantId}/key:${identity.keyId}`;
    if (identity !== null) return `key:${identity.keyId}`;
    return callerOf(addressChain(this.#exchange.request, this.#isTrusted));
  }

  get accept(): string | undefined {
    return this.#exchange.request.headers.accept;
  }

  get cookie(): string | undefined {
    return this.#exchange.request.headers.cookie;
  }

  get headers(): Readonly<Record<string, string | undefined>> {
    const { authorization: _secret, cookie: _cookies, ...rest } = this.#exchange.request.headers;
    return rest as Record<string, string | undefined>;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#exchange.response);
    return this.#signal;
  }
}

/** Aborted when the connection closes before the answer was written out. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed && !response.writableFinished) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
