import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { COSIGNATURE_ED25519, formatVkey, vkeyOf } from '@touchstone/certificate/log';
import type { Command } from 'commander';
import { CliError, cannotTell, EXIT, usage } from '../../../cli-error.ts';
import { codeOf } from '../../../files.ts';
import type { Io } from '../../../io.ts';
import { safe } from '../../../output/text.ts';
import { reasonOf } from '../../../problem.ts';
import type { Session } from '../../../session.ts';
import { type GlobalOptions, wholeNumber } from '../../../settings.ts';
import { addLogs, createObservedLogs } from './observed-logs.ts';
import { openState } from './open-state.ts';
import { createWitness } from './witness.ts';
import { makeWitnessKey, readWitnessKey, type WitnessKey } from './witness-key.ts';
import { createWitnessServer } from './witness-server.ts';
import { originHash, writeSynchronized } from './witness-state.ts';

interface FolderOptions extends GlobalOptions {
  readonly folder: string;
}
interface RunOptions extends FolderOptions {
  readonly name?: string;
  readonly log?: readonly string[];
  readonly host: string;
  readonly port: string;
  readonly rate: string;
  readonly database?: string;
}

/** Milliseconds for requests in progress when the witness is stopped. */
const GRACE = 10_000;
/** Milliseconds between two looks at policies for logs of a new year. */
const LOOK = 3_600_000;

export function addWitness(program: Command, session: Session): void {
  const folder = [
    '--folder <folder>',
    'where key, logs and cosigned checkpoints are kept; never restore it from a backup',
    'witness',
  ] as const;
  const witness = program
    .command('witness')
    .description(
      "Be a witness of other operators' logs: cosign checkpoints that only append to what was seen before.",
    );
  witness
    .command('run')
    .description('Run a witness until it is stopped; makes its key at the first start.')
    .option(...folder)
    .option('--name <name>', 'its name, at the first start, such as witness.example/w1')
    .option(
      '--log <log...>',
      'logs to observe: their keys, or the file or address of a policy, which is read hourly',
    )
    .option(
      '--database <url>',
      'keep cosigned checkpoints in this PostgreSQL instead, for several processes with one key; needs the service installed',
    )
    .option('--host <host>', 'address to listen at', '127.0.0.1')
    .option('--port <port>', 'port to listen at', '8790')
    .option('--rate <number>', 'most cosignatures a second for one log', '5')
    .action((_: unknown, command: Command) => runWitness(session, command.optsWithGlobals<RunOptions>()));
  witness
    .command('key')
    .description('Print the public key of the witness; with a name, make its key first.')
    .argument('[name]', 'the name of a new witness, such as witness.example/w1')
    .option(...folder)
    .action((name: string | undefined, _: unknown, command: Command) =>
      inFolder(showKey(session, name, command.optsWithGlobals<FolderOptions>())),
    );
  witness
    .command('add-log')
    .description('Observe more logs, also while the witness runs.')
    .argument('<log...>', 'their keys, or the file or address of a policy')
    .option(...folder)
    .action((logs: readonly string[], _: unknown, command: Command) =>
      inFolder(observeLogs(session, logs, command.optsWithGlobals<FolderOptions>())),
    );
}

/** Explains errors of the file system, such as a disk that is full or a folder that others own. */
async function inFolder(action: Promise<void>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw cannotTell('witness_not_usable', `The folder of the witness cannot be used: ${error.message}.`);
  });
}

async function showKey(session: Session, name: string | undefined, options: FolderOptions): Promise<void> {
  const path = join(options.folder, 'key');
  const key = name === undefined ? await readWitnessKey(path) : await makeWitnessKey(path, name);
  if (key === undefined) throw usage(`${path} is missing.`, 'Make a key: touchstone witness key <name>');
  const vkey = await formatKey(key);
  session.print(options, { name: key.name, vkey }, () => `${safe(vkey)}\n`);
  session.exitCode = EXIT.verified;
}

async function observeLogs(session: Session, logs: readonly string[], options: FolderOptions): Promise<void> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const found = await addLogs(join(options.folder, 'logs'), logs, session.io);
  const [added, ended] = [found.added, found.ended].map((all) => all.map(({ name }) => name));
  const lines = [...(added ?? []).map(observes), ...(ended ?? []).map(hasEnded)];
  session.print(options, { added, ended }, () =>
    lines.length === 0 ? 'All are observed already.\n' : lines.map((line) => `${safe(line)}\n`).join(''),
  );
  session.exitCode = EXIT.verified;
}

async function runWitness(session: Session, options: RunOptions): Promise<void> {
  const { io } = session;
  const { folder, host, name, log = [] } = options;
  const port = wholeNumber(options.port, '--port', 0, 65_535);
  const perSecond = wholeNumber(options.rate, '--rate', 1, 1_000);
  const path = join(folder, 'key');
  const key =
    (await readWitnessKey(path)) ?? (name === undefined ? undefined : await makeWitnessKey(path, name));
  if (key === undefined)
    throw usage(
      'How is the witness called? --name',
      'Such as witness.example/w1; the name cannot be changed later.',
    );
  if (name !== undefined && name !== key.name) throw usage(`The witness in ${folder} is called ${key.name}.`);
  const logs = join(folder, 'logs');
  const note = (text: string) => io.stderr.write(`${io.now().toISOString()} ${safe(text)}\n`);
  const observed = createObservedLogs(logs);
  const isKnown = (await observed.count()) > 0;
  for (const one of log)
    await addLogs(logs, [one], io).catch((error: unknown) => {
      // another operator who is not reachable does not keep a witness from its other logs
      if (!isKnown || !(error instanceof CliError) || error.code !== 'log_not_readable') throw error;
      note(`${one}: ${error.message}`);
    });
  const state = await openState(folder, options.database, await formatKey(key));
  const witness = await createWitness({
    key,
    logs: observed,
    state,
    now: io.now,
    perSecond,
    onFork: (origin, notes) => keepFork(join(folder, 'forks'), origin, notes, note),
  });
  const server = createWitnessServer(witness, (error) => note(`fault: ${reasonOf(error)}`));
  const url = await listen(server, host, port).catch(async (error: unknown) => {
    await state.close();
    throw error;
  });
  const vkey = formatVkey(witness.vkey);
  session.print(
    options,
    { url, name: key.name, vkey },
    () => `Witness ${safe(key.name)} at ${url}\n${safe(vkey)}\n`,
  );
  const policies = log.filter((one) => /^https?:/i.test(one));
  const again = setInterval(() => {
    for (const one of policies)
      addLogs(logs, [one], io).then(
        ({ added, ended }) => {
          for (const { name: origin } of added) note(observes(origin));
          for (const { name: origin } of ended) note(hasEnded(origin));
        },
        (error: unknown) => note(`${one}: ${reasonOf(error)}`),
      );
  }, LOOK);
  await stopped(io);
  clearInterval(again);
  await close(server);
  await state.close();
  session.exitCode = EXIT.verified;
}

const observes = (origin: string) => `Observes ${origin}`;
const hasEnded = (origin: string) => `${origin} has ended: nothing but its last checkpoint is cosigned`;

async function formatKey(key: WitnessKey): Promise<string> {
  return formatVkey(await vkeyOf(key.name, new Uint8Array(key.publicKey), COSIGNATURE_ED25519));
}

/** Keeps both checkpoints of a fork; the first of each log is enough. */
async function keepFork(
  folder: string,
  origin: string,
  notes: readonly [string, string],
  note: (text: string) => void,
): Promise<void> {
  const path = join(folder, originHash(origin));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeSynchronized(path, notes.join('\n')).then(
    () => note(`fork: ${origin} has signed two trees of one size; both checkpoints are in ${path}`),
    (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    },
  );
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  }).catch((error: unknown) => {
    throw cannotTell(
      'witness_not_usable',
      `The witness cannot listen at ${host}:${port}: ${reasonOf(error)}.`,
    );
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

function stopped({ stop }: Io): Promise<void> {
  return new Promise((resolve) => {
    stop.addEventListener('abort', () => resolve(), { once: true });
    if (stop.aborted) resolve();
  });
}

/** Answers what was received, and takes no more. */
async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), GRACE);
  await closed;
  clearTimeout(late);
}
