import { setTimeout as delay } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { EXIT } from './cli-error.ts';
import {
  appendTo,
  bytesOf,
  foldersBelow,
  isSameFile,
  namesIn,
  removeFile,
  replaceFile,
  writeWhole,
} from './files.ts';
import type { Io, Output } from './io.ts';
import { printing } from './output/printing.ts';
import { run } from './program.ts';

function outputOf(stream: WriteStream): Output {
  return printing({
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    // a terminal of unknown width reports 0
    columns: stream.columns || 80,
  });
}

/** Milliseconds within which a repeated signal counts as the same: npm forwards what the terminal sends to the whole group. */
const ECHO = 1000;

function ignore(): void {}

/** The first signal stops the command (SIGHUP: the terminal was closed); a second one ends the process at once. */
function stopOnSignals(stop: AbortController): void {
  let askedAt: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // stays registered until the end: in any gap between two listeners, a signal would end the process
    const onSignal = () => {
      if (askedAt === undefined) {
        askedAt = performance.now();
        stop.abort();
      } else if (performance.now() - askedAt > ECHO) {
        process.off(name, onSignal);
        process.kill(process.pid, name);
      }
    };
    process.on(name, onSignal);
  }
}

const stopping = new AbortController();
stopOnSignals(stopping);
const stop = stopping.signal;

/** Cleanup steps for when the program ends by a fault of its own. */
const undos = new Set<() => Promise<void>>();
/** Milliseconds; a database that has not stopped by then will not stop. */
const UNDO_TIME = 30_000;

const io: Io = {
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  stdin: process.stdin,
  env: process.env,
  fetch: globalThis.fetch,
  now: () => new Date(),
  sleep: (milliseconds) => delay(milliseconds, undefined, { signal: stop }).catch(ignore),
  readFile: bytesOf,
  appendTo,
  writeFile: writeWhole,
  replaceFile,
  isSameFile,
  removeFile,
  namesIn,
  foldersBelow,
  stop,
  atFault: (undo) => {
    undos.add(undo);
    return () => undos.delete(undo);
  },
};

let faulty: number | undefined;
// Node would exit with 1 here, which means "failed"
process.on('uncaughtException', (error) => {
  io.stderr.write(
    `error: Unexpected: ${error.stack ?? error.message}\nThis is a bug in the program; please report it.\n`,
  );
  // work in progress is stopped too; whatever exit code it sets later, this one counts
  faulty = EXIT.cannotTell;
  stopping.abort();
  const undone = Promise.allSettled(Array.from(undos, (undo) => undo()));
  void Promise.race([undone, delay(UNDO_TIME)]).then(() => process.exit(EXIT.cannotTell));
});

let unread: number | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // the reader may close the pipe (touchstone … | head): then there is nobody to report to
  if (error.code !== 'EPIPE') {
    io.stderr.write(`error: The output cannot be written: ${error.message}\n`);
    process.exitCode = EXIT.cannotTell;
  }
  unread = EXIT.cannotTell;
  // not an immediate exit: the demo and the service must stop their database
  stopping.abort();
});

// writing to a closed terminal fails, which is no reason to abort the work
process.stderr.on('error', ignore);

const exitCode = await run(process.argv.slice(2), io);
process.exitCode = faulty ?? unread ?? exitCode;
