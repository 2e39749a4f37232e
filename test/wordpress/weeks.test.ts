import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from './scene.ts';
import { whyNoWordPress } from './site.ts';

const DAY = 86_400;

describe.skipIf(whyNoWordPress() !== null)('a shop over weeks, with Action Scheduler', () => {
  let scene: Scene;
  const products: number[] = [];
  beforeAll(async () => {
    scene = await openScene({
      actionScheduler: true,
      planCapacity: 3,
      settings: { TOUCHSTONE_WEBHOOK_HTTP: 'true' },
    });
    scene.setDaysBehind(5);
  });
  afterAll(() => scene?.close());

  const meta = (id: number | undefined, name: string) =>
    scene.site.evaluate<string>(`return get_post_meta( ${id}, '_touchstone_${name}', true );`);
  const certified = () => scene.site.evaluate<number>(`return Touchstone\\Overview::counts()['certified'];`);
  /** Sets the jobs' last runs this number of seconds back; returns what the hourly job then schedules. */
  const age = (seconds: number) =>
    scene.site.evaluate<string[]>(`
update_option( 'stand_in_actions', array() );
foreach ( array( 'connect', 'send', 'pull', 'check' ) as $name ) { ( new Touchstone\\Run( $name ) )->change( array( 'ok_at' => time() - ${seconds} ) ); }
do_action( 'touchstone_hourly' );
return array_column( stand_in_actions(), 'hook' );`);
  const daysLeft = async (id: number | undefined) =>
    (Number(await meta(id, 'replace_by')) - Date.now() / 1000) / DAY;

  it('certifies as many products as the plan allows, and says so for the others', async () => {
    for (const name of ['one', 'two', 'three', 'four']) {
      products.push(await scene.save({ post_title: `Product ${name}`, post_name: name }, { _price: '5' }));
    }
    await scene.connect();
    const jobs = await scene.runJobs();
    expect(jobs.slice(0, 2)).toEqual(['connect', 'send_all']);
    expect(await certified()).toBe(3);
    expect(await meta(products[3], 'state')).toBe('no_slot');
    const page = await scene.adminPage();
    expect(page).toContain('3 of 4 published products are certified.');
    expect(page).toContain('All seats of your plan are taken.');
    expect((await scene.check('/four/')).verdict).not.toBe('verified');
    expect(await scene.check('/product/one/')).toMatchObject({ verdict: 'verified' });
  });

  it('reads the stream with either HTTP transport of WordPress, since PHP may have no curl', async () => {
    for (const transport of ['Curl', 'Fsockopen']) {
      const read = await scene.site.evaluate<{ problem: string; cursor: string } | null>(`
$transport = 'WpOrg\\Requests\\Transport\\${transport}';
if ( ! $transport::test() ) { return null; }
add_action( 'requests-requests.before_request', function ( $url, $headers, $data, $type, &$options ) use ( $transport ) { $options['transport'] = $transport; }, 20, 5 );
( new Touchstone\\Run( 'pull' ) )->change( array( 'cursor' => '' ) );
Touchstone\\Schedule::soon( 'touchstone_pull' );
touchstone_run_jobs();
return ( new Touchstone\\Run( 'pull' ) )->read();`);
      if (read === null) continue;
      expect(read).toMatchObject({ problem: '', cursor: expect.stringMatching(/./) });
    }
    expect(await certified()).toBe(3);
  });

  it('does not change WP-Cron', async () => {
    const scheduled = await scene.site.evaluate<{ cron: string[]; actions: string[] }>(`
$cron = array();
foreach ( _get_cron_array() as $events ) { foreach ( array_keys( $events ) as $hook ) { if ( 0 === strpos( $hook, 'touchstone_' ) ) { $cron[] = $hook; } } }
return array( 'cron' => $cron, 'actions' => array_column( stand_in_actions(), 'hook' ) );`);
    expect(scheduled.cron).toEqual([]);
    expect(scheduled.actions).toContain('touchstone_hourly');
  });

  it('gives a free seat to the product that waited for it', async () => {
    await scene.save({ ID: products[0], post_status: 'draft' });
    await scene.runJobs();
    expect(await meta(products[3], 'state')).toBe('active');
    expect(await scene.check('/product/four/')).toMatchObject({ verdict: 'verified' });
  });

  it('takes a certificate that the service withdraws off its page at the hourly pull', async () => {
    const registryId = await meta(products[1], 'id');
    const show = (visible: boolean) =>
      scene.service.operate('PATCH', `/api/v1/registry/products/${registryId}`, { visible });
    const hasBlock = async () => (await scene.site.get('/product/two/')).body.includes('data-touchstone');
    expect(await hasBlock()).toBe(true);
    await show(false);
    expect(await age(60)).toContain('touchstone_pull');
    await scene.runJobs();
    expect(await hasBlock()).toBe(false);
    await show(true);
    await age(60);
    await scene.runJobs();
    expect(await hasBlock()).toBe(true);
  });

  it('has a new certificate on the page before the first one expires', async () => {
    // two days remain, since the service's clock was five days behind
    expect(await daysLeft(products[1])).toBeLessThan(2.1);
    const before = await meta(products[1], 'document');
    scene.setDaysBehind(0);
    await age(2 * DAY);
    expect(await scene.runJobs()).toContain('pull');
    expect(await meta(products[1], 'document')).not.toBe(before);
    expect(await daysLeft(products[1])).toBeGreaterThan(6.9);
    expect(await scene.check('/product/two/')).toMatchObject({ verdict: 'verified' });
  });

  it('requests a certificate itself that the stream no longer lists', async () => {
    await scene.site.evaluate(`
update_post_meta( ${products[1]}, '_touchstone_replace_by', time() + 3600 );
update_post_meta( ${products[1]}, '_touchstone_document', '{"url":"http://woo.example/product/two/"}' );`);
    await age(7 * 3600);
    await scene.runJobs();
    expect(await daysLeft(products[1])).toBeGreaterThan(6.9);
    expect(await scene.check('/product/two/')).toMatchObject({ verdict: 'verified' });
  });

  it('starts over if the service was restored to an earlier day', async () => {
    await scene.site.evaluate(
      `( new Touchstone\\Run( 'pull' ) )->change( array( 'cursor' => 'nonsense' ) );`,
    );
    await age(2 * DAY);
    const jobs = await scene.runJobs();
    expect(jobs.filter((name) => name === 'pull').length).toBeGreaterThan(1);
    expect(jobs).toContain('send_all');
    expect(await certified()).toBe(3);
  });

  it('prints no certificate that has expired', async () => {
    await scene.site.evaluate(`update_post_meta( ${products[1]}, '_touchstone_replace_by', time() - 1 );`);
    expect((await scene.site.get('/product/two/')).body).not.toContain('data-touchstone');
    await age(2 * DAY);
    await scene.runJobs();
    expect((await scene.site.get('/product/two/')).body).toContain('data-touchstone');
  });

  it('has each page cache regenerate the page, and no other page', async () => {
    await scene.save({ ID: products[1], post_title: 'Product two of two' });
    const purged = await scene.site.evaluate<Record<string, unknown[]>>(`
$GLOBALS['purged'] = array();
function note( $cache, $what ) { $GLOBALS['purged'][ $cache ][] = $what; }
function rocket_clean_files( $urls ) { note( 'rocket', $urls ); }
function w3tc_flush_url( $url ) { note( 'w3tc', $url ); }
function wpsc_delete_url_cache( $url ) { note( 'super', $url ); }
function wpfc_clear_post_cache_by_id( $id ) { note( 'fastest', $id ); }
add_action( 'litespeed_purge_url', function ( $url ) { note( 'litespeed', $url ); } );
add_action( 'touchstone_page_changed', function ( $id, $url ) { note( 'other', $url ); throw new Error( 'a cache with a fault' ); }, 10, 2 );
class Cloudflare_Hooks { function purgeCacheByRelevantURLs( $id ) { note( 'cloudflare', apply_filters( 'cloudflare_purge_by_url', array( 'http://woo.example/' ), $id ) ); } }
$GLOBALS['cloudflareHooks'] = new Cloudflare_Hooks();
touchstone_run_jobs();
return $GLOBALS['purged'];`);
    const url = 'http://woo.example/product/two/';
    expect(purged).toEqual({
      rocket: [[url]],
      w3tc: [url],
      super: [url],
      fastest: [products[1]],
      litespeed: [url],
      other: [url],
      cloudflare: [[url]],
    });
  });

  it('is notified by the service of its events', async () => {
    const { webhooks } = (await scene.service.operate('GET', '/api/v1/registry/webhooks')) as {
      webhooks: { url: string; events: string[] }[];
    };
    expect(webhooks).toMatchObject([
      {
        url: 'http://woo.example/wp-json/touchstone/v1/notices',
        events: ['certificate.issued', 'certificate.renewed', 'certificate.withdrawn'],
      },
    ]);
    const id = await meta(products[2], 'id');
    await scene.service.operate('PATCH', `/api/v1/registry/products/${id}`, { disabled: true });
    // a request for the stream updates the certificates, and records events
    const store = await scene.site.evaluate<string>(`return ( new Touchstone\\Settings() )->get( 'store' );`);
    const headers = { authorization: `Bearer ${scene.apiKey}` };
    await (
      await fetch(`${scene.service.url}/api/v1/registry/stores/${store}/certificates`, { headers })
    ).text();
    await expect
      .poll(() => scene.site.evaluate<string[]>(`return array_column( stand_in_actions(), 'hook' );`), {
        timeout: 60_000,
        interval: 500,
      })
      .toContain('touchstone_pull');
    await scene.runJobs();
    expect(await meta(products[2], 'state')).toBe('disabled');
    expect((await scene.site.get('/product/three/')).body).not.toContain('data-touchstone');
  });

  it('sends 1,050 products in calls of a thousand, and continues interrupted downloads', async () => {
    await scene.service.operate('PATCH', `/api/v1/registry/merchants/${scene.merchantId}`, {
      planCapacity: 5000,
    });
    const before = await certified();
    const ran = await scene.site.evaluate<{ jobs: string[]; rows: number[]; peak: number }>(`
global $wpdb;
$wpdb->query( 'BEGIN' );
for ( $i = 0; $i < 1050; $i++ ) {
  $wpdb->insert( $wpdb->posts, array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => "Many $i", 'post_name' => "many-$i", 'post_date' => '2026-01-01 00:00:00', 'post_date_gmt' => '2026-01-01 00:00:00', 'post_content' => '', 'post_excerpt' => '', 'to_ping' => '', 'pinged' => '', 'post_content_filtered' => '' ) );
}
$wpdb->query( 'COMMIT' );
$rows = array();
add_filter( 'http_request_args', function ( $args, $url ) use ( &$rows ) {
  if ( 'PUT' === $args['method'] ) { $rows[] = count( json_decode( $args['body'] ) ); }
  if ( ! empty( $args['stream'] ) ) { $args['limit_response_size'] = 500000; }
  return $args;
}, 10, 2 );
Touchstone\\Schedule::soon( 'touchstone_send_all' );
$jobs = touchstone_run_jobs( 60 );
return array( 'jobs' => $jobs, 'rows' => $rows, 'peak' => memory_get_peak_usage() );`);
    expect(ran.rows[0]).toBe(1000);
    expect(ran.rows).toHaveLength(2);
    expect(ran.jobs.filter((name) => name === 'pull').length).toBeGreaterThan(2);
    expect(await certified()).toBe(before + 1050);
    expect(ran.peak).toBeLessThan(128 * 1024 * 1024);
    expect(await scene.check('/product/many-1049/')).toMatchObject({ verdict: 'verified' });
  }, 300_000);

  it('leaves nothing at the service that calls it, and nothing scheduled, when it is deleted', async () => {
    await scene.site.evaluate(`
require_once ABSPATH . 'wp-admin/includes/plugin.php';
Touchstone\\Schedule::ensure_hourly();
deactivate_plugins( 'touchstone-certificates/touchstone-certificates.php' );
define( 'WP_UNINSTALL_PLUGIN', 'touchstone-certificates/touchstone-certificates.php' );
require WP_PLUGIN_DIR . '/touchstone-certificates/uninstall.php';`);
    expect(await scene.service.operate('GET', '/api/v1/registry/webhooks')).toEqual({ webhooks: [] });
    expect(await scene.site.evaluate(`return stand_in_actions();`)).toEqual([]);
    expect(scene.site.complaints()).toEqual([]);
  });
});
