import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@touchstone/contract';
import type { Identity } from './access.ts';
import type { ByteText } from './rendered-document.ts';

/** An operation of the contract with its handler (`implement.ts`). */
export interface Route extends Operation {
  /** Answers at once what is cached. */
  readonly handle: (
    input: { params: unknown; query: unknown; body: unknown },
    call: Call,
  ) => Reply | Promise<Reply>;
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
  readonly body: ByteText;
}

/** The parts of a request that a page may depend on. */
export interface PageRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: Pick<IncomingHttpHeaders, 'accept-language'>;
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
  /** The Accept header. */
  readonly accept?: string | undefined;
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
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * An object is sent as JSON; text and bytes are sent unchanged, with the content type from `headers`; an async iterable
   * of bytes or text is streamed.
   */
  readonly body?: unknown;
}
