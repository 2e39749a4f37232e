import type { NftRecord } from '@touchstone/certificate';
import type { NftInput, RecordedNft } from '@touchstone/contract';
import { sql } from 'kysely';
import { productChanges, type Registry } from '../../core/registry/context.ts';
import { findImage } from '../../core/registry/products/find-image.ts';
import { announce } from '../../platform/cache/announce.ts';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { judgeToken, type MintedToken, type TokenClaim } from './evidence.ts';
import type { Chains } from './open-chains.ts';

/**
 * Records that a token carries the hash of an image, if the chain itself proves it. Idempotent.
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
  const image = await findHashed(registry, scope, imageId);
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
  if (image.nft !== null && isSameToken(image.nft, record)) return replyOf(imageId, image.nft);
  const wanted = { uhash: image.uhash, confirmations: chains.confirmations };
  const evidence = await chains.read(chain, claim);
  const refusal = judgeToken(evidence, claim, wanted);
  if (refusal !== null) {
    const { code, ...members } = refusal;
    throw new ServiceError(code, { members });
  }
  const proven = {
    ...record,
    ...provenOf(evidence.token),
    seenOn: registry.clock().toISOString().slice(0, 10),
  };
  await write(registry, { ...image, imageId }, proven);
  registry.onChange(productChanges([image.productId]));
  return replyOf(imageId, proven);
}

function provenOf(token: MintedToken | null) {
  if (token === null || token.owner === null)
    throw new Error('judgeToken accepted a token without an owner.');
  const { standard, owner, uri } = token;
  return { standard, owner, ...(uri === undefined ? {} : { tokenUri: uri }) };
}

/** With its members in a fixed order, which `jsonb` does not preserve. */
function replyOf(imageId: string, record: NftRecord): RecordedNft {
  const { chain, chainId, contract, tokenId, transactionHash, explorerUrl, uhash } = record;
  const { standard, owner, tokenUri, seenOn } = record;
  if (standard === undefined || owner === undefined || seenOn === undefined)
    throw new Error(`The record of the token of ${imageId} is incomplete.`);
  return {
    imageId,
    minted: true,
    chain,
    chainId,
    contract,
    tokenId,
    transactionHash,
    ...(explorerUrl === undefined ? {} : { explorerUrl }),
    uhash,
    standard,
    owner,
    ...(tokenUri === undefined ? {} : { tokenUri }),
    seenOn,
  };
}

function lowerCase(hex: string): `0x${string}` {
  return `0x${hex.slice(2).toLowerCase()}`;
}

interface HashedImage {
  readonly merchantId: string;
  readonly productId: string;
  readonly uhash: string;
  readonly nft: NftRecord | null;
}

async function findHashed({ db }: Registry, scope: Scope, imageId: string): Promise<HashedImage> {
  const image = await findImage(db, scope, imageId);
  const uhash = image.credentials?.hashes?.uhash;
  if (uhash === undefined) throw new ServiceError('image_unhashed');
  return { merchantId: image.merchant_id, productId: image.product_id, uhash, nft: image.nft };
}

function chainUnknown({ known }: Chains, asked: string): ServiceError {
  const names = known.map(({ name }) => name).join(', ');
  return new ServiceError('nft_chain_unknown', {
    ...(known.length === 0
      ? { message: 'No chain is configured: the operator sets them in TOUCHSTONE_NFT_CHAINS.' }
      : {}),
    members: { expected: names, actual: asked },
  });
}

/** A record of an earlier release, without an owner, does not count as the same. */
function isSameToken(present: NftRecord, wanted: NftRecord): boolean {
  const names = ['chain', 'contract', 'tokenId', 'transactionHash', 'uhash'] as const;
  return present.standard !== undefined && names.every((name) => present[name] === wanted[name]);
}

/**
 * Writes the record, unless the bytes changed while the chain was queried. A token belongs to one image: the first that recorded
 * it, while that image has these bytes and has not been deleted.
 */
async function write(
  { db }: Registry,
  {
    merchantId,
    productId,
    imageId,
  }: Pick<HashedImage, 'merchantId' | 'productId'> & { readonly imageId: string },
  record: NftRecord,
): Promise<void> {
  const { chainId, contract, tokenId } = record;
  const token = { chain_id: String(chainId), contract, token_id: tokenId };
  await inTransaction(db, async (trx) => {
    const written = await trx
      .updateTable('images')
      .set({ nft: JSON.stringify(record) })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', imageId)
      .where('removed_at', 'is', null)
      .where(sql`credentials->'hashes'->>'uhash'`, '=', record.uhash)
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) {
      throw new ServiceError('conflict', {
        message:
          'The image changed or was removed from its product while the chain was queried. Read it again.',
      });
    }
    await trx.deleteFrom('image_tokens').where('image_id', '=', imageId).execute();
    const released = await releaseToken(trx, record);
    const bound = await trx
      .insertInto('image_tokens')
      .values({ ...token, image_id: imageId, merchant_id: merchantId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (bound.numInsertedOrUpdatedRows === 0n) throw new ServiceError('nft_token_taken');
    await announce(trx, productChanges([productId, ...released]));
  });
}

/** Releases the token from an image that was deleted or has other bytes now. @returns the products concerned */
async function releaseToken(
  trx: DatabaseTransaction,
  { chainId, contract, tokenId }: NftRecord,
): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    with stale as (
      delete from image_tokens t using images i, products p, stores s
       where t.chain_id = ${chainId} and t.contract = ${contract} and t.token_id = ${tokenId}
         and i.merchant_id = t.merchant_id and i.id = t.image_id
         and p.merchant_id = i.merchant_id and p.id = i.product_id
         and s.merchant_id = p.merchant_id and s.id = p.store_id
         and (i.removed_at is not null or p.deleted_at is not null or s.deleted_at is not null
              or i.nft->>'uhash' is distinct from i.credentials->'hashes'->>'uhash')
      returning t.merchant_id, t.image_id)
    update images set nft = null from stale
    where images.merchant_id = stale.merchant_id and images.id = stale.image_id
    returning images.product_id`.execute(trx);
  return rows.map(({ product_id }) => product_id);
}
