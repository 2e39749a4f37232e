import { type DiscoveryOptions, discoveryRows } from './docs/discovery-rows.ts';
import { type NamespaceAddresses, ownNamespacePaths } from './docs/namespace-rows.ts';
import { docsRows } from './docs/rows.ts';
import type { Chains } from './images/nft/open-chains.ts';
import { type SigningKeyUseCases, signingKeyRows } from './keys/signing-key-routes.ts';
import { type HealthUseCases, healthRows } from './platform/health/routes.ts';
import type { Operation } from './platform/http/operation.ts';
import { StartError } from './platform/lifecycle/start-error.ts';
import { VERSION } from './platform/version.ts';
import { type PublicUseCases, publicRows } from './public-routes.ts';
import type { Registry } from './registry/context.ts';
import type { DomainProofPorts } from './registry/domains/find-proof.ts';
import { registryRows } from './registry/routes.ts';
import { type McpRowOptions, mcpRow } from './tools/routes.ts';

export interface RowDependencies {
  readonly publicSide: PublicUseCases;
  readonly registry: Registry;
  readonly domainProof: DomainProofPorts;
  readonly chains: Chains;
  readonly signingKeys: SigningKeyUseCases;
  readonly health: HealthUseCases;
  readonly tools: McpRowOptions;
  readonly addresses: Omit<DiscoveryOptions, 'version'>;
}

/** The rows that OpenAPI describes. */
export function describedRows(use: RowDependencies): Operation[] {
  return [
    ...publicRows(use.publicSide),
    ...registryRows(use.registry, use.domainProof, use.chains),
    ...signingKeyRows(use.signingKeys),
    ...healthRows(use.health),
  ];
}

/** The whole operation table. */
export function buildRows(use: RowDependencies): Operation[] {
  const described = describedRows(use);
  const rows = [
    ...described,
    mcpRow(use.tools),
    ...discoveryRows({ ...use.addresses, version: VERSION }),
    ...docsRows(described, VERSION),
  ];
  assertNamespaceIsFree(rows, use.addresses);
  return rows;
}

/** Two rows of one address: only the namespace's can be chosen. */
function assertNamespaceIsFree(rows: readonly Operation[], addresses: NamespaceAddresses): void {
  const served = rows.filter(({ method }) => method === 'GET').map(({ path }) => path);
  for (const path of ownNamespacePaths(addresses)) {
    if (served.filter((other) => other === path).length < 2) continue;
    throw new StartError(
      `TOUCHSTONE_NAMESPACE_URL (${addresses.namespaceUrl}) leads to ${path}, where this service answers something ` +
        'else. Choose another path, or a host of your own.',
    );
  }
}
