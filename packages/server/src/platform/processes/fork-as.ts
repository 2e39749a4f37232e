import cluster, { type ClusterSettings, type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { type Account, setprivSwitches } from './account.ts';
import { type Environment, withMinimalEnvironment } from './environment.ts';

/** Starts a process of the cluster, optionally as another user. Its environment is the minimal one and `env`. */
export function forkAs(entry: URL, account: Account | undefined, env: Environment = {}): Worker {
  // round robin: with the kernel's distribution, one process gets three quarters of the connections
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const settings = { exec: fileURLToPath(entry), args: [], serialization: 'advanced' } as const;
  const worker =
    account?.bySetpriv === true
      ? forkBySetpriv(settings, account, env)
      : fork({ ...settings, execArgv: switches(), uid: account?.uid, gid: account?.gid }, env);
  closeUntaken(worker);
  return worker;
}

/**
 * This process's own; without a program that it was given as text (`node -e`), which would be run in the place of `exec`. Where
 * this one was built, and names sources in its stack traces, so does the other.
 */
function switches(): string[] {
  const { execArgv } = process;
  const passedOn = execArgv.filter((one, index) => {
    const isText = /^(?:-e|--eval|-p|--print|-pe)$/.test(execArgv[index - 1] ?? '');
    return !isText && !/^(?:-e|-p|-pe|--eval\b.*|--print\b.*|--input-type\b.*)$/.test(one);
  });
  // otherwise any process of the same user could open its debugger
  const closed = [...passedOn, '--disable-sigusr1'];
  return process.sourceMapsEnabled ? [...closed, '--enable-source-maps'] : closed;
}

function fork({ uid, gid, ...settings }: ClusterSettings, env: Environment): Worker {
  cluster.setupPrimary({
    ...settings,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  return withMinimalEnvironment(() => cluster.fork(env));
}

/** The cluster always runs `process.execPath`, which it reads now. */
function forkBySetpriv(settings: ClusterSettings, account: Account, env: Environment): Worker {
  const { execPath } = process;
  process.execPath = 'setpriv';
  try {
    const execArgv = [...setprivSwitches(account), execPath, ...switches()];
    return fork({ ...settings, execArgv }, env);
  } finally {
    process.execPath = execPath;
  }
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
