import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uhash } from '@touchstone/image';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeImage } from '../../packages/server/src/core/certificates/testing.ts';
import { developmentChain } from '../../packages/server/src/core/images/development-chain.ts';
import { useFolder } from '../kit/folder.ts';
import { type ImageScene, openImageScene } from '../kit/image-scene.ts';
import { picture, servePicture } from '../kit/pictures.ts';
import type { Json } from '../kit/service.ts';

const folder = useFolder('signed-again');
let world: ImageScene;

// the operator's chain, with its authority on the operator's trust list
beforeAll(async () => {
  const { certificateChainPem, privateKeyPem } = await developmentChain(new Date());
  const files = { cert: join(folder, 'chain.pem'), key: join(folder, 'key.pem') };
  await writeFile(files.cert, certificateChainPem);
  await writeFile(files.key, privateKeyPem, { mode: 0o600 });
  world = await openImageScene({
    TOUCHSTONE_C2PA_CERT_FILE: files.cert,
    TOUCHSTONE_C2PA_KEY_FILE: files.key,
    TOUCHSTONE_C2PA_TRUST_FILE: files.cert,
  });
  await world.askForSignatures(true);
});
afterAll(async () => {
  await world?.close();
});

const uhashOf = (asset: Json) =>
  (asset['svc:contentCredentials'] as { hashes: { uhash: string } } | undefined)?.hashes.uhash;
const trustOf = (asset: Json) =>
  (asset.verification as { trustAnchor: { status: string } }).trustAnchor.status;

describe('an image that we signed', () => {
  it('is signed again before the signature expires, by a signer that is valid longer, and keeps its version', async () => {
    const { imageId } = await world.productWith('ending', await picture('ending'));
    const first = await world.asset(imageId);
    await world.scanAgain(imageId);
    expect(uhashOf(await world.asset(imageId))).toBe(uhashOf(first));

    const { query } = world.scene.service.database;
    const ends = (interval: string) =>
      query(
        `update image_certifications set signed_until = now() + interval '${interval}' where image_id = $1`,
        [imageId],
      );
    await ends('31 days');
    await world.scanAgain(imageId);
    expect(uhashOf(await world.asset(imageId))).toBe(uhashOf(first));
    await ends('29 days');
    await world.scanAgain(imageId);
    const second = await world.asset(imageId);
    expect(uhashOf(second)).not.toBe(uhashOf(first));
    expect(second['svc:contentCredentials']).toMatchObject({ hasC2PA: true });
    const rows = await query(
      `select i.version, left(c.blob_key, 64) as uhash, c.signed_until > now() + interval '5 years' as lasts
       from images i join image_certifications c on c.image_id = i.id where i.id = $1`,
      [imageId],
    );
    expect(rows).toEqual([{ version: 1, uhash: uhashOf(second), lasts: true }]);
    await world.scanAgain(imageId);
    expect(uhashOf(await world.asset(imageId))).toBe(uhashOf(second));
  });

  it('is judged by a new trust list once that is in use, and keeps its signature, whether or not still requested', async () => {
    const { imageId } = await world.productWith('judged', await picture('judged'));
    const first = await world.asset(imageId);
    const judgedBy = (list: string) =>
      changeImage(world.scene.service.database, imageId, {
        trust_list: sql<string>`${sql.raw(list)}`,
        trust: sql<string>`trust || '{"status": "untrusted"}'`,
      });
    await judgedBy('trust_list');
    await world.scanAgain(imageId);
    expect(trustOf(await world.asset(imageId))).toBe('untrusted');
    await world.askForSignatures(false);
    await judgedBy("'that of another day'");
    await world.scanAgain(imageId);
    const second = await world.asset(imageId);
    expect([trustOf(second), uhashOf(second)]).toEqual(['trusted', uhashOf(first)]);
    await world.askForSignatures(true);
  });

  it('with another chain is not reported as signed by the current chain', async () => {
    const before = await picture('before-chains');
    const { imageId, url } = await world.productWith('chains', before);
    expect(trustOf(await world.asset(imageId))).toBe('trusted');
    servePicture(world.scene.shop, url, await picture('between-chains'));
    await world.scanAgain(imageId);

    const foreign = await world.signedByMerchant('before-chains');
    const key = `${await uhash(foreign)}.jpg`;
    const { service } = world.scene;
    await mkdir(join(service.dataDir, 'blobs', key.slice(0, 2)), { recursive: true });
    await writeFile(join(service.dataDir, 'blobs', key.slice(0, 2), key), foreign);
    await service.database.query(
      'update image_certifications set blob_key = $1 where image_id = $2 and source_uhash = $3',
      [key, imageId, await uhash(before)],
    );
    servePicture(world.scene.shop, url, before);
    await world.scanAgain(imageId);
    const asset = await world.asset(imageId);
    expect([uhashOf(asset), trustOf(asset)]).toEqual([key.slice(0, 64), 'untrusted']);
  });
});
