import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Account } from './account.ts';

/** Starts a process of the cluster, as another user where one is given. */
export function forkAs(entry: URL, account: Account | undefined): Worker {
  // in turn: left to the kernel, one process gets three quarters of the connections
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    exec: fileURLToPath(entry),
    args: [],
    serialization: 'advanced',
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  });
  const worker = cluster.fork();
  closeUntaken(worker);
  return worker;
}

/**
 * Node forgets the connection that it was handing to a process which ended before it took it: the client would wait for
 * ever. One that was taken is closed here already.
 */
function closeUntaken(worker: Worker): void {
  const { process } = worker;
  const send = process.send.bind(process) as (...given: unknown[]) => boolean;
  let handed: { close?(): void } | undefined;
  process.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (typeof handle === 'object' && handle !== null) handed = handle;
    return send(message, handle, ...rest);
  };
  worker.once('exit', () => handed?.close?.());
}
