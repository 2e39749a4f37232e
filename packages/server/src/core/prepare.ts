import { pathToFileURL } from 'node:url';
import { VERSION } from '@touchstone/certificate';
import type { EmbeddedPostgres } from '@touchstone/embedded-postgres';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Connection } from '../platform/database/database.ts';
import type { Schema } from '../platform/database/schema-files.ts';
import { claimPort, isOpenToOthers, localUrl } from '../platform/http/listen.ts';
import { Closers } from '../platform/lifecycle/closers.ts';
import { asFolderError } from '../platform/lifecycle/start-error.ts';
import { createLogger } from '../platform/log/logger.ts';
import type { Config } from '../platform/settings/config.ts';
import { openTracing, type Tracing } from '../platform/tracing/tracing.ts';
import { agentOf } from './keys/sign-request.ts';
import type { Overrides } from './running-service.ts';

/** The shared parts of every process. */
export interface Start {
  readonly config: Config;
  readonly overrides: Overrides;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absent where the operator wants no traces. */
  readonly tracing?: Tracing | undefined;
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

export interface Prepared {
  readonly place: Place;
  /** Absent with an external database (DATABASE_URL). */
  readonly embedded: EmbeddedPostgres | undefined;
  /** Resolves with the reason when the data folder was lost and the service must stop. */
  readonly lost: Promise<Error>;
}

/**
 * Opens something; on failure everything opened so far is closed again.
 *
 * @param processName - in log lines, where the service has several processes
 * @throws StartError for what an operator can fix
 */
export async function startOrClose<T>(
  config: Config,
  overrides: Overrides,
  open: (start: Start) => Promise<T>,
  processName?: string,
): Promise<T> {
  const traces: { tracing?: Tracing } = {};
  const logMembers =
    config.tracingModule === undefined ? undefined : () => traces.tracing?.logMembers() ?? {};
  const logger = createLogger(config.logLevel, overrides.logDestination, processName, logMembers);
  const closers = new Closers((name, error) => logger.warn({ err: error }, `closing the ${name} failed`));
  try {
    if (config.tracingModule !== undefined) {
      const tracing = await openTracing(pathToFileURL(config.tracingModule).href, VERSION);
      closers.add('tracing', () => tracing.close());
      traces.tracing = tracing;
    }
    const clock = overrides.clock ?? (() => new Date());
    return await open({ config, overrides, clock, logger, closers, ...traces });
  } catch (error) {
    await closers.closeAll();
    const dataFolder = { path: config.dataDir, name: 'data folder', setting: 'TOUCHSTONE_DATA_DIR' };
    throw await asFolderError(error, dataFolder);
  }
}

/** Prepares the service once, however many processes answer: its port, its data folder, its database. */
export async function prepareService(start: Start, schemas: readonly Schema[]): Promise<Prepared> {
  const { config, overrides, logger, closers } = start;
  const port = await claimPort(config.host, config.port);
  const url = localUrl(config.host, port);
  const baseUrl = config.baseUrl ?? url;
  warnOfSettings(start, baseUrl);
  const lost = Promise.withResolvers<Error>();
  const { durable } = overrides;
  // the other processes are started before the database drivers are loaded
  const { prepareDatabase } = await import('../platform/database/prepare-database.ts');
  const { connection, embedded } = await prepareDatabase({
    config,
    logger,
    closers,
    schemas,
    durable,
    onLost: lost.resolve,
  });
  return { place: { port, url, baseUrl, connection }, embedded, lost: lost.promise };
}

function warnOfSettings({ config, logger }: Start, baseUrl: string): void {
  if (config.unknown.length > 0) logger.warn({ settings: config.unknown }, 'settings that mean nothing here');
  if (config.signRequests && agentOf(baseUrl) === undefined)
    logger.info(
      { baseUrl },
      'requests to shops are not signed: that takes a TOUCHSTONE_BASE_URL with https, a public host and no path',
    );
  if (config.baseUrl !== undefined || !isOpenToOthers(config.host)) return;
  logger.warn(
    { issuer: baseUrl },
    'TOUCHSTONE_BASE_URL is not set: certificates name as their issuer an address that others may not reach; ' +
      'set it before certificates go out',
  );
}
