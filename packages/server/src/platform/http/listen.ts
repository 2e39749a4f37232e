import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../lifecycle/start-error.ts';
import type { HttpServer } from './http-server.ts';

/**
 * Checks that the address can be listened on, before anything slow is started, and chooses a free port for 0.
 *
 * @throws StartError naming what is in the way
 */
export async function claimPort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw asListenError(error, host, port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The IP addresses on which `listen` may listen for this host. */
export async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * Backlog of connections that the operating system keeps until they are accepted, limited by `net.core.somaxconn`. It drops
 * further ones, whose clients then wait for up to a minute. Under high load, more than Node's default of 511 arrive within
 * one iteration of the event loop.
 */
const BACKLOG = 4_096;

/** @throws StartError naming what is in the way */
export async function listen(app: HttpServer, host: string, port: number): Promise<void> {
  await app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
    throw asListenError(error, host, port);
  });
}

/** Converts an error of listening to one that says what to change; returns other errors unchanged. */
function asListenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = LISTEN_FAULTS[String(code)]?.(`${host}:${port}`);
  return message === undefined ? error : new StartError(message, { cause: error });
}

const LISTEN_FAULTS: Readonly<Record<string, (where: string) => string>> = {
  EADDRINUSE: (where) =>
    `Something else listens on ${where} already: stop it, or set TOUCHSTONE_PORT to another port.`,
  EACCES: (where) => `This user may not listen on ${where}: set TOUCHSTONE_PORT to a port above 1023.`,
  EADDRNOTAVAIL: (where) =>
    `${where} is not an address of this machine: set TOUCHSTONE_HOST to one of its addresses.`,
  ENOTFOUND: (where) =>
    `The host of ${where} is not known: set TOUCHSTONE_HOST to an address of this machine.`,
};

/** Whether the address is reachable from other machines. */
export function isOpenToOthers(host: string): boolean {
  return !/^(localhost|127\.[\d.]+|::1)$/i.test(host);
}

/** The address of the service for clients on this machine. */
export function localUrl(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  return new URL(`http://${name}:${port}`).origin;
}

/** Milliseconds between searches for connections that have fallen idle. */
const SWEEP = 50;

/**
 * Stops accepting connections, lets requests finish, and returns once every connection is closed; requests that have not
 * finished after `timeout` milliseconds are aborted.
 *
 * @param notice - milliseconds for which requests are still accepted. Their answers end their connections, so that a client
 *   sends none on a connection that is being closed (RFC 9112 section 9.6), and a load balancer has time to see that this node is
 *   not ready
 */
export async function drain(app: HttpServer, timeout: number, notice = 0): Promise<void> {
  app.endConnections();
  if (notice > 0) await delay(notice);
  // Node closes only the connections that are idle now, not those that become idle meanwhile
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP);
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeout);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
