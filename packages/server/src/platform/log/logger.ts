import { type DestinationStream, type LevelWithSilent, type Logger, pino, stdTimeFunctions } from 'pino';

/** Names of members that may contain secrets; their values are replaced in log lines. */
const SECRETS = ['authorization', 'password', 'apiKey', 'operatorKey', 'masterKey', 'connectionString'];

/**
 * Structured log, one JSON object per line.
 *
 * @param destination - default: standard output
 * @param processName - name of this process, if the service has several
 * @param membersOf - further members of each line
 */
export function createLogger(
  level: LevelWithSilent,
  destination?: DestinationStream,
  processName?: string,
  membersOf?: () => object,
): Logger {
  const options = {
    level,
    base: { service: 'touchstone', pid: process.pid, process: processName },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[removed]' },
    ...(membersOf === undefined ? {} : { mixin: membersOf }),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
