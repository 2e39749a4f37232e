import type { Config } from './config.ts';

/** With fewer connections, a transaction would wait for another request. */
const LEAST_CONNECTIONS = 2;
/** So that a heavy page of one caller leaves a thread for the others. */
const LEAST_READ_THREADS = 2;

/**
 * Divides limits per service (memory, connections, threads, concurrent work) among several processes, rounded up. Limits
 * counted in the database are not divided.
 */
export function processShare(config: Config, processes: number): Config {
  const share = (whole: number, least = 1) => Math.min(whole, Math.max(least, Math.ceil(whole / processes)));
  return {
    ...config,
    databaseConnections: share(config.databaseConnections, LEAST_CONNECTIONS),
    certificateCacheBytes: share(config.certificateCacheBytes),
    readThreads: share(config.readThreads, LEAST_READ_THREADS),
    fetch: { ...config.fetch, concurrent: share(config.fetch.concurrent) },
    images: {
      ...config.images,
      concurrent: share(config.images.concurrent),
      threads: share(config.images.threads),
    },
  };
}
