import * as contract from '@touchstone/contract';
import type { Registry } from '../../../core/registry/context.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { implement, ok } from '../../../platform/http/implement.ts';
import { readSessionCookie, sessionCookie } from '../../../platform/http/own-page.ts';
import type { Call, Route } from '../../../platform/http/route.ts';
import { findSession } from './find-session.ts';
import { beginSession, endSession, getSession } from './sessions.ts';

/** Sessions of the console: signing in by a key, then a cookie. */
export function sessionRoutes(registry: Registry, baseUrl: string): Route[] {
  const tokenOf = ({ cookie }: Call) => readSessionCookie(cookie === undefined ? {} : { cookie }, baseUrl);
  const presentToken = (call: Call) => {
    const token = tokenOf(call);
    if (token === undefined) throw new ServiceError('session_missing');
    return token;
  };
  return [
    implement(contract.beginSession, async ({ body }, call) => {
      const { caller } = call;
      const begun = await beginSession(registry, { apiKey: body.apiKey, caller, former: tokenOf(call) });
      return {
        status: 201,
        headers: { 'set-cookie': sessionCookie(begun.token, baseUrl) },
        body: begun.session,
      };
    }),
    implement(contract.getSession, async (_, call) => {
      const token = tokenOf(call);
      // this call also extends the session
      const isOpen = token !== undefined && (await findSession(registry, token)) !== null;
      return isOpen ? ok(await getSession(registry, token)) : { status: 204 };
    }),
    implement(contract.endSession, async ({ query }, call) => {
      await endSession(registry, presentToken(call), query.everywhere === 'true');
      return { status: 204, headers: { 'set-cookie': sessionCookie('', baseUrl) } };
    }),
  ];
}
