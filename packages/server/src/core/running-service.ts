import type { RsaPublicJwk } from '@touchstone/certificate';
import type { DestinationStream } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { HttpTimeouts } from '../platform/http/http-timeouts.ts';
import type { NetworkOverrides } from '../platform/network/fetchers.ts';
import type { NewKey } from './keys/key-store.ts';
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
  /** Milliseconds that a proof waits for its place in the transparency log; a second by default. */
  readonly logPatience?: number;
  /** False: neither the embedded database nor a folder of blobs flushes anything to disk. */
  readonly durable?: boolean;
  /** Milliseconds until the threads that read pages start, unless a page needs them sooner; 3 s by default. */
  readonly readersStartAfter?: number;
  /** Makes the RSA keys of a new service. */
  readonly newRsaKey?: () => Promise<NewKey<RsaPublicJwk>>;
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
