import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { drain, listen } from './listen.ts';
import { testServer } from './testing.ts';

/** More than Node's own queue, and what a crowd brings. */
const CROWD = 1_000;
/** Milliseconds for all connections. Dropped clients are dropped again while nothing is accepted. */
const PATIENCE = 10_000;

/** Opens connections, and writes the number of established ones to shared memory, at once when all are. */
const CLIENTS = `
  const { connect } = require('node:net');
  const { workerData: { port, crowd, patience, shared } } = require('node:worker_threads');
  let connected = 0;
  const tell = () => {
    Atomics.store(shared, 0, connected);
    Atomics.notify(shared, 0);
  };
  for (let nth = 0; nth < crowd; nth += 1)
    connect(port, '127.0.0.1', () => (connected += 1) === crowd && tell()).on('error', () => {});
  setTimeout(tell, patience);
`;

test.skipIf(longestQueue() < CROWD)(
  'many connections that arrive while the event loop is busy wait, and are not dropped',
  async () => {
    const { app } = testServer();
    await listen(app, '127.0.0.1', 0);
    const { port } = app.server.address() as AddressInfo;
    const shared = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const worker = new Worker(CLIENTS, {
      eval: true,
      workerData: { port, crowd: CROWD, patience: PATIENCE, shared },
    });
    try {
      // blocks the event loop, so that nothing is accepted
      Atomics.wait(shared, 0, -1, 2 * PATIENCE);
      expect(shared[0]).toBe(CROWD);
    } finally {
      await worker.terminate();
      await drain(app, 100);
    }
  },
);

/** The limit of the operating system; 0 if it is not available. */
function longestQueue(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}
