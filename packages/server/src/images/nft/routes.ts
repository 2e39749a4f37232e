import { type Operation, operation } from '../../platform/http/operation.ts';
import { BASE, ImageParams, PRIVATE } from '../../registry/common.ts';
import { type Registry, scopeOf } from '../../registry/context.ts';
import { NftInputSchema, NftViewSchema } from './nft-schema.ts';
import type { Chains } from './open-chains.ts';
import { recordNft } from './record-nft.ts';

export function nftRows(registry: Registry, chains: Chains): Operation[] {
  return [
    operation({
      id: 'recordNft',
      method: 'POST',
      path: `${BASE}/images/{image_id}/nft`,
      tag: 'Registry',
      summary: 'Record the token of an image',
      description: `Once the chain itself shows that the token carries the hash of the image. Otherwise it is refused,
with \`expected\` and \`actual\` in the problem. The record shows while the image has the bytes that it was made for.
Asking again for what is recorded answers it again.`,
      access: 'merchant',
      idempotent: true,
      params: ImageParams,
      body: NftInputSchema,
      responses: {
        200: { description: 'It is recorded, and shows in the certificate.', schema: NftViewSchema },
      },
      errors: [
        'image_unknown',
        'image_unhashed',
        'nft_chain_unknown',
        'nft_transaction_unknown',
        'nft_transaction_failed',
        'nft_contract_differs',
        'nft_token_unrecorded',
        'nft_image_differs',
        'nft_unconfirmed',
        'chain_unavailable',
        'conflict',
      ],
      handle: async ({ params, body }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await recordNft(registry, chains, scopeOf(call.identity), {
          imageId: params.image_id,
          ...body,
        }),
      }),
    }),
  ];
}
