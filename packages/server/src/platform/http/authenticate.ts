import type { Operation } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';
import type { Identity } from './access.ts';
import {
  type BrowserRequest,
  hasCsrfToken,
  isOfOwnPage,
  readSessionCookie,
  requireOwnPage,
} from './own-page.ts';

/** Identifies the owner of a key; null: it is unknown or revoked. */
export type Authenticate = (key: string) => Promise<Identity | null>;

/** How callers are identified. */
export interface Credentials {
  readonly authenticate: Authenticate;
  /** Identifies the owner of a console session by its cookie; null: it is unknown or has ended. */
  readonly findSession: Authenticate;
  /** The service's own address, without a slash at the end. */
  readonly baseUrl: string;
}

const BEARER = /^bearer +([\x21-\x7e]{1,200})$/i;

/**
 * The caller, by `Authorization: Bearer <key>`, or without that header by the cookie of a session. Throws if the
 * operation requires more.
 *
 * A public operation answers everyone: a valid key identifies the caller, or a session if the operation knows them; any other
 * header or cookie is ignored.
 */
export function identify(
  request: BrowserRequest,
  operation: Pick<Operation, 'access' | 'sameOrigin' | 'knowsSession'>,
  credentials: Credentials,
): Identity | null | Promise<Identity | null> {
  const { access, sameOrigin, knowsSession } = operation;
  if (access !== 'public') return requireIdentity(request, access, credentials);
  if (sameOrigin === true) {
    requireOwnPage(request, credentials.baseUrl);
    return null;
  }
  const key = bearerOf(request.headers.authorization);
  if (key !== undefined) return credentials.authenticate(key);
  return knowsSession === true ? sessionIn(request, credentials) : null;
}

/** The owner of a session, if there is one, and no other site makes the request in its name; whoever lacks its token is a stranger. */
function sessionIn(
  request: BrowserRequest,
  { findSession, baseUrl }: Credentials,
): Identity | null | Promise<Identity | null> {
  const token = readSessionCookie(request.headers, baseUrl);
  const isOwn = token !== undefined && isOfOwnPage(request, baseUrl) && hasCsrfToken(request, token);
  return isOwn ? findSession(token) : null;
}

async function requireIdentity(
  request: BrowserRequest,
  access: Exclude<Operation['access'], 'public'>,
  credentials: Credentials,
): Promise<Identity> {
  const { authorization } = request.headers;
  const identity =
    access === 'session' || (!isBearer(authorization) && hasSession(request, credentials))
      ? await ofSession(request, credentials)
      : await ofKey(authorization, credentials);
  if (access === 'operator' && identity.role !== 'operator') {
    throw new ServiceError('forbidden', { message: 'Only an operator key may do this.' });
  }
  return identity;
}

const bearerOf = (header: string | undefined) =>
  header === undefined ? undefined : BEARER.exec(header)?.[1];

/** Browsers add a header of another scheme if a proxy in front of the service requires one. */
const isBearer = (header: string | undefined) => header !== undefined && /^bearer\b/i.test(header);

const hasSession = ({ headers }: BrowserRequest, { baseUrl }: Credentials) =>
  readSessionCookie(headers, baseUrl) !== undefined;

async function ofKey(header: string | undefined, { authenticate }: Credentials): Promise<Identity> {
  const key = bearerOf(header);
  if (key === undefined) throw new ServiceError('credentials_missing');
  const identity = await authenticate(key);
  if (identity === null) throw new ServiceError('credentials_invalid');
  return identity;
}

/** Browsers send the cookie with calls from any site, so the call must prove that it comes from one of our pages. */
async function ofSession(request: BrowserRequest, { findSession, baseUrl }: Credentials): Promise<Identity> {
  const token = readSessionCookie(request.headers, baseUrl);
  if (token === undefined) throw new ServiceError('session_missing');
  requireOwnPage(request, baseUrl);
  const identity = await findSession(token);
  if (identity === null) throw new ServiceError('session_missing');
  if (!hasCsrfToken(request, token)) throw new ServiceError('csrf_token_wrong');
  return identity;
}
