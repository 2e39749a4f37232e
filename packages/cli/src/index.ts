import { open } from 'node:fs/promises';
import type { WriteStream } from 'node:tty';
import type { Io, Output } from './io.ts';
import { run } from './program.ts';

function outputOf(stream: WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? 80,
  };
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path);
  yield* file.createReadStream({ highWaterMark: 1024 * 1024 });
}

/** Milliseconds in which a repeated signal is the same one: npm passes on what the terminal sends to all. */
const ECHO = 1000;

function ignore(): void {}

/** The first signal asks to stop; a second one ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      stop.abort();
      process.on(name, ignore);
      setTimeout(() => process.off(name, ignore), ECHO).unref();
    });
  }
  return stop.signal;
}

const stop = stopSignal();

const io: Io = {
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  stdin: process.stdin,
  env: process.env,
  fetch: globalThis.fetch,
  now: () => new Date(),
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      stop.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
  readFile: bytesOf,
  stop,
};

// whoever reads us may stop reading (touchstone … | head): then there is nobody left to tell
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 3);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), io);
