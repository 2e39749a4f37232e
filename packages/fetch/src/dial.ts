import { connect as connectTcp, isIP, isIPv4, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { printable } from '@touchstone/certificate/text';
import { isPublicAddress, networkOf, sameAddress, type Target } from './address.ts';
import { codeOf, FetchFailure, FetchFault } from './failure.ts';

/** Opens a TCP connection to exactly this address. Replaced in tests. */
export type Dialer = (address: string, port: number) => Socket;

/** Called at every connection attempt, before the first packet. */
export type OnDial = (address: string, port: number, host: string) => void;

/**
 * Waits until a connection into this network is permitted. The permit for an earlier connection of the same fetch
 * is released, since a fetch has one connection at a time.
 *
 * @param network - the result of `networkOf`; for a host of FETCH_CONNECT_TO its name, since many hosts may share the address
 */
export type TakePermit = (network: string, signal: AbortSignal) => Promise<void>;

export interface DialOptions {
  readonly dialer: Dialer;
  readonly onDial?: OnDial | undefined;
  readonly takePermit?: TakePermit | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds for one address if there is another one to try. */
  readonly attemptTime: number;
}

/** Addresses of one host that are tried. */
const MAX_ATTEMPTS = 4;

/**
 * Connects by TCP. A fetch reaches the network only by this function, so that tests can replace it.
 *
 * @param address - a checked IP address, never a name
 * @example
 * ```ts
 * import { dialTcp } from '@touchstone/fetch';
 *
 * const socket = dialTcp('127.0.0.1', 9).on('error', () => {});
 * socket.destroy().destroyed; // true
 * ```
 */
export function dialTcp(address: string, port: number): Socket {
  // an IP literal: there must be no lookup here
  return connectTcp({ host: address, port, autoSelectFamily: false, noDelay: true });
}

/**
 * Connects to the first address that answers, IPv4 first.
 *
 * @throws FetchFailure if the host refuses or cannot be reached, FetchFault if our own network fails; what the
 *   permit throws
 */
export async function dial(target: Target, options: DialOptions): Promise<Socket> {
  const ordered = target.addresses.toSorted((a, b) => Number(isIPv4(b)) - Number(isIPv4(a)));
  const attempts = ordered.slice(0, MAX_ATTEMPTS);
  const errors: unknown[] = [];
  for (const [index, address] of attempts.entries()) {
    const timeout = index < attempts.length - 1 ? options.attemptTime : undefined;
    await options.takePermit?.(target.exempt ? target.host : networkOf(address), options.signal);
    try {
      return await connectOnce(address, target, options, timeout);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof FetchFailure) throw error;
      errors.push(error);
    }
  }
  throw connectionFailure(errors);
}

async function connectOnce(
  address: string,
  target: Target,
  options: DialOptions,
  timeout: number | undefined,
): Promise<Socket> {
  options.signal.throwIfAborted();
  options.onDial?.(address, target.port, target.host);
  const socket = options.dialer(address, target.port);
  await settled(socket, 'connect', options.signal, timeout);
  // the final check: the address to which the socket is really connected
  const remote = socket.remoteAddress ?? '';
  if (!sameAddress(remote, address) || !(target.exempt || isPublicAddress(remote))) {
    socket.destroy();
    throw new FetchFailure('address_blocked');
  }
  return socket;
}

/** Establishes TLS over the connection, and checks the host's name against its certificate. */
export async function secure(
  socket: Socket,
  host: string,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  const tls = connectTls({
    socket,
    secureContext,
    host,
    // RFC 6066 section 3: no literal addresses in server_name
    servername: isIP(host) === 0 ? host : undefined,
    ALPNProtocols: ['http/1.1'],
  });
  try {
    await settled(tls, 'secureConnect', signal);
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw new FetchFailure('tls_failed', tlsDetail(error));
  }
  return tls;
}

function tlsDetail(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  // OpenSSL's messages contain file names and thread ids of this process
  const plain = message.includes(':error:') ? 'The handshake failed.' : printable(message);
  return [codeOf(error), plain].filter((part) => part !== '').join(' ');
}

/** Waits for `event`; destroys the socket if it fails, takes too long or is aborted. */
function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  timeout?: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = timeout === undefined ? undefined : setTimeout(() => finish(timedOut()), timeout);
    const finish = (error?: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onReady).off('error', finish).off('close', onClose);
      // a socket may emit several errors, none of which may be uncaught
      socket.on('error', ignore);
      if (error === undefined) return resolve();
      socket.destroy();
      reject(error);
    };
    const onAbort = () => finish(signal.reason);
    const onReady = () => finish();
    const onClose = () => finish(new Error('The connection was closed.'));
    socket.once(event, onReady).once('error', finish).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

function ignore(): void {}

function timedOut(): Error {
  return Object.assign(new Error('The connection attempt took too long.'), { code: 'ETIMEDOUT' });
}

/** Errors of connect(2) that concern this machine, not the other one. */
const OURS: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EACCES',
  'EPERM',
]);

function connectionFailure(errors: readonly unknown[]): FetchFailure | FetchFault {
  const theirs = errors.map(codeOf).filter((code) => !OURS.has(code));
  if (theirs.length === 0) {
    return new FetchFault('No connection can be made from here.', { cause: errors[0] });
  }
  if (theirs.includes('ECONNREFUSED')) return new FetchFailure('connection_refused');
  if (theirs.includes('ETIMEDOUT')) return new FetchFailure('timed_out', 'while connecting');
  return new FetchFailure('connection_failed', theirs[0]);
}
