import type { NftRecord } from '@touchstone/certificate';
import type { NftInput, RecordedNft } from '@touchstone/contract';
import { sql } from 'kysely';
import { ServiceError } from '../../platform/errors.ts';
import { inScope, type Scope } from '../../platform/http/access.ts';
import { productChanges, type Registry } from '../../registry/context.ts';
import { judgeToken, type TokenClaim } from './evidence.ts';
import type { Chains } from './open-chains.ts';

/**
 * Records that a token carries the hash of an image, once the chain itself says so: the merchant's word is no evidence. Asking for
 * what is recorded already answers it again.
 *
 * @throws ServiceError `image_unknown`, `image_unhashed`, `nft_…` with what was expected and found,
 *   `chain_unavailable`, `conflict` when the bytes changed meanwhile
 */
export async function recordNft(
  registry: Registry,
  chains: Chains,
  scope: Scope,
  { imageId, ...input }: NftInput & { readonly imageId: string },
): Promise<RecordedNft> {
  const image = await findImage(registry, scope, imageId);
  const chain = chains.known.find(({ name }) => name === input.chain);
  if (chain === undefined) throw chainUnknown(chains, input.chain);
  const claim: TokenClaim = {
    contract: lowerCase(input.contract),
    tokenId: BigInt(input.tokenId),
    transactionHash: lowerCase(input.transactionHash),
  };
  const { name, chainId, explorerUrl } = chain;
  const record: NftRecord = {
    chain: name,
    chainId,
    contract: claim.contract,
    tokenId: input.tokenId,
    transactionHash: claim.transactionHash,
    ...(explorerUrl === undefined ? {} : { explorerUrl: `${explorerUrl}/tx/${claim.transactionHash}` }),
    uhash: image.uhash,
  };
  if (!isSameToken(image.nft, record)) {
    const wanted = { uhash: image.uhash, confirmations: chains.confirmations };
    const refusal = judgeToken(await chains.read(chain, claim), claim, wanted);
    if (refusal !== null) {
      const { code, ...members } = refusal;
      throw new ServiceError(code, { members });
    }
    await write(registry, imageId, record);
    registry.onChange(productChanges([image.productId]));
  }
  return { imageId, minted: true, ...record };
}

function lowerCase(hex: string): `0x${string}` {
  return `0x${hex.slice(2).toLowerCase()}`;
}

interface FoundImage {
  readonly productId: string;
  readonly uhash: string;
  readonly nft: NftRecord | null;
}

async function findImage({ db }: Registry, scope: Scope, imageId: string): Promise<FoundImage> {
  const image = await db
    .selectFrom('images')
    .innerJoin('products', 'products.id', 'images.product_id')
    .select(['product_id', 'merchant_id', 'credentials', 'nft'])
    .where('images.id', '=', imageId)
    .where('removed_at', 'is', null)
    .where('products.deleted_at', 'is', null)
    .executeTakeFirst();
  if (image === undefined || !inScope(scope, image.merchant_id)) throw new ServiceError('image_unknown');
  const uhash = image.credentials?.hashes?.uhash;
  if (uhash === undefined) throw new ServiceError('image_unhashed');
  return { productId: image.product_id, uhash, nft: image.nft };
}

function chainUnknown({ known }: Chains, asked: string): ServiceError {
  const names = known.map(({ name }) => name).join(', ');
  return new ServiceError('nft_chain_unknown', {
    ...(known.length === 0
      ? { message: 'No chain is set up: the operator names them in TOUCHSTONE_NFT_CHAINS.' }
      : {}),
    members: { expected: names, actual: asked },
  });
}

function isSameToken(present: NftRecord | null, wanted: NftRecord): boolean {
  const names = ['chain', 'contract', 'tokenId', 'transactionHash', 'uhash'] as const;
  return present !== null && names.every((name) => present[name] === wanted[name]);
}

/** The bytes may have changed while the chain was asked: then the token speaks of others. */
async function write({ db }: Registry, imageId: string, record: NftRecord): Promise<void> {
  const written = await db
    .updateTable('images')
    .set({ nft: JSON.stringify(record) })
    .where('id', '=', imageId)
    .where('removed_at', 'is', null)
    .where(sql`credentials->'hashes'->>'uhash'`, '=', record.uhash)
    .executeTakeFirst();
  if (written.numUpdatedRows === 0n) {
    throw new ServiceError('conflict', {
      message: 'The image changed or left its product while the chain was asked. Read it again.',
    });
  }
}
