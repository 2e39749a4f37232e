import { isIP } from 'node:net';
import { normalizeHost } from '@touchstone/certificate/binding';

/** Connect to `address:toPort` for requests to `host` (on `port`, or on any port). */
export interface ConnectTo {
  /** Normalised host name. */
  readonly host: string;
  /** Absent: every port of the host. */
  readonly port?: number | undefined;
  /** IP address, without brackets. */
  readonly address: string;
  readonly toPort: number;
}

const ENTRY = /^(?<host>[^:=\s]+)(?::(?<port>\d+))?=(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+)):(?<toPort>\d+)$/;

/**
 * Parses `host[:port]=addr:port,…` (setting FETCH_CONNECT_TO), with IPv6 addresses in brackets.
 *
 * @throws RangeError naming the first malformed entry
 * @example
 * ```ts
 * import { parseConnectTo } from '@touchstone/fetch';
 *
 * parseConnectTo('').length; // 0
 * ```
 */
export function parseConnectTo(text: string): ConnectTo[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry);
}

function parseEntry(entry: string): ConnectTo {
  const groups = ENTRY.exec(entry)?.groups;
  const host = normalizeHost(groups?.host ?? '');
  const address = groups?.v6 ?? groups?.v4 ?? '';
  const port = groups?.port === undefined ? undefined : Number(groups.port);
  const toPort = Number(groups?.toPort);
  if (host === null || isIP(address) === 0 || !isPort(toPort) || (port !== undefined && !isPort(port))) {
    throw new RangeError(`"${entry}" is not host[:port]=address:port with an IP address`);
  }
  return { host, port, address, toPort };
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** The entry for a host and port; an entry with the port takes precedence over one without. */
export function findConnectTo(
  entries: readonly ConnectTo[],
  host: string,
  port: number,
): ConnectTo | undefined {
  const ofHost = entries.filter((entry) => entry.host === host);
  return ofHost.find((entry) => entry.port === port) ?? ofHost.find((entry) => entry.port === undefined);
}
