import type { Worker } from 'node:cluster';
import { constants } from 'node:os';

/** Where the processes listen. */
export interface ListenPlace {
  /** IP addresses of the host. */
  readonly addresses: readonly string[];
  readonly port: number;
}

interface Request {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly addressType?: unknown;
  readonly fd?: unknown;
}

/** Messages of `node:cluster` about a process itself; an answer has no `act`. */
const ABOUT_ITSELF: ReadonlySet<unknown> = new Set([
  undefined,
  'online',
  'listening',
  'close',
  'exitedAfterDisconnect',
]);
/** Confirmations that a connection arrived. */
const CONFIRMATIONS: ReadonlySet<unknown> = new Set(['NODE_HANDLE_ACK', 'NODE_HANDLE_NACK']);

/**
 * Refuses a process of the cluster all addresses but those of the service. `node:cluster` opens, and later deletes, whatever a
 * process asks for, with the rights of this process: under root, code in a process would bind any port and delete any file.
 *
 * @param place - absent: none yet
 * @param onRefused - the process asked for something else, which ours never do
 */
export function permitListening(
  worker: Worker,
  place: () => ListenPlace | undefined,
  onRefused: () => void,
): void {
  const { process } = worker;
  const emit = process.emit.bind(process) as (...given: unknown[]) => boolean;
  process.emit = (event: unknown, ...given: unknown[]) => {
    if (event !== 'internalMessage') return emit(event, ...given);
    const [request, handle] = given as [Request, { close?(): void } | undefined];
    if (isPermitted(request, place())) return emit(event, ...given);
    handle?.close?.();
    onRefused();
    const refusal = { cmd: 'NODE_CLUSTER', ack: request.seq, errno: -constants.errno.EACCES };
    if (process.connected) process.send(refusal, () => {});
    return true;
  };
}

function isPermitted(request: Request, place: ListenPlace | undefined): boolean {
  const { cmd, act, address, port, addressType, fd } = request;
  if (cmd !== 'NODE_CLUSTER') return CONFIRMATIONS.has(cmd);
  if (act !== 'queryServer') return ABOUT_ITSELF.has(act);
  const isTcp = (addressType === 4 || addressType === 6) && fd === undefined;
  return (
    isTcp && place !== undefined && place.port === port && place.addresses.some((one) => one === address)
  );
}
