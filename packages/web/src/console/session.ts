import type { Session } from '@touchstone/contract';
import { CallError } from './call-error.ts';
import type { CallBody, CallId, CallInput } from './calls.ts';
import type { Credentials } from './client.ts';

/**
 * `asking`: not known yet. `unreachable`: it could not be requested. `out`: not signed in. `in`: signed in. `ended`: the session ended
 * during work, and the content of the page stays until the same caller signs in again.
 */
type SessionState =
  | { readonly kind: 'asking' | 'out' }
  | { readonly kind: 'unreachable'; readonly error: CallError }
  | { readonly kind: 'in' | 'ended'; readonly session: Session };

export interface SessionKeeper extends Credentials {
  state(): SessionState;
  subscribe(changed: () => void): () => void;
  /** Requests the browser's present session. */
  start(): Promise<void>;
  /** @throws CallError if the key is not accepted */
  signIn(apiKey: string): Promise<void>;
  /** Also works if the service is unreachable: the page forgets the session, which then expires by itself. */
  signOut(everywhere: boolean): Promise<void>;
}

/** A client whose calls do not wait for a sign-in, since they perform it. */
type RawCall = <Id extends CallId>(id: Id, input: CallInput<Id>) => Promise<CallBody<Id>>;

interface SessionOptions {
  readonly call: RawCall;
  /** Called if another caller signed in after the session ended: the content of the page is not theirs. */
  readonly onOther: () => void;
}

export function createSessionKeeper({ call, onOther }: SessionOptions): SessionKeeper {
  const listeners = new Set<() => void>();
  let current: SessionState = { kind: 'asking' };
  let renewal:
    | { promise: Promise<void>; resolve: () => void; reject: (error: CallError) => void }
    | undefined;

  const set = (next: SessionState) => {
    current = next;
    for (const changed of listeners) changed();
  };
  const known = () => ('session' in current ? current.session : undefined);
  const taken = (session: Session) => {
    const before = current.kind === 'ended' ? current.session : undefined;
    if (before !== undefined && !isSameCaller(before, session)) return onOther();
    set({ kind: 'in', session });
    renewal?.resolve();
    renewal = undefined;
  };
  const gone = () => {
    set({ kind: 'out' });
    renewal?.reject(new CallError('problem', 'Signed out.', { status: 401, code: 'session_missing' }));
    renewal = undefined;
  };

  return {
    state: () => current,
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    csrfToken: () => known()?.csrfToken,
    async start() {
      try {
        const session = await call('getSession', {});
        set(session === undefined ? { kind: 'out' } : { kind: 'in', session });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        set({ kind: 'unreachable', error });
      }
    },
    async renew() {
      if (renewal !== undefined) return renewal.promise;
      const session = known();
      if (session === undefined) return gone();
      renewal = Promise.withResolvers<void>();
      const { promise } = renewal;
      // callers that wait handle the rejection; there may be none
      promise.catch(() => undefined);
      // another tab may already have started a new session, whose cookie this page shares
      const other = await call('getSession', {}).catch(() => undefined);
      set({ kind: 'ended', session });
      if (other !== undefined) taken(other);
      return promise;
    },
    async signIn(apiKey) {
      taken(await call('beginSession', { body: { apiKey } }));
    },
    async signOut(everywhere) {
      await call('endSession', { query: { everywhere: everywhere ? 'true' : 'false' } }).catch(
        () => undefined,
      );
      gone();
    },
  };
}

function isSameCaller(a: Session, b: Session): boolean {
  return a.role === b.role && a.merchantId === b.merchantId;
}
