import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds for one command: the longest installs this project, on a machine that does other things as well. */
const PATIENCE = 600_000;
/** Milliseconds for what stays up to end after SIGTERM. */
const ENDING = 60_000;

export interface Ended {
  readonly code: number;
  /** Of both streams. */
  readonly output: string;
}

/** A shell that keeps its variables and folder from command to command, as that of a reader does. */
export interface Terminal {
  run(command: string): Promise<Ended>;
  /** Starts a command that stays up; resolves once its output contains `text`. */
  runUntil(command: string, text: string): Promise<string>;
  /** Ends what stays up. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export async function openTerminal(
  folder: string,
  files: string,
  env: Record<string, string>,
): Promise<Terminal> {
  await mkdir(files, { recursive: true });
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  const answers = createInterface({ input: shell.stdio[3] as Readable });
  // every command that stays up gets a process group, so that it can be ended with all that it started
  shell.stdin?.write('set -m\n');
  const up: number[] = [];
  let count = 0;

  const send = async (line: (file: string) => string, command: string) => {
    const file = join(files, String(++count));
    await writeFile(`${file}.sh`, `${command}\n`);
    const answer = nextLine(answers, shell);
    shell.stdin?.write(`${line(file)}\n`);
    return { file, answer: await answer };
  };
  const stop = async () => {
    for (const group of up.splice(0)) await endGroup(group);
  };

  return {
    async run(command) {
      const { file, answer } = await send(
        (at) => `. ${at}.sh > ${at}.out 2>&1 < /dev/null; echo $? >&3`,
        command,
      );
      return { code: Number(answer), output: await readFile(`${file}.out`, 'utf8') };
    },
    async runUntil(command, text) {
      const { file, answer } = await send(
        (at) => `. ${at}.sh > ${at}.out 2>&1 < /dev/null & echo $! >&3`,
        command,
      );
      const group = Number(answer);
      up.push(group);
      const deadline = performance.now() + PATIENCE;
      for (;;) {
        const isUp = isRunning(group);
        const output = await readFile(`${file}.out`, 'utf8').catch(() => '');
        if (output.includes(text)) return output;
        if (!isUp || performance.now() > deadline)
          throw new Error(`never printed “${text}”:\n${output.slice(-4000)}`);
        await delay(200);
      }
    },
    stop,
    async close() {
      await stop();
      shell.stdin?.end();
      if (shell.exitCode === null) await once(shell, 'exit');
    },
  };
}

function nextLine(lines: Interface, shell: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => () => reject(new Error(why));
    const timer = setTimeout(fail(`no end after ${PATIENCE / 1000} s`), PATIENCE);
    const onExit = fail('the command ended its shell');
    shell.once('exit', onExit);
    lines.once('line', (line) => {
      clearTimeout(timer);
      shell.off('exit', onExit);
      resolve(line);
    });
  });
}

function isRunning(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

async function endGroup(group: number): Promise<void> {
  const deadline = performance.now() + ENDING;
  if (isRunning(group)) process.kill(-group, 'SIGTERM');
  while (isRunning(group)) {
    if (performance.now() > deadline) process.kill(-group, 'SIGKILL');
    await delay(100);
  }
}
