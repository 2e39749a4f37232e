import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { testSecrets } from '../../platform/secrets/testing.ts';
import { testProof } from './testing/log-node.ts';
import { TransparencyLog } from './transparency-log.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('What is issued in advance waits longer for its inclusion than what somebody asked for, so that it is not issued faster than it is logged', async () => {
  const log = new TransparencyLog({ db: database.db, secrets: testSecrets(), overrides: {} });
  const included = Promise.withResolvers<readonly string[]>();
  log.start({
    isFailing: () => false,
    findings: () => [],
    include(_, signal) {
      // the first that has waited long enough
      signal.addEventListener('abort', () => included.resolve(['the inclusion']));
      return included.promise;
    },
  });
  const [asked, ahead] = [false, true].map((isAhead) => log.enter([testProof()], { isAhead }));
  expect(await asked).toEqual([null]);
  expect(await ahead).toEqual(['the inclusion']);
});
