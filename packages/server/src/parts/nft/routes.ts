import * as contract from '@touchstone/contract';
import type { Registry } from '../../core/registry/context.ts';
import { scopeOf } from '../../platform/http/access.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Chains } from './open-chains.ts';
import { recordNft } from './record-nft.ts';

/** Records the tokens of images. */
export function nftRoutes(registry: Registry, chains: Chains): Route[] {
  return [
    implement(contract.recordNft, async ({ params, body }, call) =>
      ok(await recordNft(registry, chains, scopeOf(call.identity), { imageId: params.image_id, ...body })),
    ),
  ];
}
