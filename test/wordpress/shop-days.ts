import type { Jwks } from '@touchstone/certificate';
import { type Assortment, createAssortment, type Item } from '../kit/assortment.ts';
import { createPageJudge } from '../kit/page-judge.ts';
import type { Scene } from './scene.ts';
import { HOST } from './site.ts';

/** The service's address in certificates, which stays the same across outages. */
export const ISSUER = 'https://certificates.example';

const QUARTER = 6 * 3_600;

/** A WordPress shop in quarters of a day: the actions of its owner, the service and the plugin in each, and the resulting pages. */
export interface ShopDays {
  readonly assortment: Assortment;
  /** Sets both clocks to a quarter, saves the owner's changes in WordPress, and runs the plugin's hourly job if `works`. */
  begin(quarter: number, works: boolean): Promise<void>;
  /** Lets the service, which issues ahead, renew certificates and deliver its webhooks. */
  serve(): Promise<void>;
  /** The SDK's verdict on a page as a visitor gets it, with the keys that were last read. */
  verdictOf(item: Item): Promise<string>;
  /** The service's verdict on the same page. */
  verdictByService(item: Item): Promise<string>;
  /** The plugin's output on a page; `past`: bypasses the page cache. */
  printed(item: Item, past: boolean): Promise<string | undefined>;
  /** Reads the service's published keys. */
  readKeys(): Promise<void>;
  revoke(): Promise<void>;
}

export function openShopDays(scene: Scene, products: number): ShopDays {
  const assortment = createAssortment(products);
  const posts = new Map<string, number>();
  const judge = createPageJudge(ISSUER);
  let jwks: Jwks = { keys: [] };
  let now = new Date();
  const page = (item: Item, past = false) =>
    scene.site.get(pathOf(item), past ? { 'x-past-cache': '1' } : {});

  return {
    assortment,
    async begin(quarter, works) {
      const seconds = quarter * QUARTER;
      scene.setDaysBehind(-seconds / 86_400);
      now = new Date(Date.now() + seconds * 1_000);
      const { present, gone } = assortment.takeChanges();
      const changes = {
        clock: seconds,
        works,
        saved: present.map((item) => ({ ...item, id: posts.get(item.externalId) ?? 0, slug: slugOf(item) })),
        gone: gone.map((externalId) => posts.get(externalId) ?? 0),
      };
      const made = await scene.site.evaluate<Record<string, number>>(saving(changes));
      for (const [externalId, id] of Object.entries(made)) posts.set(externalId, id);
    },
    serve: () => settle(scene),
    async verdictOf(item) {
      const { status, body } = await page(item);
      return status === 200 ? judge({ url: urlOf(item), html: body, jwks, now }) : 'gone';
    },
    async verdictByService(item) {
      const answer = await fetch(`${scene.service.url}/api/v1/mc4p/page-checks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: urlOf(item) }),
      });
      return String(((await answer.json()) as { verdict?: unknown }).verdict);
    },
    async printed(item, past) {
      const { body } = await page(item, past);
      return /<script type="application\/ld\+json" data-touchstone>.*?<\/script>/s.exec(body)?.[0];
    },
    async readKeys() {
      const url = `${scene.service.url}/api/v1/.well-known/jwks.json`;
      const published = (await (await fetch(url)).json()) as Jwks;
      if (JSON.stringify(published) !== JSON.stringify(jwks)) jwks = published;
    },
    async revoke() {
      const { keys } = (await scene.service.operate('GET', '/api/v1/registry/signing-keys')) as {
        keys: { kid: string; state: string; purpose: string }[];
      };
      const active = keys.find(({ state, purpose }) => state === 'active' && purpose === 'proofs');
      await scene.service.operate('POST', `/api/v1/registry/signing-keys/${active?.kid}/revoke`);
    },
  };
}

const slugOf = ({ path }: Item) => path.slice('/products/'.length);
const pathOf = (item: Item) => `/product/${slugOf(item)}/`;
const urlOf = (item: Item) => `http://${HOST}${pathOf(item)}`;

/**
 * The database's clock is not adjusted: the service's hourly work, and delayed events, are made due. Ends when no certificate and no
 * delivery is pending.
 */
async function settle({ service }: Scene): Promise<void> {
  const { database } = service;
  await database.query(
    "update jobs set state = 'ready', due_at = now() where queue = 'certificates' and state = 'scheduled'",
  );
  const until = Date.now() + 60_000;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [left] = await database.query(
      "select count(*)::int as jobs from jobs where queue = 'certificates' and state in ('ready', 'running')",
    );
    if (Date.now() > until) throw new Error('the service is not done with certificates and deliveries');
    if (left?.jobs !== 0) continue;
    await database.query(
      "update events set added_at = added_at - interval '1 minute' where gathering; update jobs set state = 'ready', due_at = now() where queue = 'webhooks' and state = 'scheduled'",
    );
    const [pending] = await database.query(
      "select count(*)::int as deliveries from webhook_deliveries where state = 'pending'",
    );
    if (pending?.deliveries === 0) return;
  }
}

/** Hidden products are drafts, or not in the catalogue; removed ones are deleted, or in the trash. */
function saving(changes: object): string {
  const data = Buffer.from(JSON.stringify(changes)).toString('base64');
  return `
$data = json_decode( base64_decode( '${data}' ), true );
update_option( 'touchstone_clock_ahead', $data['clock'] );
$ids = array();
foreach ( $data['saved'] as $item ) {
	$is_draft = ! $item['isVisible'] && 0 === $item['id'] % 2;
	$post = array( 'post_title' => $item['name'], 'post_name' => $item['slug'], 'post_status' => $is_draft ? 'draft' : 'publish' );
	$id = stand_in_save_product( $item['id'] ? array( 'ID' => $item['id'] ) + $post : $post );
	update_post_meta( $id, '_price', (string) $item['price'] );
	update_post_meta( $id, '_stand_in_visibility', $item['isVisible'] ? 'visible' : 'hidden' );
	do_action( 'woocommerce_update_product', $id );
	$ids[ $item['externalId'] ] = $id;
}
foreach ( $data['gone'] as $id ) {
	if ( 0 === $id % 2 ) { wp_trash_post( $id ); } else { wp_delete_post( $id, true ); }
}
if ( $data['works'] ) {
	do_action( 'touchstone_hourly' );
	touchstone_run_jobs();
}
return (object) $ids;`;
}
