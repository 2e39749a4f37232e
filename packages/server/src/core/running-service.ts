import type { DestinationStream, Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Connection } from '../platform/database/database.ts';
import type { HttpTimeouts } from '../platform/http/fastify-app.ts';
import type { Closers } from '../platform/lifecycle/closers.ts';
import type { NetworkOverrides } from '../platform/network/fetchers.ts';
import type { Config } from '../platform/settings/config.ts';
import type { OperatorKey } from './registry/api-keys/operator-key.ts';
import type { DomainProofPorts } from './registry/domains/find-proof.ts';

/** Replacements in tests and the demo; nothing else can be replaced. */
export interface Overrides extends NetworkOverrides {
  readonly clock?: Clock;
  /** Looks up the TXT records that prove a domain. */
  readonly resolveTxt?: DomainProofPorts['resolveTxt'];
  /** Where log lines go; standard output by default. */
  readonly logDestination?: DestinationStream;
  readonly timeouts?: HttpTimeouts;
  /** Folders of built pages, instead of our own; empty: none. */
  readonly webFolders?: readonly string[];
  /** False: the embedded database flushes nothing to disk. */
  readonly durable?: boolean;
}

export interface RunningService extends OperatorKey {
  /** Its address for clients on this machine; no slash at the end. */
  readonly url: string;
  /** Its own address, as written into certificates; no slash at the end. */
  readonly baseUrl: string;
  /** Resolves with the reason if the service cannot continue and must be closed. */
  readonly failed: Promise<Error>;
  /** Finishes requests in progress (for 10 s at most) and closes everything. */
  close(): Promise<void>;
}

/** The shared parts of every process. */
export interface Start {
  readonly config: Config;
  readonly overrides: Overrides;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Everything opened is added here, and closed in reverse order. */
  readonly closers: Closers;
}

/** The addresses and database of a service, for each of its processes. */
export interface Place {
  readonly port: number;
  /** The address of the service for clients on this machine. */
  readonly url: string;
  readonly baseUrl: string;
  readonly connection: Connection;
}
