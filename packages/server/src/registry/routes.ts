import type { Chains } from '../images/nft/open-chains.ts';
import { nftRows } from '../images/nft/routes.ts';
import { imageLookRows } from '../images/scan-routes.ts';
import type { Operation } from '../platform/http/operation.ts';
import type { Registry } from './context.ts';
import type { DomainProofPorts } from './domains/find-proof.ts';
import { domainRows } from './domains/routes.ts';
import { merchantRows } from './merchants/routes.ts';
import { imageRows } from './products/image-routes.ts';
import { productRows } from './products/routes.ts';
import { storeRows } from './stores/routes.ts';

/** The write side (docs/decisions/0044). */
export function registryRows(registry: Registry, proofPorts: DomainProofPorts, chains: Chains): Operation[] {
  return [
    ...merchantRows(registry),
    ...storeRows(registry),
    ...domainRows(registry, proofPorts),
    ...productRows(registry),
    ...imageRows(registry),
    ...nftRows(registry, chains),
    ...imageLookRows(registry),
  ];
}
