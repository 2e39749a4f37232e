import type { Chains } from '../../chains/open-chains.ts';
import type { Registry } from '../../registry/context.ts';
import type { DomainProofPorts } from '../../registry/domains/find-proof.ts';
import type { Operation } from '../operation.ts';
import { domainRows } from './domains.ts';
import { imageLookRows } from './image-looks.ts';
import { imageRows } from './images.ts';
import { merchantRows } from './merchants.ts';
import { nftRows } from './nft.ts';
import { productRows } from './products.ts';
import { storeRows } from './stores.ts';

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
