import { type TestService, testService } from '../../packages/server/src/testing.ts';
import { openRelay } from './relay.ts';
import { type Answer, HOST, openSite, type Site } from './site.ts';

/** A service with an adjustable clock, and a shop from which it fetches. */
export interface Scene {
  readonly site: Site;
  readonly service: TestService;
  /** Stops the service, or restarts it on the same database, at the same address for the shop. */
  stop(): Promise<void>;
  start(): Promise<void>;
  readonly apiKey: string;
  readonly merchantId: string;
  /** Sets the service's clock this number of days behind that of the shop. */
  setDaysBehind(days: number): void;
  /** Enters and saves settings, as a merchant does. */
  connect(fields?: Record<string, string>): Promise<Answer>;
  /** Presses a button of the settings page. */
  press(button: string): Promise<string>;
  adminPage(): Promise<string>;
  /** Runs the scheduled jobs, whenever they are due; returns which ran. */
  runJobs(): Promise<string[]>;
  /** Saves a product in the shop; returns its id. */
  save(product: Record<string, unknown>, meta?: Record<string, unknown>): Promise<number>;
  /** The service's check of a product's page. */
  check(path: string): Promise<Report>;
  close(): Promise<void>;
}

export interface Report {
  readonly verdict: string;
  readonly facts: Record<string, { readonly value: string } | null>;
  readonly mc4p: { readonly present: boolean; readonly product_id?: string };
  readonly findings: readonly string[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export interface SceneOptions {
  readonly actionScheduler?: boolean;
  readonly planCapacity?: number;
  /** Whether there is a page cache in front of WordPress. */
  readonly pageCache?: boolean;
  /** Settings of the service. */
  readonly settings?: Record<string, string>;
}

const DAY = 86_400_000;

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const site = await openSite(options);
  let daysBehind = 0;
  const clock = () => new Date(Date.now() - daysBehind * DAY);
  const settings = {
    TOUCHSTONE_FETCH_CONNECT_TO: `${HOST}:80=127.0.0.1:${site.port}`,
    ...options.settings,
  };
  const overrides = { clock, resolveTxt: async () => ({ records: [] }) };
  let service = await testService({ settings, overrides });
  const relay = await openRelay();
  relay.leadTo(service.url);
  let isUp = true;
  const start = async () => {
    service = await service.restart(settings, overrides);
    relay.leadTo(service.url);
    isUp = true;
  };
  const { planCapacity = 1000 } = options;
  const merchant = await operate(service, '/merchants', { name: 'Woo <i>&</i> Sons', planCapacity });
  const { key } = await operate(service, `/merchants/${merchant.id}/api-keys`, {});
  let cookie = '';

  const adminPage = async (): Promise<string> => {
    cookie ||= await site.logIn('admin', 'password');
    const answer = await site.get('/wp-admin/admin.php?page=touchstone-certificates', { cookie });
    // the plugin's output, without WordPress's own part
    const from = answer.body.indexOf('<div class="wrap">');
    return answer.body.slice(Math.max(0, from), answer.body.indexOf('<!-- wpbody-content'));
  };
  const submit = async (action: string, fields: Record<string, string>): Promise<Answer> => {
    const nonce = nonceOf(await adminPage(), action);
    return site.post('/wp-admin/admin-post.php', { action, _wpnonce: nonce, ...fields }, { cookie });
  };
  return {
    site,
    get service() {
      return service;
    },
    async stop() {
      relay.leadTo(null);
      await service.close();
      isUp = false;
    },
    start,
    apiKey: key ?? '',
    merchantId: merchant.id ?? '',
    setDaysBehind: (days) => {
      daysBehind = days;
    },
    connect: (fields = {}) =>
      submit('touchstone_save', {
        service: relay.url,
        api_key: key ?? '',
        store: '',
        ...fields,
      }),
    async press(button) {
      await submit('touchstone_run', { button });
      return adminPage();
    },
    adminPage,
    runJobs: () => site.evaluate<string[]>('return touchstone_run_jobs();'),
    save: (product, meta = {}) => site.evaluate<number>(saving(product, meta)),
    async check(path) {
      const body = JSON.stringify({ url: `http://${HOST}${path}`, freshness: 'fresh' });
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${service.operatorKey}` };
      const answer = await fetch(`${service.url}/api/v1/mc4p/page-checks`, { method: 'POST', headers, body });
      return (await answer.json()) as Report;
    },
    async close() {
      await site.close();
      await relay.close();
      if (!isUp) await start();
      await service.dispose();
    },
  };
}

async function operate(service: TestService, path: string, body: object): Promise<Record<string, string>> {
  return (await service.operate('POST', `/api/v1/registry${path}`, body)) as Record<string, string>;
}

function nonceOf(page: string, action: string): string {
  const form = page.slice(page.indexOf(`value="${action}"`));
  return /name="_wpnonce" value="(\w+)"/.exec(form)?.[1] ?? '';
}

/** Data is passed as JSON in base64, so that it may contain any text. */
function saving(product: Record<string, unknown>, meta: Record<string, unknown>): string {
  const data = Buffer.from(JSON.stringify({ product, meta })).toString('base64');
  return `
$data = json_decode( base64_decode( '${data}' ), true );
if ( empty( $data['product']['ID'] ) ) { kses_remove_filters(); }
$id = stand_in_save_product( $data['product'] );
foreach ( $data['meta'] as $name => $value ) { update_post_meta( $id, $name, wp_slash( $value ) ); }
if ( $data['meta'] ) { do_action( 'woocommerce_update_product', $id ); }
return $id;`;
}
