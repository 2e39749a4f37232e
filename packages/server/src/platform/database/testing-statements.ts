import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { ACROSS_MERCHANTS } from './testing-across-merchants.ts';
import { placementFaults, tablesOfMerchants } from './testing-placement.ts';

// Setup of test files: what the service sends to the database while they run must be placeable by merchant.

const generated = readFileSync(join(import.meta.dirname, 'tables.ts'), 'utf8');
const TABLES = tablesOfMerchants(
  [...generated.matchAll(/^ {2}(\w+): \w+Table;$/gm)].map(([, name = '']) => name),
);

const statements = new Set<string>();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
  const [first] = sent;
  const { application_name: sender } = (this as unknown as { connectionParameters: pg.ClientConfig })
    .connectionParameters;
  // pools of tests have another name (testing.ts)
  if (sender === 'touchstone' && typeof first === 'object' && first !== null && 'text' in first)
    statements.add(String(first.text).replace(/\s+/g, ' ').trim());
  return Reflect.apply(query, this, sent);
} as typeof query;

afterAll(() => {
  pg.Client.prototype.query = query;
  const faults = [...statements].flatMap((statement) => {
    if (ACROSS_MERCHANTS.some(({ piece }) => statement.includes(piece))) return [];
    const found = placementFaults(statement, TABLES);
    return found.length === 0 ? [] : [`${found.join('; ')}: ${statement}`];
  });
  expect(faults, 'statements that cannot be placed by merchant (ARCHITECTURE.md: Where state lives)').toEqual(
    [],
  );
});
