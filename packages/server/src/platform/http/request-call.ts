import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from './access.ts';
import { callerOf } from './client-address.ts';
import type { Call } from './route.ts';

/**
 * A request as use cases see it. Everything is computed on demand, so that a call that needs nothing
 * costs nothing.
 */
export class RequestCall implements Call {
  readonly identity: Identity | null;
  readonly rawBody?: AsyncIterable<Uint8Array>;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    context: { identity: Identity | null; rawBody?: AsyncIterable<Uint8Array> },
  ) {
    this.#request = request;
    this.#reply = reply;
    this.identity = context.identity;
    if (context.rawBody !== undefined) this.rawBody = context.rawBody;
  }

  get requestId(): string {
    return this.#request.id;
  }

  get url(): string {
    return this.#request.raw.url ?? '';
  }

  get caller(): string {
    const { identity } = this;
    // read by `networkOfCaller`: the keys of a merchant have common limits
    if (identity?.role === 'merchant') return `merchant:${identity.merchantId}/key:${identity.keyId}`;
    if (identity !== null) return `key:${identity.keyId}`;
    return callerOf(this.#request.ips ?? []);
  }

  get cookie(): string | undefined {
    return this.#request.headers.cookie;
  }

  get headers(): Readonly<Record<string, string | undefined>> {
    const { authorization: _secret, cookie: _cookies, ...rest } = this.#request.headers;
    return rest as Record<string, string | undefined>;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#reply);
    return this.#signal;
  }
}

/** Aborted when the connection closes before the answer was written out. */
function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { raw } = reply;
  if (raw.destroyed && !raw.writableFinished) controller.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
