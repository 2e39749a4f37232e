import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Credential } from '@touchstone/fetch/credential';
import { cannotTell, EXIT, type ExitCode } from '../cli-error.ts';
import { createServiceClient } from '../client.ts';
import type { Io } from '../io.ts';
import { type Paint, paintFor } from '../output/text.ts';
import { carriedCertificate, fetchCertificate, fetchCertificates } from './certificates.ts';
import { readPictures } from './pictures.ts';
import { PRODUCTS } from './products.ts';
import {
  certifyImages,
  createStore,
  imageAddresses,
  imageLines,
  proveDomain,
  sendProducts,
} from './registry-steps.ts';
import { endedAsExpected, sceneLines } from './report-lines.ts';
import { SCENES } from './scenes.ts';
import { type DemoService, startDemoService } from './service.ts';
import { type DemoShop, startDemoShop } from './shop-server.ts';
import { createUndo, type Undo } from './undo.ts';

const SERVICE_PORT = 8787;
const EIGHT_DAYS = 8 * 24 * 60 * 60 * 1000;

interface DemoOptions {
  /** Ends after every page is checked, instead of staying up. */
  readonly once?: boolean;
  /** Port of the service; the shop uses the next one. Default 8787, with `once` any free ports. */
  readonly port?: number;
}

/**
 * Starts the service and a small shop, runs everything from a catalogue to verdicts, and prints each verdict with its reasons.
 *
 * @returns 0 if every page has its expected verdict
 */
export async function runDemo(options: DemoOptions, io: Io): Promise<ExitCode> {
  const undo = createUndo();
  const forget = io.atFault(undo.all);
  try {
    return await playDemo(options, io, undo);
  } finally {
    await undo.all();
    forget();
  }
}

async function playDemo(options: DemoOptions, io: Io, undo: Undo): Promise<ExitCode> {
  const paint = paintFor(io.stdout, io.env);
  const port = options.port ?? (options.once ? 0 : SERVICE_PORT);
  const pictures = await readPictures();
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-demo-'));
  undo.add(() => rm(folder, { recursive: true, force: true }));
  const shop = await startDemoShop(port === 0 ? 0 : port + 1, pictures).catch(portTaken(port + 1));
  undo.add(() => shop.close());
  io.stdout.write('Starting the service with its own database …\n');
  const starting = startDemoService({ folder, shop, port }, io);
  // also a service that is still starting; one that fails to start has closed everything itself
  undo.add(() => starting.then((service) => service.close(), ignore));
  const service = await starting.catch(cannotStart(port));
  const wrong = await playScenes(service, shop, io, paint);
  io.stdout.write(`${closing(wrong, paint)}\n`);
  if (options.once)
    io.stdout.write('Shop and service stop with this run; without --once they keep running.\n');
  else await untilStopped(service, shop, io, paint);
  return wrong === 0 ? EXIT.verified : EXIT.failed;
}

function ignore(): void {}

/** Most likely another demo is running. */
function portTaken(port: number): (fault: NodeJS.ErrnoException) => never {
  return (fault) => {
    if (fault.code !== 'EADDRINUSE') throw fault;
    throw cannotTell(
      'service_not_started',
      `Port ${port} of this machine is in use, by another demo perhaps.`,
      'Choose another pair of ports: npm run demo -- --port 9000 (the shop uses 9001).',
      fault,
    );
  };
}

/** Errors of this machine are shown as they are; any other is a fault of the program. */
function cannotStart(port: number): (fault: unknown) => never {
  return (fault) => {
    if (!(fault instanceof Error) || fault.name !== 'StartError') throw fault;
    if (isTaken(fault.cause)) portTaken(port)(fault.cause);
    throw cannotTell('service_not_started', `The service cannot start. ${fault.message}`, undefined, fault);
  };
}

function isTaken(cause: unknown): cause is NodeJS.ErrnoException {
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

async function playScenes(service: DemoService, shop: DemoShop, io: Io, paint: Paint): Promise<number> {
  const credential = new Credential(service.url, { authorization: `Bearer ${service.operatorKey}` });
  const client = createServiceClient({ baseUrl: service.url, credential, io, attempts: 4 });
  const step = (text: string) => io.stdout.write(`${paint('dim', '·')} ${text}\n`);

  shop.wearBadge(service.url);
  service.setTimeBack(EIGHT_DAYS);
  const store = await createStore(client, shop);
  step(`Merchant and store created; the store's host is ${store.domain.hostname}.`);
  step(`Control of the host proven (${await proveDomain(client, shop, store)}).`);
  const ids = await sendProducts(client, shop, store);
  step(`${ids.size} products sent.`);
  const before = await fetchCertificates(client, ids);
  step('Certificates of eight days ago fetched.');

  service.setTimeBack(0);
  const images = imageLines(await certifyImages(client, store), paint);
  step(images.text);
  for (const { asset, hasC2PA } of await imageAddresses(client, ids.get('vase') ?? ''))
    step(`  ${hasC2PA ? 'certified    ' : 'not certified'} ${asset}`);
  const teapot = ids.get('teapot');
  const issuedNow = await fetchCertificates(client, ids);
  if (teapot !== undefined) await client.call('deleteProduct', { params: { product_id: teapot } });
  const caddy = ids.get('caddy');
  if (caddy !== undefined) issuedNow.set('caddy', await fetchCertificate(client, caddy));
  step('Certificates of today fetched; the teapot deleted, so that its seat goes to the tea caddy.\n');

  for (const { handle } of PRODUCTS) {
    const isScene = SCENES.some((scene) => scene.host === 'shop' && scene.handle === handle);
    if (!isScene) shop.publish({ handle, host: 'shop' }, issuedNow.get(handle));
  }

  let wrong = images.right ? 0 : 1;
  for (const scene of SCENES) {
    const certificates = { now: issuedNow.get(scene.handle), before: before.get(scene.handle) };
    shop.publish(scene, carriedCertificate(scene.carries, certificates));
    const url = `${shop.origin(scene.host)}/products/${scene.handle}`;
    const report = await client.call('checkPage', { body: { url } });
    if (!endedAsExpected(scene, report)) wrong++;
    io.stdout.write(`${sceneLines(scene, report, service.url, paint)}\n`);
  }
  return wrong;
}

function closing(wrong: number, paint: Paint): string {
  return wrong === 0
    ? paint(
        'good',
        `All ${SCENES.length} pages have the expected verdict, and the images the expected result.`,
      )
    : paint('bad', `${wrong} of ${SCENES.length + 1} steps had an unexpected result.`);
}

async function untilStopped(service: DemoService, shop: DemoShop, io: Io, paint: Paint): Promise<void> {
  // the key belongs to a database that is removed with the demo, so it is no secret
  io.stdout.write(`
  Check a page   ${service.url}/check?url=${encodeURIComponent(`${shop.origin('shop')}/products/cup`)}
  The shop       ${shop.origin('shop')}/
  A copied page  ${shop.origin('copycat')}/products/cup
  Verify         ${service.url}/verify
  Console        ${service.url}/console (sign in with the operator key)
  The API        ${service.url}/docs
  Public keys    ${service.url}/api/v1/.well-known/jwks.json
  Operator key   ${service.operatorKey}

${paint('strong', 'Both stay up until Ctrl-C.')}
`);
  if (io.stop.aborted) return;
  await new Promise<void>((resolve) => io.stop.addEventListener('abort', () => resolve(), { once: true }));
}
