import { expect, test } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import { databaseUrl, testService } from '../../../server/src/testing.ts';
import { runCli } from '../testing.ts';

const folder = useFolder('doctor');

test('findings are printed with what to do, and a fault exits with 1', async () => {
  const env = { TOUCHSTONE_DATA_DIR: folder, TOUCHSTONE_PORT: '1' };
  const { code, out, err } = await runCli(['doctor', '--backup', import.meta.filename], { env });
  expect([code, err]).toEqual([1, '']);
  expect(out).toMatch(/^ok {7}settings: They can be used\.\n/);
  expect(out).toContain('FAULT    service: It does not answer at http://127.0.0.1:1.\n         Start it');
  expect(out).toMatch(/\n2 faults, \d warnings, 0 unknown\.\n$/);
});

test('a service without faults exits with 0, and its findings can be read as JSON', async () => {
  const service = await testService();
  try {
    const env = {
      TOUCHSTONE_DATA_DIR: service.dataDir,
      TOUCHSTONE_PORT: new URL(service.url).port,
      TOUCHSTONE_DATABASE_URL: databaseUrl(service.database),
    };
    const { code, json } = await runCli(['doctor', '--json'], { env, now: new Date() });
    expect(json()).toMatchObject({
      findings: expect.arrayContaining([
        { about: 'service', state: 'ok', found: `It is ready at ${service.url}.` },
      ]),
    });
    expect(code).toBe(0);
  } finally {
    await service.dispose();
  }
});
