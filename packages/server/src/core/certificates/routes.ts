import { VC_JWT } from '@touchstone/certificate/envelope';
import * as contract from '@touchstone/contract';
import { andThen } from '../../platform/and-then.ts';
import { scopeOf } from '../../platform/http/access.ts';
import { documentReply, implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { wantsType } from '../../platform/http/wants-page.ts';
import type { Registry } from '../registry/context.ts';
import type { FindCertificate } from './find-certificate.ts';
import type { GetAssetCertificate } from './get-asset-certificate.ts';
import type { GetCredential } from './get-credential.ts';
import type { GetImageCertificate } from './get-image-certificate.ts';
import type { GetCertificate } from './get-product-certificate.ts';
import { certificateProgress } from './issue-progress.ts';
import { listProofs, type ProofHistory } from './list-proofs.ts';
import type { StreamCertificates } from './stream-certificates.ts';

export interface CertificateUseCases extends ProofHistory {
  readonly getCertificate: GetCertificate;
  readonly getCredential: GetCredential;
  readonly findCertificate: FindCertificate;
  readonly getAssetCertificate: GetAssetCertificate;
  readonly getImageCertificate: GetImageCertificate;
  readonly streamCertificates: StreamCertificates;
}

/** Others may not find what the owner of a key does. */
const PRIVATE = { 'cache-control': 'private, no-store' };

export function certificateRoutes(use: CertificateUseCases, registry: Registry): Route[] {
  return [
    implement(contract.getProductCertificate, ({ params }, call) =>
      wantsType(call, VC_JWT)
        ? andThen(use.getCredential(params.product_id), documentReply)
        : andThen(use.getCertificate(params.product_id), documentReply),
    ),
    implement(contract.findProductCertificate, async ({ query }, { identity }) => {
      const scope = identity === null ? undefined : scopeOf(identity);
      const { document, path, alternates } = await use.findCertificate(query.url, scope);
      const reply = documentReply(document);
      const link = [
        `<${path}>; rel="canonical"`,
        ...alternates.map((other) => `<${other}>; rel="alternate"`),
      ];
      const address = { 'content-location': path, link: link.join(', ') };
      return { ...reply, headers: { ...reply.headers, ...address, ...(identity === null ? {} : PRIVATE) } };
    }),
    implement(contract.getAssetCertificate, ({ params }) =>
      andThen(use.getAssetCertificate(params.asset_id), documentReply),
    ),
    implement(contract.getImageCertificate, ({ params, query }) => {
      const extent = query.full === 'true' ? 'full' : 'minimal';
      return andThen(use.getImageCertificate(params.image_id, extent), documentReply);
    }),
    implement(contract.streamCertificates, async ({ params, query }, call) => ({
      status: 200,
      headers: { 'content-type': 'application/x-ndjson' },
      body: texts(await use.streamCertificates(scopeOf(call.identity), params.store_id, query.since)),
    })),
    implement(contract.listProductProofs, async ({ params, query }, call) =>
      ok(await listProofs(use, registry, scopeOf(call.identity), params.product_id, query)),
    ),
    implement(contract.getCertificateProgress, async ({ params }, call) =>
      ok(await certificateProgress(registry, scopeOf(call.identity), params.store_id)),
    ),
  ];
}

async function* texts(pieces: AsyncIterable<readonly string[]>): AsyncGenerator<string, void, undefined> {
  for await (const lines of pieces) yield lines.join('');
}
