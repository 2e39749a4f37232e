import { setTimeout as delay } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { EXIT } from './exit-codes.ts';
import { appendTo, bytesOf } from './files.ts';
import type { Io, Output } from './io.ts';
import { run } from './program.ts';

function outputOf(stream: WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    // a terminal that does not know its width says 0
    columns: stream.columns || 80,
  };
}

/** Milliseconds in which a repeated signal is the same one: npm passes on what the terminal sends to all. */
const ECHO = 1000;

function ignore(): void {}

/** The first signal asks to stop; a second one ends the process at once. */
function stopOnSignals(stop: AbortController): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      stop.abort();
      process.on(name, ignore);
      setTimeout(() => process.off(name, ignore), ECHO).unref();
    });
  }
}

const stopping = new AbortController();
stopOnSignals(stopping);
const stop = stopping.signal;

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
  stop,
};

// Node would end with 1 here, which means "failed" (record 42)
process.on('uncaughtException', (error) => {
  process.stderr.write(
    `error: Unexpected: ${error.stack ?? error.message}\nThis is a fault of the program; please report it.\n`,
  );
  process.exit(EXIT.cannotTell);
});

let unread: number | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // whoever reads us may stop reading (touchstone … | head): then there is nobody left to tell
  if (error.code !== 'EPIPE') {
    process.stderr.write(`error: What there is to tell cannot be written: ${error.message}\n`);
    process.exitCode = EXIT.cannotTell;
  }
  unread = EXIT.cannotTell;
  // not an end on the spot: the demo and the service have a database to stop
  stopping.abort();
});

const exitCode = await run(process.argv.slice(2), io);
process.exitCode = unread ?? exitCode;
