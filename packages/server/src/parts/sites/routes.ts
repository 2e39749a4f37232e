import { hash as digest } from 'node:crypto';
import * as contract from '@touchstone/contract';
import type { Registry } from '../../core/registry/context.ts';
import { scopeOf, viewerOf } from '../../platform/http/access.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import type { ProvenSites } from './known-sites.ts';
import { changeMerchantSites, readMerchantSites } from './merchant-sites.ts';

export function siteRoutes(sites: ProvenSites, registry: Registry): Route[] {
  return [
    implement(contract.getSite, async ({ query: { url } }, { caller, identity }) => {
      const viewer = viewerOf(identity);
      const body = await sites.checkSite({ url, caller, viewer });
      // what a merchant sees of itself is for nobody else
      if (viewer !== undefined) return { status: 200, headers: { 'cache-control': 'no-store' }, body };
      const etag = `"${digest('sha256', JSON.stringify(body), 'base64url').slice(0, 27)}"`;
      return { status: 200, headers: { etag }, body };
    }),
    implement(contract.getMerchantSites, async ({ params }, { identity }) =>
      ok(await readMerchantSites(registry, scopeOf(identity), params.merchant_id)),
    ),
    implement(contract.setMerchantSites, async ({ params, body }, { identity }) =>
      ok(await changeMerchantSites(registry, scopeOf(identity), params.merchant_id, body.optOut)),
    ),
  ];
}
