import type { Wire } from '@touchstone/certificate/schema';
import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';

export type { Wire };

/**
 * The definition of one HTTP call. The service's routes with their validation, the OpenAPI document and the client are
 * all derived from it, so that they cannot disagree.
 */
export interface Operation {
  /** OpenAPI operationId, camelCase. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{param}` placeholders, as in the spec. */
  readonly path: string;
  readonly tag: 'Certificates' | 'Verification' | 'Keys' | 'Registry' | 'Console' | 'Operations';
  readonly summary: string;
  readonly description?: string;
  /**
   * Who may call: anyone (`public`); any valid key, or a session of one, limited by the use case to its own merchant
   * (`merchant`); operators only, by key or session (`operator`); a browser with a session (`session`).
   */
  readonly access: 'public' | 'merchant' | 'operator' | 'session';
  /** Browsers must show that the request comes from a page of the service, even without a session. */
  readonly sameOrigin?: boolean;
  readonly params?: z.ZodType;
  /** A strict object. Without it, and without `anyQuery`, query parameters are rejected. */
  readonly query?: z.ZodType;
  /** Unknown query parameters are ignored: callers add their own to HTML pages, probes and other protocols. */
  readonly anyQuery?: boolean;
  readonly body?: z.ZodType;
  /** Bytes. Default: 1 MB. */
  readonly bodyLimit?: number;
  /** A batch of calls. A node processes few of them concurrently, since each uses the memory of many single calls. */
  readonly batch?: boolean;
  /** Faults in the body alone give a 400 problem that lists them, not the 422 validation body (spec, Endpoints 6). */
  readonly bodyFaultsAre400?: boolean;
  /** Also accepts `application/x-ndjson`; the response then has one line per line. */
  readonly acceptsNdjson?: boolean;
  /** The handler reads the raw body, whatever its type: a signature covers its bytes. */
  readonly rawBody?: boolean;
  /** A POST that supports `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /**
   * A public operation that says or does more for some: it knows its caller by the cookie of a session, too, if no other site makes the
   * request; any other than a GET only if the request carries the CSRF token of the session. Never cached.
   */
  readonly knowsSession?: boolean;
  /** CORS for any origin, with preflight. */
  readonly anyOrigin?: boolean;
  /** A public GET with thousands of requests per second: it is logged at debug level only. */
  readonly hot?: boolean;
  /** The response is specific to the caller and the moment: it must not be cached. */
  readonly noStore?: boolean;
  /** `Cache-Control` of successful responses, which then also have an ETag. */
  readonly cacheControl?: string;
  /** Responses have a `Surrogate-Key`. */
  readonly surrogateKey?: boolean;
  /** Responses give the address of the document by its id in `Content-Location` and `Link`. */
  readonly contentLocation?: boolean;
  /** Serves an HTML page about the response to `Accept: text/html`; other clients get the unchanged response. */
  readonly page?: boolean;
  /** Not described in OpenAPI: HTML pages, and protocols with their own description. */
  readonly unlisted?: boolean;
  /** Successful responses, by status. */
  readonly replies: Readonly<Record<number, ReplyShape>>;
  /**
   * What in a successful response contradicts the request or the response itself, as sentences. The client never
   * returns a response that does. Its parameters are the request as given by the caller, and the parsed body.
   */
  readonly contradictions?: (request: RawRequest, body: never) => readonly string[];
  /** Its faults, in addition to those that every call can return (404 route, 413, 415, 422, 500, 503). */
  readonly errors: readonly ErrorCode[];
}

/** A request before validation. */
export interface RawRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface ReplyShape {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Default: `application/json` with a schema; no body without one. */
  readonly mediaType?: string;
  /** Another media type, which is answered where `Accept` prefers it. */
  readonly alsoAs?: string;
  /** One line of an NDJSON response: to an NDJSON body, or to any request if there is no `schema`. */
  readonly line?: z.ZodType;
}

/** Defines an operation, keeping its literal types. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

type Part = 'params' | 'query' | 'body';

/** The input given by a caller, before validation fills in defaults. */
export type InputOf<O extends Operation> = InputPart<O, 'params'> &
  InputPart<O, 'query'> &
  InputPart<O, 'body'>;

type InputPart<O, P extends Part> = O extends { readonly [K in P]: infer S extends z.ZodType }
  ? Record<never, never> extends z.input<S>
    ? { readonly [K in P]?: z.input<S> }
    : { readonly [K in P]: z.input<S> }
  : unknown;

/** The input passed to the handler: parsed and validated. */
export interface CheckedInput<O extends Operation> {
  readonly params: CheckedPart<O, 'params'>;
  readonly query: CheckedPart<O, 'query'>;
  readonly body: CheckedPart<O, 'body'>;
}

type CheckedPart<O, P extends Part> = O extends { readonly [K in P]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** Statuses of replies with content; 304 is handled by caches. */
export type StatusOf<O extends Operation> = Exclude<keyof O['replies'] & number, 304>;

/** A reply, discriminated by its status. */
export type ReplyOf<O extends Operation> = {
  [S in StatusOf<O>]: { readonly status: S; readonly body: BodyOf<O['replies'][S]> };
}[StatusOf<O>];

/** The decoded body of a reply. Without a schema: JSON as an object, text as a string, anything else as bytes. */
export type BodyOf<R extends ReplyShape> = R extends { readonly schema: infer S extends z.ZodType }
  ? Wire<z.output<S>>
  : R extends { readonly mediaType: 'application/json' }
    ? Readonly<Record<string, unknown>>
    : R extends { readonly mediaType: `text/${string}` }
      ? string
      : R extends { readonly mediaType: string }
        ? Uint8Array
        : undefined;

/** One line of an operation's NDJSON response. */
export type LineOf<O extends Operation> = O['replies'][200] extends {
  readonly line: infer S extends z.ZodType;
}
  ? Wire<z.output<S>>
  : never;

/** The path of a call, with its parameters filled in. */
export function pathOf(
  operation: Pick<Operation, 'path'>,
  params: Readonly<Record<string, unknown>> = {},
): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
}
