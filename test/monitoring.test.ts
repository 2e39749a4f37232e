import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { useFolder } from './kit/folder.ts';
import { ROOT } from './kit/imports.ts';
import { type ServeProcess, spawnServe, untilReady } from './kit/serve-process.ts';
import { freePort } from './kit/servers.ts';

const FOLDER = join(ROOT, 'monitoring');
const RULE_FILES = ['recording-rules.yml', 'alert-rules.yml'];
const PROMETHEUS = '/usr/bin/prometheus';
const PROMTOOL = '/usr/bin/promtool';
const run = promisify(execFile);

/** A rule of Prometheus. */
interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const folder = useFolder('monitoring');
const inFolder = (name: string) => readFile(join(FOLDER, name), 'utf8');
let service: ServeProcess;
let rules: readonly Rule[];
/** Of the dashboard. */
let queries: readonly string[];

beforeAll(async () => {
  service = spawnServe({
    port: await freePort(),
    dataDir: join(folder, 'data'),
    // the supervisor has a metric of its own
    env: { TOUCHSTONE_PROCESSES: '2' },
  });
  const files = await Promise.all(RULE_FILES.map(inFolder));
  rules = files.flatMap((text) =>
    (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules),
  );
  const { panels } = JSON.parse(await inFolder('grafana-dashboard.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  queries = panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')),
  );
  await untilReady(service);
});
afterAll(() => service?.stop());

test('every metric that rules and dashboard name is one that the service has, or a rule records', async () => {
  const named = [...rules.map(({ expr }) => expr), ...queries].flatMap(
    (expression) => expression.match(/\b(?:touchstone|process|nodejs)[_:][\w:]+/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(40);
  // some are counted for the first time soon after the start
  await expect
    .poll(async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const known = new Set([
        ...rules.flatMap(({ record }) => record ?? []),
        ...Array.from(text.matchAll(/^# TYPE (\S+) (\S+)/gm), ([, name = '', type = '']) =>
          type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
        ).flat(),
      ]);
      return [...new Set(named)].filter((name) => !known.has(name));
    })
    .toEqual([]);
});

test('every alert says how urgent it is, what is wrong and what to do', () => {
  const alerts = rules.filter(({ alert }) => alert !== undefined);
  expect(alerts.length).toBeGreaterThan(10);
  for (const { alert, labels, annotations } of alerts) {
    expect([alert, ['page', 'ticket'].includes(labels?.severity ?? '')]).toEqual([alert, true]);
    expect([alert, Object.keys(annotations ?? {})]).toEqual([alert, ['summary', 'action']]);
  }
});

test.skipIf(!existsSync(PROMTOOL))(
  'promtool accepts every rule, and each fires for its cause only',
  async () => {
    await run(PROMTOOL, ['check', 'config', 'prometheus.yml'], { cwd: FOLDER });
    await run(PROMTOOL, ['test', 'rules', 'rules.test.yml'], { cwd: FOLDER });
    const shown = queries.map((expr, n) => ({ record: `shown:${n}`, expr }));
    const file = join(folder, 'shown.yml');
    // JSON is YAML
    await writeFile(file, JSON.stringify({ groups: [{ name: 'shown', rules: shown }] }));
    await run(PROMTOOL, ['check', 'rules', file]);
  },
);

describe.skipIf(!existsSync(PROMETHEUS))('a Prometheus that reads a running service', () => {
  test('computes every rule, and no alert is about it', async () => {
    const port = await freePort();
    const config = (await inFolder('prometheus.yml'))
      .replace('127.0.0.1:8787', new URL(service.url).host)
      .replaceAll('15s', '1s')
      .replaceAll(/^( {2}- )(\w+-rules\.yml)$/gm, `$1${FOLDER}/$2`);
    const file = join(folder, 'prometheus.yml');
    await writeFile(file, config);
    const storage = `--storage.tsdb.path=${join(folder, 'tsdb')}`;
    const prometheus = spawn(
      PROMETHEUS,
      [`--config.file=${file}`, storage, `--web.listen-address=127.0.0.1:${port}`],
      {
        stdio: 'ignore',
      },
    );
    const ask = async (path: string) =>
      ((await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as { data: Asked }).data;
    const resultOf = async (query: string) =>
      (await ask(`query?query=${encodeURIComponent(query)}`)).result?.[0]?.value[1];
    try {
      await expect
        .poll(async () => {
          await fetch(`${service.url}/api/v1/.well-known/jwks.json`);
          const rate =
            'sum(rate(touchstone_http_request_duration_seconds_count{operation="getJwks"}[1m])) > 0';
          const results = [resultOf('touchstone:requests_failed:ratio_rate5m'), resultOf(`${rate} > bool 0`)];
          return Promise.all(results).catch(() => 'Prometheus does not answer yet');
        })
        .toEqual(['0', '1']);
      const { groups = [] } = await ask('rules');
      const computed = groups.flatMap((group) => group.rules);
      expect(computed).toHaveLength(rules.length);
      expect(computed.filter(({ health }) => health === 'err')).toEqual([]);
      // the event loop is late wherever the machine is busy with other tests: of that it may be about to tell
      const told = computed.filter(
        ({ name, state }) =>
          state === 'firing' || (state === 'pending' && name !== 'TouchstoneEventLoopDelayed'),
      );
      expect(told).toEqual([]);
      expect(await resultOf('count(nodejs_eventloop_lag_p99_seconds{job="touchstone"} > 0)')).toBe('2');
    } finally {
      const ended = once(prometheus, 'exit');
      prometheus.kill();
      await ended;
    }
  });
});

/** Of the answers of Prometheus, what is read here. */
interface Asked {
  readonly result?: readonly { readonly value: readonly [number, string] }[];
  readonly groups?: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string; readonly state?: string }[];
  }[];
}
