/** Hosts with the most expensive responses, and callers who check them as fast as the service allows. */
import { Agent, request } from 'node:http';
import { type AttackNews, type AttackOrder, HOSTILE_HOSTS } from './attackers.ts';
import { BOMBS, HEAVY_PAGES } from './bodies.ts';
import { dripping, endless, type Misbehaviour, openHostileHost } from './hostile-host.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
/** Concurrent checks. */
const SLOW_LOOPS = 8;
const HEAVY_LOOPS = 8;
const CALLERS = 6;

const heavy: Record<string, Misbehaviour> = { endless: endless(`${OK}\r\n`, Buffer.alloc(65_536, '<p>')) };
for (const [name, html] of Object.entries(HEAVY_PAGES)) {
  heavy[name] = Buffer.from(`${OK}\r\n${html().slice(0, 4_999_000)}`);
}
for (const [name, make] of Object.entries(BOMBS)) {
  const { coding, bytes } = make();
  heavy[name.replaceAll(', ', '-')] = Buffer.concat([
    Buffer.from(`${OK}Content-Encoding: ${coding}\r\n\r\n`),
    bytes,
  ]);
}
const slow: Record<string, Misbehaviour> = {
  silence: () => {},
  drip: dripping(`${OK}\r\n<html>`, '<p>'),
};

const host = await openHostileHost(
  Object.fromEntries(Object.entries({ ...heavy, ...slow }).map(([name, answer]) => [`/${name}`, answer])),
);
const agent = new Agent({ keepAlive: true });
let service = '';
let attack = new AbortController();
let checks: Record<string, number> = {};
let read: number[] = [];
/** Outcomes of pages that were read, or were too heavy for it. */
const READ = /no_certificate|page_unreadable/;
let running: Promise<unknown> = Promise.resolve();

function check(url: string, caller: string): Promise<string> {
  const body = JSON.stringify({ url });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': caller };
  return new Promise((resolve) => {
    const options = { agent, method: 'POST', headers };
    const out = request(`${service}/api/v1/mc4p/page-checks`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(outcome(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
      response.on('error', (error) => resolve(error.message));
    });
    out.on('error', (error) => resolve(error.message));
    out.end(body);
  });
}

function outcome(status: number, body: string): string {
  const report = JSON.parse(body) as { verdict?: string; code?: string; errors?: string[] };
  const code = report.code ?? report.errors?.[0]?.split(':')[0] ?? '';
  return [status, report.verdict, code].filter(Boolean).join(' ');
}

async function attackFrom(loop: number, paths: readonly string[]): Promise<void> {
  for (let n = loop; !attack.signal.aborted; n += 1) {
    const name = HOSTILE_HOSTS[n % HOSTILE_HOSTS.length];
    const url = `http://${name}/${paths[n % paths.length]}?${loop}-${n}`;
    const begun = performance.now();
    const end = await check(url, `198.18.0.${loop % CALLERS}`);
    if (READ.test(end)) read.push(performance.now() - begun);
    checks[end] = (checks[end] ?? 0) + 1;
  }
}

function tell(news: AttackNews): void {
  process.send?.(news);
}

process.on('message', async (order: AttackOrder) => {
  if (order.kind === 'attack') {
    service = order.service;
    attack = new AbortController();
    checks = {};
    read = [];
    const loops = [
      ...Array.from({ length: SLOW_LOOPS }, (_, n) => attackFrom(n, Object.keys(slow))),
      ...Array.from({ length: HEAVY_LOOPS }, (_, n) => attackFrom(SLOW_LOOPS + n, Object.keys(heavy))),
    ];
    running = Promise.all(loops);
  } else {
    attack.abort();
    await running;
    tell({ kind: 'ceased', checks, read });
  }
});
process.on('disconnect', () => process.exit());

tell({ kind: 'ready', port: host.port });
