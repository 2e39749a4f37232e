import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@touchstone/contract';
import type { Identity } from './access.ts';
import type { RenderedDocument } from './rendered-document.ts';

/** An operation of the contract, and what answers it (`implement.ts`). */
export interface Route extends Operation {
  readonly handle: (input: { params: unknown; query: unknown; body: unknown }, call: Call) => Promise<Reply>;
  /**
   * The document in memory, where it may be answered from there: such a route has one parameter, a UUID, or none, and is
   * answered before the framework (`fast-path.ts`).
   *
   * @param id - what stands in the address for the UUID, whatever that is; empty for a route without parameters
   * @param query - of the address, from its question mark on; empty where there is none
   */
  readonly atHand?: (id: string, query: string) => RenderedDocument<unknown> | undefined;
  /**
   * The JSON of the 200 to a POST of JSON, where its body is well formed and all that it takes is in memory; the answer of
   * `handle` to the same call, written before the framework (`fast-path-calls.ts`). Such a route is public, and has one parameter,
   * a UUID, or none.
   */
  readonly answerAtHand?: (call: CallAtHand) => string | undefined;
  /** The page for a person about what would be answered otherwise; only where the operation declares one. */
  readonly pageOf?: PageOf;
  /**
   * Answers what goes wrong before the handler runs (credentials, body, its type, size and syntax) in another form
   * than a problem document, where a protocol on top of HTTP has a form of its own.
   */
  readonly answerFault?: (error: unknown) => Reply;
}

/** Makes a page of an answer to a program; never throws for what the answer holds. */
export type PageOf = (answer: Reply, request: PageRequest) => PageReply;

export interface PageReply extends Reply {
  readonly headers: Readonly<Record<string, string>>;
  /** The body, a character for each byte: it goes out in one piece with its head. */
  readonly byteText: string;
}

/** What of a request a page may depend on. */
export interface PageRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: Pick<IncomingHttpHeaders, 'accept-language'>;
}

/** A call that nothing was checked of yet. */
export interface CallAtHand {
  /** What stands in the address for the UUID, whatever that is; empty for a route without parameters. */
  readonly id: string;
  /** Any value of JSON. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Who calls and how, as far as a use case may know. */
export interface Call {
  readonly requestId: string;
  /** Rate limits count by this: the key's id, else the address (IPv6 by /64). */
  readonly caller: string;
  /** Path and query, as they were asked for. */
  readonly url: string;
  readonly identity: Identity | null;
  /** The Cookie header, for the calls that begin and end sessions. */
  readonly cookie: string | undefined;
  /** Request headers that a handler may need (conditional requests), lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The request body as it comes, for NDJSON. */
  readonly rawBody?: AsyncIterable<Uint8Array>;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
}

/** An answer as it is written out. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * An object is sent as JSON; text and bytes are sent as they are (the content type is in `headers`); an async
   * iterable of bytes or text is streamed.
   */
  readonly body?: unknown;
}
