import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';

const common = { tag: 'Console', noStore: true, sameOrigin: true } as const;

/** Path of a browser's session, below that of the console's pages. */
const PATH = '/console/session';

/** Session cookie; over https its name has the prefix `__Host-`, so that no other host can set it. */
export const SESSION_COOKIE = 'touchstone_session';

/** CSRF header: proves that a page of the service made the call. Required for calls with a session cookie that change something. */
export const CSRF_HEADER = 'X-CSRF-Token';

const SessionStartSchema = z
  .strictObject({
    apiKey: z.string().trim().min(1).max(1024).meta({
      description:
        'The key of a merchant, or the operator key. It is not stored, and the browser need not store it.',
    }),
  })
  .meta({ id: 'SessionStart' });

const SessionSchema = z
  .object({
    role: z.enum(['merchant', 'operator']),
    merchantId: z.uuid().optional().meta({ description: 'Absent for the operator.' }),
    merchantName: z.string().optional(),
    keyId: z.uuid().meta({ description: 'The key with which the session was started.' }),
    keyLabel: z.string(),
    csrfToken: z.string().meta({
      description: `Token of this session: send it as ${CSRF_HEADER} in every call that changes data.`,
    }),
    startedAt: z.iso.datetime(),
    idleEndsAt: z.iso.datetime().meta({
      description: 'When it ends without further calls: about 8 hours after the last one.',
    }),
    endsAt: z.iso.datetime().meta({ description: 'When it ends in any case: 24 hours after it began.' }),
  })
  .meta({ id: 'Session', description: 'A session of the console, as returned to its browser.' });

export type SessionStart = z.infer<typeof SessionStartSchema>;
export type Session = Wire<z.infer<typeof SessionSchema>>;

const BEGIN = `Sets a cookie that scripts cannot read and that is sent only from pages of this service. It replaces
\`Authorization\` in all registry calls that the key permits; calls that change data also need \`${CSRF_HEADER}\`. The session
ends after 8 hours without a call, after 24 hours, or when the key is revoked. An earlier session of the browser is ended. A
caller may make 10 failed attempts a minute.`;

export const beginSession = defineOperation({
  ...common,
  id: 'beginSession',
  method: 'POST',
  path: PATH,
  summary: 'Sign in to the console',
  description: BEGIN,
  access: 'public',
  body: SessionStartSchema,
  bodyLimit: 8 * 1024,
  replies: { 201: { description: 'The session; its cookie is in Set-Cookie.', schema: SessionSchema } },
  errors: ['credentials_invalid', 'cross_site_refused', 'sign_in_rate_limited'],
});

export const getSession = defineOperation({
  ...common,
  id: 'getSession',
  method: 'GET',
  path: PATH,
  summary: 'Get the current session',
  description: 'Returns 204, not an error, if nobody is signed in.',
  access: 'public',
  replies: {
    200: { description: 'The session.', schema: SessionSchema },
    204: { description: 'There is no session, or it has ended: sign in at /console.' },
  },
  errors: ['cross_site_refused'],
});

export const endSession = defineOperation({
  ...common,
  id: 'endSession',
  method: 'DELETE',
  path: PATH,
  summary: 'Sign out of the console',
  access: 'session',
  query: z.strictObject({
    everywhere: z.enum(['true', 'false']).default('false').meta({
      description: 'true: ends every session of the same key, in any browser.',
    }),
  }),
  replies: { 204: { description: 'The session has ended; the cookie is removed.' } },
  errors: [],
});
