import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@touchstone/contract';
import type { Identity } from './access.ts';
import type { RenderedDocument } from './rendered-document.ts';

/** An operation of the contract with its handler (`implement.ts`). */
export interface Route extends Operation {
  readonly handle: (input: { params: unknown; query: unknown; body: unknown }, call: Call) => Promise<Reply>;
  /**
   * The cached document, if there is one. Such a route has one parameter, a UUID, or none, and is answered before the
   * framework (`fast-path.ts`).
   *
   * @param id - the path segment in place of the UUID, unvalidated; empty for a route without parameters
   * @param query - the URL's query with its question mark; empty if there is none
   */
  readonly cachedDocument?: (id: string, query: string) => RenderedDocument<unknown> | undefined;
  /**
   * The JSON of the 200 to a POST, if its body is well formed and everything that the answer needs is cached. It is what `handle`
   * would answer, sent before the framework (`fast-path-calls.ts`). Such a route is public, and has one parameter, a UUID, or none.
   */
  readonly cachedAnswer?: (call: UncheckedCall) => string | undefined;
  /** The page that shows the answer to a person, if the operation declares one. */
  readonly pageOf?: PageOf;
  /**
   * Answers what fails before the handler runs (credentials; type, size and syntax of the body), for protocols over HTTP that do
   * not use problem documents.
   */
  readonly answerFault?: (error: unknown) => Reply;
}

/** Renders an answer as a page; never throws because of the answer's contents. */
export type PageOf = (answer: Reply, request: PageRequest) => PageReply;

export interface PageReply extends Reply {
  readonly headers: Readonly<Record<string, string>>;
  /** The body with one character per byte, so that it is written in one piece with its head. */
  readonly byteText: string;
}

/** The parts of a request that a page may depend on. */
export interface PageRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: Pick<IncomingHttpHeaders, 'accept-language'>;
}

/** A call that has not been validated. */
export interface UncheckedCall {
  /** The path segment in place of the UUID; empty for a route without parameters. */
  readonly id: string;
  /** Any JSON value. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** The caller and the request, as far as a use case may know them. */
export interface Call {
  readonly requestId: string;
  /** The key of rate limits: the id of the API key, else the address (IPv6 by /64). */
  readonly caller: string;
  /** Path and query, as requested. */
  readonly url: string;
  readonly identity: Identity | null;
  /** The Cookie header, for the calls that begin and end sessions. */
  readonly cookie: string | undefined;
  /** Request headers that a handler may need (conditional requests), lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The request body as a stream, for NDJSON. */
  readonly rawBody?: AsyncIterable<Uint8Array>;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The answer to a request. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * An object is sent as JSON; text and bytes are sent unchanged, with the content type from `headers`; an async iterable
   * of bytes or text is streamed.
   */
  readonly body?: unknown;
}
