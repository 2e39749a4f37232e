import type { DestinationStream } from 'pino';
import type { WebBuild } from './pages/web-build.ts';
import type { Clock } from './platform/clock.ts';
import type { HttpTimeouts } from './platform/http/http-server.ts';
import type { NetworkOverrides } from './platform/network/fetchers.ts';
import type { OperatorKey } from './registry/api-keys/operator-key.ts';
import type { DomainProofPorts } from './registry/domains/find-proof.ts';

/** What tests and the demo put in the place of the real thing; nothing else can be replaced. */
export interface Overrides extends NetworkOverrides {
  readonly clock?: Clock;
  /** Looks up the TXT records that prove a domain. */
  readonly resolveTxt?: DomainProofPorts['resolveTxt'];
  /** Where log lines go; standard output by default. */
  readonly logDestination?: DestinationStream;
  readonly timeouts?: HttpTimeouts;
  /** The pages, where they were built elsewhere; `null`: nowhere. */
  readonly web?: WebBuild | null;
  /** False: the embedded database flushes nothing to disk. */
  readonly durable?: boolean;
}

export interface RunningService extends OperatorKey {
  /** Where it listens, as reached from this machine; no slash at the end. */
  readonly url: string;
  /** Its own address, as written into certificates; no slash at the end. */
  readonly baseUrl: string;
  /** Resolves with why, when the service cannot go on and must be ended. */
  readonly failed: Promise<Error>;
  /** Finishes requests in progress (for 10 s at most) and closes everything. */
  close(): Promise<void>;
}
