import { type DestinationStream, type LevelWithSilent, type Logger, pino, stdTimeFunctions } from 'pino';

/** Names under which a secret could reach a log line; the values are replaced. */
const SECRETS = ['authorization', 'password', 'apiKey', 'operatorKey', 'masterKey', 'connectionString'];

/**
 * Structured log, one JSON object per line.
 *
 * @param destination - standard output unless told
 * @param processName - which of the service's processes writes, where there are several
 */
export function createLogger(
  level: LevelWithSilent,
  destination?: DestinationStream,
  processName?: string,
): Logger {
  const options = {
    level,
    base: { service: 'touchstone', pid: process.pid, process: processName },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[removed]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
