import type { Wire } from '@touchstone/certificate/schema';
import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';

export type { Wire };

/**
 * Everything that is known of one HTTP call. The routes of the service with their validation, the OpenAPI document
 * and the client are made from it, so that none of them can disagree.
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
   * Who may call: anyone; any valid key, or a session of one (the use case narrows it to its own merchant); operators only,
   * by key or session; a browser with a session.
   */
  readonly access: 'public' | 'merchant' | 'operator' | 'session';
  /** A browser must say that a page of the service made the call, though it may have no session yet. */
  readonly sameOrigin?: boolean;
  readonly params?: z.ZodType;
  /** A strict object; without one, and without `anyQuery`, no query is taken. */
  readonly query?: z.ZodType;
  /** Names in the query are ignored: callers add their own to pages for people, probes and other protocols. */
  readonly anyQuery?: boolean;
  readonly body?: z.ZodType;
  /** Bytes; 1 MB where absent. */
  readonly bodyLimit?: number;
  /** Several calls in one: a node works on few at a time, since one takes as much memory as many others. */
  readonly batch?: boolean;
  /** Faults of the body alone are a 400 problem that lists them, not the 422 validation body (spec, Endpoints 6). */
  readonly bodyFaultsAre400?: boolean;
  /** Takes `application/x-ndjson` too, and answers it with one line per line. */
  readonly acceptsNdjson?: boolean;
  /** The handler reads the body as it comes, whatever its type: a signature covers its bytes. */
  readonly rawBody?: boolean;
  /** POST that honours `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Answered to any origin, with preflight. */
  readonly anyOrigin?: boolean;
  /** A public GET asked for thousands of times a second: no authentication, logged at debug only. */
  readonly hot?: boolean;
  /** What it answers is for this caller and moment alone: no cache may keep it. */
  readonly noStore?: boolean;
  /** `Cache-Control` of what it answers where nothing goes wrong; such an answer has an ETag too. */
  readonly cacheControl?: string;
  /** Its answers carry `Surrogate-Key`. */
  readonly surrogateKey?: boolean;
  /** Its answers say in `Content-Location` and `Link` where the document stands by its id. */
  readonly contentLocation?: boolean;
  /** Answers a person (`Accept: text/html`) with a page about what it answers a program; that stays as it is. */
  readonly page?: boolean;
  /** No part of the API that OpenAPI describes: pages for people, and protocols with a description of their own. */
  readonly unlisted?: boolean;
  /** What it answers where nothing goes wrong, by status. */
  readonly replies: Readonly<Record<number, ReplyShape>>;
  /** The faults that it can answer, beside those every call can (404 route, 413, 415, 422, 500, 503). */
  readonly errors: readonly ErrorCode[];
}

export interface ReplyShape {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** `application/json` where there is a schema, unless it says otherwise; absent without a schema: no body. */
  readonly mediaType?: string;
  /** One line of an answer in NDJSON: of the answer to an NDJSON body, or of any where there is no `schema`. */
  readonly line?: z.ZodType;
}

/** Writes one operation down, keeping its types. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

type Part = 'params' | 'query' | 'body';

/** What a caller gives, before validation fills in defaults. */
export type InputOf<O extends Operation> = InputPart<O, 'params'> &
  InputPart<O, 'query'> &
  InputPart<O, 'body'>;

type InputPart<O, P extends Part> = O extends { readonly [K in P]: infer S extends z.ZodType }
  ? Record<never, never> extends z.input<S>
    ? { readonly [K in P]?: z.input<S> }
    : { readonly [K in P]: z.input<S> }
  : unknown;

/** What reaches whoever answers the call: parsed and checked. */
export interface CheckedInput<O extends Operation> {
  readonly params: CheckedPart<O, 'params'>;
  readonly query: CheckedPart<O, 'query'>;
  readonly body: CheckedPart<O, 'body'>;
}

type CheckedPart<O, P extends Part> = O extends { readonly [K in P]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** Statuses of replies with something to read: 304 is between caches. */
export type StatusOf<O extends Operation> = Exclude<keyof O['replies'] & number, 304>;

/** A reply, told apart by its status. */
export type ReplyOf<O extends Operation> = {
  [S in StatusOf<O>]: { readonly status: S; readonly body: BodyOf<O['replies'][S]> };
}[StatusOf<O>];

/** The body of a reply as its reader has it. Without a schema: JSON as an object, text as text, all else as bytes. */
export type BodyOf<R extends ReplyShape> = R extends { readonly schema: infer S extends z.ZodType }
  ? Wire<z.output<S>>
  : R extends { readonly mediaType: 'application/json' }
    ? Readonly<Record<string, unknown>>
    : R extends { readonly mediaType: `text/${string}` }
      ? string
      : R extends { readonly mediaType: string }
        ? Uint8Array
        : undefined;

/** One line of what an operation answers in NDJSON. */
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
