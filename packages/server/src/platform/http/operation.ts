import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/**
 * One row of the operation table: everything that is known of one HTTP call. Routes, validation, OpenAPI and
 * docs are made from it, so none of them can disagree.
 */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  /** OpenAPI operationId, camelCase. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{param}` placeholders, as in the spec. */
  readonly path: string;
  readonly tag: 'Certificates' | 'Verification' | 'Keys' | 'Registry' | 'Operations';
  readonly summary: string;
  readonly description?: string;
  /** Who may call: anyone; any valid key (the use case narrows it to its own merchant); operators only. */
  readonly access: 'public' | 'merchant' | 'operator';
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Bytes; 1 MB unless told. */
  readonly bodyLimit?: number;
  /** Faults of the body alone are a 400 problem that lists them, not the 422 validation body (decision 19). */
  readonly bodyFaultsAre400?: boolean;
  /** Takes `application/x-ndjson` too; the handler then reads `rawBody` as a stream. */
  readonly acceptsNdjson?: boolean;
  /** POST that honours `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Answered to any origin, with preflight (decision 23). */
  readonly anyOrigin?: boolean;
  /** A public GET asked for thousands of times a second: no authentication, logged at debug only. */
  readonly hot?: boolean;
  /**
   * Answers what goes wrong before the handler runs (credentials, body, its type, size and syntax) in another form
   * than a problem document, where a protocol on top of HTTP has a form of its own.
   */
  readonly tellFault?: (error: unknown) => Reply;
  readonly responses: Readonly<Record<number, ResponseShape>>;
  /** The faults that it can answer, beside those every call can (404 route, 413, 415, 422, 500, 503). */
  readonly errors: readonly ErrorCode[];
  readonly handle: (
    input: { params: z.infer<Params>; query: z.infer<Query>; body: z.infer<Body> },
    call: Call,
  ) => Promise<Reply>;
}

export interface ResponseShape {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly mediaType?: string;
}

/** Who calls and how, as far as a use case may know. */
export interface Call {
  readonly requestId: string;
  /** Rate limits count by this: the key's id, else the address (IPv6 by /64) (decision 18). */
  readonly caller: string;
  readonly identity: Identity | null;
  /** Request headers that a handler may need (conditional requests), lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The request body as it comes, for NDJSON. */
  readonly rawBody?: AsyncIterable<Uint8Array>;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
}

export type Identity =
  | { readonly role: 'operator'; readonly keyId: string }
  | { readonly role: 'merchant'; readonly keyId: string; readonly merchantId: string };

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * An object is sent as JSON; text and bytes are sent as they are (the content type is in `headers`); an async
   * iterable of bytes or text is streamed.
   */
  readonly body?: unknown;
}

/** Keeps the types of one row while it is written down. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  row: Operation<P, Q, B>,
): Operation<P, Q, B> {
  return row;
}
