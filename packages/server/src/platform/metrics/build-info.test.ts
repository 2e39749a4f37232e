import { VERSION } from '@touchstone/certificate';
import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { createSupervisorMetrics } from './supervisor-metrics.ts';

const ofNode = async (commit?: string) =>
  (await createMetrics(undefined, commit).render()).match(/^touchstone_build_info.*$/gm);

it('version and commit of the build are told once per node, and no commit where it is not known', async () => {
  expect(await ofNode('5a010e36')).toEqual([
    `touchstone_build_info{version="${VERSION}",commit="5a010e36"} 1`,
  ]);
  expect(await ofNode()).toEqual([`touchstone_build_info{version="${VERSION}"} 1`]);
  const supervisor = await createSupervisorMetrics('5a010e36').report();
  expect(supervisor.find(({ name }) => name === 'touchstone_build_info')?.values).toMatchObject([
    { value: 1, labels: { version: VERSION, commit: '5a010e36' } },
  ]);
  expect(await createMetrics('1', '5a010e36').render()).not.toContain('build_info');
});
