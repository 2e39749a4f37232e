// A process for the tests: opens the folder, writes numbers one by one, and reports those that PostgreSQL has acknowledged. The tests kill
// it at any time; SIGUSR2 makes it run out of memory.
import pg from 'pg';
import { startEmbeddedPostgres } from './index.ts';

const folder = process.argv[2] ?? '';
const grace = Number(process.argv[3] ?? 10);
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const database = await startEmbeddedPostgres({ folder, name: 'shop', patience: 30_000, grace });
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  pool.on('error', () => {});
  await pool.query('create table if not exists written (number bigint primary key)');
  const { rows } = await pool.query('select coalesce(max(number), 0) as last from written');
  say(`up ${rows[0].last} ${database.adopted ? 'adopted' : 'started'}`);
  process.on('SIGUSR2', () => {
    const held: string[][] = [];
    for (;;) held.push(Array.from({ length: 10_000 }, (_, index) => `${held.length} ${index}`));
  });
  process.on('SIGTERM', async () => {
    await pool.end().catch(() => {});
    await database.close();
    process.exit(0);
  });
  for (let number = Number(rows[0].last) + 1; ; ) {
    const done = await pool
      .query('insert into written values ($1) on conflict do nothing', [number])
      .catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
    if (done === undefined) continue;
    say(`wrote ${number}`);
    number += 1;
  }
} catch (error) {
  say(`refused ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
