import { OPERATIONS } from '@touchstone/contract';
import { expect, test } from 'vitest';
import { buildRoutes, type RouteDependencies } from './routes.ts';

const addresses = {
  baseUrl: 'https://certificates.example',
  mcpUrl: 'https://certificates.example',
  namespaceUrl: 'https://certificates.example/ns#',
};
// routes are created here but never called, so their dependencies are left out
const nothing = {};
const use = {
  publicSide: nothing,
  batch: nothing,
  blobs: nothing,
  registry: nothing,
  domainProofs: nothing,
  seal: nothing,
  chains: nothing,
  keys: nothing,
  rotation: nothing,
  sweeps: nothing,
  webhooks: nothing,
  sources: nothing,
  health: nothing,
  tools: nothing,
  addresses,
  web: null,
} as unknown as RouteDependencies;

test('every operation of the contract is answered by one route, and no route answers anything else', () => {
  const routes = buildRoutes(use).map(({ id, method, path }) => `${id}: ${method} ${path}`);
  const operations = OPERATIONS.map(({ id, method, path }) => `${id}: ${method} ${path}`);
  expect(routes.toSorted()).toEqual(operations.toSorted());
});
