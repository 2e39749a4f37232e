import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';

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
        'A key of a merchant, or the operator key. It is not kept, and the browser need not keep it.',
    }),
  })
  .meta({ id: 'SessionStart' });

const SessionSchema = z
  .object({
    role: z.enum(['merchant', 'operator']),
    merchantId: z.uuid().optional().meta({ description: 'Absent for the operator.' }),
    merchantName: z.string().optional(),
    keyId: z.uuid().meta({ description: 'The key that the session stands for.' }),
    keyLabel: z.string(),
    csrfToken: z.string().meta({
      description: `Of this session: every call that changes something sends it as ${CSRF_HEADER}.`,
    }),
    startedAt: z.iso.datetime(),
    idleEndsAt: z.iso.datetime().meta({
      description: 'When it ends if nothing is asked until then: 8 hours after the last call, about.',
    }),
    endsAt: z.iso.datetime().meta({ description: 'When it ends in any case: 24 hours after it began.' }),
  })
  .meta({ id: 'Session', description: 'A session of the console, as its browser sees it.' });

export type SessionStart = z.infer<typeof SessionStartSchema>;
export type Session = Wire<z.infer<typeof SessionSchema>>;

const BEGIN = `Sets a cookie that scripts cannot read and that is sent from pages of this service only. With it every call of
the registry may be made instead of with \`Authorization\`, as far as the key may; calls that change something need
\`${CSRF_HEADER}\`, too. It ends after 8 hours without a call, after 24 hours, and with the key. A session that the browser had is
ended. A caller has 10 attempts that fail a minute.`;

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
  description: 'That nobody is signed in is an answer, not a fault: 204.',
  access: 'public',
  replies: {
    200: { description: 'The session.', schema: SessionSchema },
    204: { description: 'There is none, or it has ended: sign in at /console.' },
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
      description: 'true: every session of the same key, in any browser.',
    }),
  }),
  replies: { 204: { description: 'The session has ended; the cookie is removed.' } },
  errors: [],
});
