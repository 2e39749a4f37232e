import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeImage } from '../../packages/server/src/core/certificates/testing.ts';
import { ANVIL, type LocalChain, openLocalChain } from '../kit/chain/local-chain.ts';
import { type Answer, type Json, openScene, type Scene } from '../kit/service.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const UHASH = sha256('the bytes of the image');
const OTHER = sha256('other bytes');
const PHASH = '0x0123456789abcdef';
const NO_TRANSACTION = `0x${'ab'.repeat(32)}`;

// npm has the chain's binary for Linux on x64 only
const skipped = ANVIL === null ? ' (skipped: npm run tools)' : '';
describe.skipIf(ANVIL === null)(`a token of an image, on a real chain${skipped}`, () => {
  let chain: LocalChain;
  let scene: Scene;
  let contract: `0x${string}`;
  let imageId: string;

  beforeAll(async () => {
    chain = await openLocalChain(ANVIL ?? '');
    contract = await chain.deploy();
    const dead = 'http://127.0.0.1:9';
    scene = await openScene({
      TOUCHSTONE_NFT_CHAINS: [
        `local|${chain.chainId}=${chain.url}|https://explorer.example/`,
        `mislabelled|1=${chain.url}`,
        `down|5=${dead}/v2/secret-key`,
      ].join(','),
      TOUCHSTONE_NFT_CONFIRMATIONS: '2',
    });
    const store = await scene.store('shop.example');
    [imageId = ''] = await scene.imagesOf((await store.product('kettle')).id);
    await lookAt(imageId, UHASH);
  });
  afterAll(async () => {
    await scene.close();
    await chain.close();
  });

  /** Stores the results of the image pipeline. */
  async function lookAt(id: string, uhash: string): Promise<void> {
    const credentials = { hasC2PA: true, hasManifest: true, hashes: { uhash, phash: '00' } };
    await changeImage(scene.service.database, id, { credentials: JSON.stringify(credentials) });
  }

  let tokens = 0;
  async function mint(method = 'mint', uhash = UHASH) {
    tokens += 1;
    const args = method === 'mintBlank' ? [] : ([uhash, PHASH] as const);
    const transactionHash = await chain.send(contract, method, BigInt(tokens), ...args);
    await chain.mine(1);
    return { chain: 'local', contract, tokenId: String(tokens), transactionHash };
  }

  const record = (body: Json, id = imageId): Promise<Answer> =>
    scene.call('POST', `/api/v1/registry/images/${id}/nft`, body, {
      authorization: `Bearer ${scene.service.operatorKey}`,
    });

  const assetOf = async (id = imageId) =>
    (await scene.call('GET', `/api/v1/mc4p/assets/${id}/certificate`)).json as {
      'svc:nft'?: Json;
      verification: { hasBlockchain: boolean };
    };

  const refused = (answer: Answer) => {
    const { status, code, expected, actual } = answer.json;
    return [status, code, expected, actual];
  };

  it.each([
    ['an event that names the image', 'mint', 'ERC-721'],
    ['data of the token that names the image', 'mintQuietly', 'ERC-721'],
    ['such an event of a contract of several copies', 'mintSingle', 'ERC-1155'],
    ['such data, minted in a batch', 'mintBatch', 'ERC-1155'],
  ])('is recorded on %s, and is in the certificate at once (%s)', async (_, method, standard) => {
    const token = await mint(method);
    const answer = await record(token);
    expect(answer.json).toEqual({
      imageId,
      minted: true,
      ...token,
      chainId: chain.chainId,
      uhash: UHASH,
      explorerUrl: `https://explorer.example/tx/${token.transactionHash}`,
      standard,
      owner: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      seenOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ...(standard === 'ERC-721' ? { tokenUri: 'https://shop.example/tokens/1.json' } : {}),
    });
    expect(answer.status).toBe(200);
    const asset = await assetOf();
    expect(asset['svc:nft']).toEqual({
      '@type': 'PropertyValue',
      name: 'Blockchain Certification',
      minted: true,
      description: expect.stringMatching(
        new RegExp(
          `^On [\\d-]+, the contract ${contract} on local recorded the SHA-256 hash of this image for its ${standard} token ${token.tokenId}, minted by this transaction, and named ${answer.json.owner} as its owner\\. The token is recorded here for no other image\\. It proves nothing about who made the picture`,
        ),
      ),
      tokenId: token.tokenId,
      transactionHash: token.transactionHash,
      explorerUrl: `https://explorer.example/tx/${token.transactionHash}`,
    });
    expect(asset.verification.hasBlockchain).toBe(true);
  });

  it('is answered again when it is already recorded, in upper or lower case', async () => {
    const token = await mint();
    const first = await record(token);
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
    const shouted = { ...token, contract: upper(contract), transactionHash: upper(token.transactionHash) };
    expect((await record(shouted)).text).toBe(first.text);
  });

  describe('is refused, with the expected and the actual value,', () => {
    it('for an unknown transaction', async () => {
      const answer = await record({ ...(await mint()), transactionHash: NO_TRANSACTION });
      expect(refused(answer)).toEqual([422, 'nft_transaction_unknown', undefined, NO_TRANSACTION]);
    });

    it('for one that was reverted', async () => {
      const { tokenId } = await mint();
      const transactionHash = await chain.send(contract, 'mint', BigInt(tokenId), UHASH, PHASH);
      await chain.mine(1);
      const answer = await record({ chain: 'local', contract, tokenId, transactionHash });
      expect(refused(answer).slice(0, 2)).toEqual([422, 'nft_transaction_failed']);
    });

    it('for one to another contract', async () => {
      const other = await chain.deploy();
      const answer = await record({ ...(await mint()), contract: other });
      expect(refused(answer)).toEqual([422, 'nft_contract_differs', other, contract]);
    });

    it('for a token that the transaction does not record', async () => {
      const token = await mint();
      const elsewhere = await record({ ...token, tokenId: '999999' });
      expect(refused(elsewhere)).toEqual([422, 'nft_token_unrecorded', UHASH, undefined]);
      const blank = await record(await mint('mintBlank'));
      expect(refused(blank)).toEqual([422, 'nft_token_unrecorded', UHASH, undefined]);
    });

    it('for an event without a token', async () => {
      expect(refused(await record(await mint('announce')))).toEqual([
        422,
        'nft_not_minted',
        undefined,
        undefined,
      ]);
    });

    it.each(['pretend', 'pretendSingle'])(
      'for the events of a token that nobody owns (%s)',
      async (method) => {
        expect(refused(await record(await mint(method))).slice(0, 2)).toEqual([422, 'nft_owner_unknown']);
      },
    );

    it('for a token that has since been burned', async () => {
      const token = await mint();
      await chain.send(contract, 'burn', BigInt(token.tokenId));
      expect(refused(await record(token)).slice(0, 2)).toEqual([422, 'nft_owner_unknown']);
    });

    it.each(['mint', 'mintQuietly'])('for a token of another image (%s)', async (method) => {
      const answer = await record(await mint(method, OTHER));
      expect(refused(answer)).toEqual([422, 'nft_image_differs', UHASH, OTHER]);
    });

    it('while it has too few confirmations, or none', async () => {
      await chain.automine(false);
      tokens += 1;
      const transactionHash = await chain.send(contract, 'mint', BigInt(tokens), UHASH, PHASH);
      const token = { chain: 'local', contract, tokenId: String(tokens), transactionHash };
      expect(refused(await record(token))).toEqual([409, 'nft_unconfirmed', '2', '0']);
      await chain.mine(1);
      expect(refused(await record(token))).toEqual([409, 'nft_unconfirmed', '2', '1']);
      await chain.mine(1);
      expect((await record(token)).status).toBe(200);
      await chain.automine(true);
    });

    it('on a chain that is not set up', async () => {
      const answer = await record({ ...(await mint()), chain: 'mainnet' });
      expect(refused(answer)).toEqual([422, 'nft_chain_unknown', 'local, mislabelled, down', 'mainnet']);
    });

    it('while the bytes of the image have not been scanned', async () => {
      const store = await scene.store('other.example');
      const [unseen = ''] = await scene.imagesOf((await store.product('pot')).id);
      expect(refused(await record(await mint(), unseen)).slice(0, 2)).toEqual([409, 'image_unhashed']);
    });

    it('if the request is malformed, with every fault at once', async () => {
      const { status, json } = await record({
        contract: '0x12',
        tokenId: '-1',
        transactionHash: 7,
        extra: 1,
      });
      const faults = (json.detail as { loc: string[] }[]).map(({ loc }) => loc[1]).toSorted();
      expect([status, faults]).toEqual([422, ['chain', 'contract', 'extra', 'tokenId', 'transactionHash']]);
      const huge = await record({ ...(await mint()), tokenId: String(1n << 256n) });
      expect(huge.status).toBe(422);
    });

    it('to a merchant who does not have such an image', async () => {
      const { id: merchantId } = await scene.operate('POST', '/merchants', { name: 'M', planCapacity: 1 });
      const { key } = await scene.operate('POST', `/merchants/${merchantId}/api-keys`, {});
      const path = `/api/v1/registry/images/${imageId}/nft`;
      const answer = await scene.call('POST', path, await mint(), { authorization: `Bearer ${key}` });
      expect(refused(answer).slice(0, 2)).toEqual([404, 'image_unknown']);
    });
  });

  it.each(['down', 'mislabelled'])(
    'is a fault of ours when the chain cannot be read (%s): 503, without any of its addresses',
    async (name) => {
      const answer = await record({ ...(await mint()), chain: name });
      expect(refused(answer).slice(0, 2)).toEqual([503, 'chain_unavailable']);
      expect(answer.headers.get('retry-after')).toBe('30');
      expect(answer.text + scene.service.log.join('')).not.toMatch(/secret-key|127\.0\.0\.1:9/);
      expect(scene.service.log.join('')).toContain(`the endpoint of ${name}`);
    },
  );

  it('belongs to one image, over all merchants, until that image is deleted or has other bytes', async () => {
    const token = await mint();
    expect((await record(token)).status).toBe(200);
    const rival = await scene.store('copy.example');
    const product = await rival.product('copy');
    const [other = ''] = await scene.imagesOf(product.id);
    await lookAt(other, UHASH);
    expect(refused(await record(token, other)).slice(0, 2)).toEqual([409, 'nft_token_taken']);
    expect((await assetOf(other))['svc:nft']).toBeUndefined();
    expect((await record(token)).status).toBe(200);
    const both = [await mint(), await mint()] as const;
    // of concurrent records of one token, one wins
    const raced = await Promise.all([record(both[0]), record(both[0], other)]);
    expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await record(both[1])).status).toBe(200);
    expect((await record(both[0], other)).status).toBe(200);

    await lookAt(other, OTHER);
    expect((await record(both[0])).status).toBe(200);
    await lookAt(other, UHASH);
    await expect.poll(async () => (await assetOf(other))['svc:nft']).toBeUndefined();
    await lookAt(other, OTHER);
  });

  it('that an earlier release recorded without checking its owner is shown again once it is recorded again', async () => {
    const token = await mint();
    expect((await record(token)).status).toBe(200);
    await changeImage(scene.service.database, imageId, {
      nft: sql<string>`nft - '{standard,owner,seenOn}'::text[]`,
    });
    await expect.poll(async () => (await assetOf())['svc:nft']).toBeUndefined();
    expect((await record(token)).json).toMatchObject({ minted: true, standard: 'ERC-721' });
    expect((await assetOf())['svc:nft']).toBeDefined();
  });

  it('is no longer shown once the image has other bytes, and can be recorded again', async () => {
    const token = await mint();
    expect((await record(token)).status).toBe(200);
    await lookAt(imageId, OTHER);
    await expect.poll(async () => (await assetOf())['svc:nft']).toBeUndefined();
    expect((await assetOf()).verification.hasBlockchain).toBe(false);
    expect(refused(await record(token))).toEqual([422, 'nft_image_differs', OTHER, UHASH]);
    expect((await record(await mint('mint', OTHER))).status).toBe(200);
    expect((await assetOf())['svc:nft']).toMatchObject({ minted: true });
  });
});
