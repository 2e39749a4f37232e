import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from './scene.ts';
import { PLUGIN, whyNoWordPress } from './site.ts';

const missing = whyNoWordPress();
if (missing !== null) console.log(`skipped, since ${missing}: the WooCommerce plugin in WordPress`);

const CERTIFICATE = /<script type="application\/ld\+json" data-touchstone>(.*?)<\/script>/gs;
const certificatesIn = (html: string) =>
  [...html.matchAll(CERTIFICATE)].map(([, text = '']) => JSON.parse(text) as Record<string, unknown>);

describe.skipIf(missing !== null)('the WooCommerce plugin in WordPress', () => {
  let scene: Scene;
  let cup: number;
  let kettle: number;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const page = async (path: string) => (await scene.site.get(path)).body;
  const meta = (id: number, name: string) =>
    scene.site.evaluate<string>(`return get_post_meta( ${id}, '_touchstone_${name}', true );`);

  it('has no PHP syntax errors', () => {
    const files = globSync('**/*.php', { cwd: PLUGIN });
    const wrong = files.filter((file) => spawnSync('php', ['-l', join(PLUGIN, file)]).status !== 0);
    expect(wrong).toEqual([]);
    expect(files.length).toBeGreaterThan(20);
  });

  it('says what is wrong with an address or a key, and keeps no key for another service', async () => {
    expect((await scene.connect({ service: 'http://certificates.example' })).status).toBe(302);
    expect(await scene.adminPage()).toContain('The address must begin with https://');
    await scene.connect({ api_key: 'wrong' });
    expect(await scene.adminPage()).toContain('The service does not know this API key.');
    await scene.connect({ service: 'http://localhost:1', api_key: '' });
    expect(await scene.adminPage()).toContain('Enter an API key for this service');
    expect(await scene.site.evaluate<string>(`return get_option( 'touchstone_api_key' );`)).toBe('');
    await scene.connect({ service: 'http://localhost:1' });
    expect(await scene.adminPage()).toContain('The service does not answer');
  });

  it('sends nothing before it is connected', async () => {
    cup = await scene.save(
      { post_title: 'Cup & saucer', post_name: 'cup' },
      {
        _price: '12.50',
        _sku: 'CUP-1',
        _global_unique_id: '4006381333931',
        _product_attributes: [
          { name: 'Colour', value: 'blue' },
          { name: 'Size', value: 'S | M', variation: true },
          { name: 'Secret', value: 'x', visible: false },
        ],
      },
    );
    kettle = await scene.save({ post_title: 'Kettle', post_name: 'kettle' });
    expect(await scene.runJobs()).toEqual([]);
  });

  it('connects: a store is created, the domain proven, products sent, certificates put into pages', async () => {
    expect((await scene.connect()).status).toBe(302);
    const admin = await scene.adminPage();
    expect(admin).toContain('Connected.');
    // where the home page cannot show the proof, there are two other ways
    expect(admin).toMatch(
      /<code>touchstone-challenge-[\w-]{32}<\/code>.*woo\.example\/\.well-known\/touchstone-challenge<.*>_touchstone-challenge\.woo\.example</s,
    );
    expect(admin).toContain('No page has been checked yet.');
    expect(await page('/')).toMatch(
      /<meta name="touchstone-challenge" content="touchstone-challenge-[\w-]{32}" \/>/,
    );
    expect(new Set(await scene.runJobs())).toEqual(new Set(['connect', 'send_all', 'pull']));
    const { stores } = (await scene.service.operate('GET', '/api/v1/registry/stores')) as {
      stores: { id: string; name: string; url: string; platform: string }[];
    };
    expect(stores).toMatchObject([
      { name: 'Woo & Sons', url: 'http://woo.example/', platform: 'woocommerce' },
    ]);
    const store = (await scene.service.operate('GET', `/api/v1/registry/stores/${stores[0]?.id}`)) as object;
    expect(store).toMatchObject({ domains: [{ hostname: 'woo.example', verified: true }] });
    // it is looked for again
    expect(await page('/')).toContain('touchstone-challenge');
    expect(await scene.check('/product/cup/')).toMatchObject({ verdict: 'verified' });
    expect(await scene.check('/product/kettle/')).toMatchObject({ verdict: 'verified' });
  });

  it('prints one certificate, merged with WooCommerce’s own node: readers see one product', async () => {
    const html = await page('/product/cup/');
    const certificates = certificatesIn(html);
    expect(certificates).toHaveLength(1);
    expect(certificates[0]).toMatchObject({
      '@id': 'http://woo.example/product/cup/#product',
      '@type': 'Product',
      additionalProperty: [
        { name: 'externalProductId', value: String(cup) },
        { name: 'sku', value: 'CUP-1' },
        { name: 'gtin', value: '4006381333931' },
        { name: 'Colour', value: 'blue' },
      ],
    });
    expect(html).toContain('"@id":"http://woo.example/product/cup/#product","name":');
    const report = await scene.check('/product/cup/');
    expect(report.facts).toMatchObject({
      name: { value: 'Cup & saucer' },
      price: { value: '12.50' },
      currency: { value: 'EUR' },
      sku: { value: 'CUP-1' },
    });
    expect(report.findings.join()).not.toContain('several_products');
    expect(report.errors).toEqual([]);
  });

  it('prints the certificate if WooCommerce prints no graph too, and nowhere else', async () => {
    const html = await page('/product/kettle/');
    expect(html).not.toContain('@graph');
    expect(certificatesIn(html)).toMatchObject([{ '@id': 'http://woo.example/product/kettle/#product' }]);
    expect(certificatesIn(await page('/'))).toEqual([]);
  });

  it('shows the badge if its box is checked, from the service that issued the certificate', async () => {
    const badge = /<product-certificate><a href="([^"]+)\/check"/;
    expect(await page('/product/cup/')).not.toContain('badge');
    await scene.connect({ badge: '1' });
    expect(await scene.adminPage()).toMatch(/<input name="badge"[^>]*checked/);
    const html = await page('/product/cup/');
    const [certificate] = certificatesIn(html);
    const service = badge.exec(html)?.[1] ?? 'none';
    expect(certificate).toHaveProperty(
      ['svc:record', 'recordUrl'],
      expect.stringContaining(`${service}/api/v1/`),
    );
    const scripts = html.match(/<script[^>]*badge\.js[^>]*>/g) ?? [];
    expect(scripts).toHaveLength(1);
    expect(scripts[0]).toContain(`src="${service}/badge.js"`);
    expect(scripts[0]?.match(/type=/g)).toHaveLength(1);
    expect(scripts[0]).toContain('type="module"');
    expect(await page('/')).not.toContain('badge.js');
    // block templates have a block for their cart button
    const text = (content: string) =>
      scene.site.evaluate(
        `return stand_in_save_product( array( 'ID' => ${cup}, 'post_content' => '${content}' ) );`,
      );
    await text('<p>Before</p><!-- wp:woocommerce/add-to-cart-form /--><p>After</p>');
    expect(await page('/product/cup/')).toMatch(/Before<\/p>\s*<product-certificate>.*<p>After/s);
    await scene.connect();
    expect(await page('/product/cup/')).not.toContain('badge');
    await text('[touchstone_badge]');
    expect(await page('/product/cup/')).toMatch(badge);
    await text('');
    await scene.runJobs();
  });

  it('keeps its data about a product out of what WooCommerce reads, and so out of copies and the REST API', async () => {
    const { kept, read } = await scene.site.evaluate<{ kept: string[]; read: string[] }>(`
global $wpdb;
$rows = $wpdb->get_results( "SELECT meta_id, meta_key, meta_value FROM $wpdb->postmeta WHERE post_id = ${cup}" );
$read = apply_filters( 'woocommerce_data_store_wp_post_read_meta', $rows, null, null );
return array( 'kept' => wp_list_pluck( $rows, 'meta_key' ), 'read' => array_values( wp_list_pluck( $read, 'meta_key' ) ) );`);
    expect(kept).toContain('_touchstone_id');
    expect(read).toEqual(kept.filter((key) => !key.startsWith('_touchstone_')));
    expect(read).toContain('_price');
  });

  it('uses the @id that another plugin gives to the node', async () => {
    const id = await scene.site.evaluate<string>(`
$product = wc_get_product( ${cup} );
global $wp_query; $wp_query = new WP_Query( array( 'p' => ${cup}, 'post_type' => 'product' ) );
apply_filters( 'woocommerce_structured_data_product', array( '@id' => 'http://woo.example/x#richSnippet' ), $product );
ob_start(); do_action( 'wp_footer' ); preg_match( '/data-touchstone>{"@id":"([^"]+)"/', ob_get_clean(), $found );
return $found[1];`);
    expect(id).toBe('http://woo.example/product/cup/#product');
    const renamed = await scene.site.evaluate<string>(`
add_filter( 'touchstone_node_id', function () { return 'http://woo.example/x#richSnippet'; } );
global $wp_query; $wp_query = new WP_Query( array( 'p' => ${cup}, 'post_type' => 'product' ) );
ob_start(); do_action( 'wp_footer' ); preg_match( '/data-touchstone>{"@id":"([^"]+)"/', ob_get_clean(), $found );
return $found[1];`);
    expect(renamed).toBe('http://woo.example/x#richSnippet');
  });

  it('prints no certificate that is not valid on its page, and says why; without keys it prints all', async () => {
    const printed = async () => certificatesIn(await page('/product/cup/')).length;
    expect(await scene.adminPage()).toContain('Each certificate is verified here before it is printed.');
    const genuine = await meta(cup, 'document');
    const keep = (text: string) =>
      scene.site.evaluate(
        `update_post_meta( ${cup}, '_touchstone_document', wp_slash( base64_decode( '${Buffer.from(text).toString('base64')}' ) ) );`,
      );
    const document = JSON.parse(genuine) as { 'svc:status': object; 'svc:issuedFor': object };
    await keep(
      JSON.stringify({ ...document, 'svc:status': { ...document['svc:status'], description: 'x' } }),
    );
    expect(await printed()).toBe(0);
    expect(await scene.adminPage()).toMatch(/Not printed.*member_altered: .*svc:status as it was issued/s);
    await keep(JSON.stringify({ ...document, 'svc:issuedFor': { domain: 'evil.example' } }));
    expect(await printed()).toBe(0);
    expect(await scene.adminPage()).toContain('document_differs');

    await scene.site.evaluate(`delete_option( 'touchstone_keys' );`);
    expect(await printed()).toBe(1);
    const without = await scene.adminPage();
    expect(without).toContain('Certificates are printed without being verified here first:');
    // keys from before the proof was issued prove nothing
    await scene.press('pull');
    await scene.site.evaluate(`
update_option( 'touchstone_keys', array_merge( get_option( 'touchstone_keys' ), array( 'jwks' => '{"keys":[{"kid":"former"}]}', 'read_at' => 1 ) ) );`);
    expect(await printed()).toBe(1);
    await scene.press('pull');
    expect(await printed()).toBe(0);
    await keep(genuine);
    expect(await printed()).toBe(1);
    expect(await scene.adminPage()).not.toContain('Not printed');
  });

  it('sends a changed product once, and nothing that did not change', async () => {
    const before = await meta(cup, 'document');
    await scene.save({ ID: cup, post_title: 'Cup without saucer' });
    expect(await scene.runJobs()).toEqual(['send', 'pull']);
    expect(await meta(cup, 'document')).not.toBe(before);
    expect(await scene.check('/product/cup/')).toMatchObject({ verdict: 'verified' });
    await scene.save({ ID: cup, post_title: 'Cup without saucer' });
    expect(await scene.runJobs()).toEqual(['send']);
  });

  it('removes the certificate from a page that is hidden, trashed or deleted, and restores it', async () => {
    const gone = async () => certificatesIn(await page('/product/kettle/')).length === 0;
    const state = async (id: string) =>
      ((await scene.service.operate('GET', `/api/v1/registry/products/${id}`)) as { state: string }).state;
    const registryId = await meta(kettle, 'id');

    await scene.save({ ID: kettle, post_status: 'draft' });
    expect(await meta(kettle, 'document')).toBe('');
    await scene.runJobs();
    expect(await state(registryId)).toBe('hidden');
    await scene.save({ ID: kettle, post_status: 'publish' });
    await scene.runJobs();
    expect(await scene.check('/product/kettle/')).toMatchObject({ verdict: 'verified' });

    await scene.save({ ID: kettle }, { _stand_in_visibility: 'hidden' });
    await scene.runJobs();
    expect(await gone()).toBe(true);
    await scene.save({ ID: kettle }, { _stand_in_visibility: 'visible' });
    await scene.runJobs();
    expect(await gone()).toBe(false);

    await scene.site.evaluate(`wp_trash_post( ${kettle} );`);
    await scene.runJobs();
    expect(await state(registryId)).toBe('hidden');
    await scene.site.evaluate(`wp_delete_post( ${kettle}, true );`);
    await scene.runJobs();
    expect(await state(registryId)).toBe('deleted');
    kettle = await scene.save({ post_title: 'Kettle', post_name: 'kettle' });
    await scene.runJobs();
    expect(await scene.check('/product/kettle/')).toMatchObject({ verdict: 'verified' });
  });

  it('deletes at the service what was deleted here while the plugin was inactive', async () => {
    const lost = await scene.save({ post_title: 'Lost', post_name: 'lost' });
    await scene.runJobs();
    const registryId = await meta(lost, 'id');
    await scene.site.evaluate(`
global $wpdb;
$wpdb->delete( $wpdb->posts, array( 'ID' => ${lost} ) );
$wpdb->delete( $wpdb->postmeta, array( 'post_id' => ${lost} ) );
delete_option( 'touchstone_run_pull' );
do_action( 'touchstone_pull' );`);
    await scene.runJobs();
    expect(await scene.service.operate('GET', `/api/v1/registry/products/${registryId}`)).toMatchObject({
      state: 'deleted',
    });
  });

  it('prints untrusted text as data, in pages and on the settings page', async () => {
    const evil = `</script><script>alert(1)</script>"'&<!--\u2028`;
    const id = await scene.save(
      { post_title: `Evil "' &`, post_name: 'evil' },
      { _price: '1', _sku: `SKU${evil}`, _product_attributes: [{ name: 'Colour', value: evil }] },
    );
    await scene.runJobs();
    const html = await page('/product/evil/');
    expect(certificatesIn(html)).toHaveLength(1);
    expect(html.slice(html.indexOf('data-touchstone'))).not.toContain('alert(1)</script>');
    expect(await scene.check('/product/evil/')).toMatchObject({ verdict: 'verified' });
    // also if other code changed the metadata
    await scene.site.evaluate(`
$document = json_decode( get_post_meta( ${id}, '_touchstone_document', true ), true );
$document['x'] = '</script><script>alert(2)</script>';
update_post_meta( ${id}, '_touchstone_document', wp_slash( json_encode( $document, JSON_UNESCAPED_SLASHES ) ) );`);
    expect(await page('/product/evil/')).not.toContain('<script>alert(2)');
    // a row that the service rejects, with its reason on the settings page
    const long = await scene.save({ post_title: `Long ${evil}`, post_name: 'long' });
    await scene.site.evaluate(`
add_filter( 'touchstone_product_row', function ( $row ) { $row['url'] = 'http://elsewhere.example/<script>alert(3)</script>'; return $row; } );
global $wpdb; $wpdb->query( "UPDATE {$wpdb->prefix}touchstone_queue SET due_at = 0" );
do_action( 'touchstone_send' );`);
    expect(await meta(long, 'state')).toBe('error');
    const admin = await scene.adminPage();
    expect(admin).toContain('Not certified');
    expect(admin).toContain('not a domain of this store');
    expect(admin).not.toContain('<script>alert(');
    expect(admin).not.toContain(scene.apiKey);
    await scene.site.evaluate(`wp_delete_post( ${long}, true ); wp_delete_post( ${id}, true );`);
    await scene.runJobs();
  });

  it('sends no request while a page is rendered: with an unreachable service it is the same byte for byte', async () => {
    const before = await page('/product/cup/');
    await scene.site.evaluate(`
update_option( 'touchstone_settings', array_merge( get_option( 'touchstone_settings' ), array( 'service' => 'http://127.0.0.1:9' ) ) );`);
    expect(await page('/product/cup/')).toBe(before);
    const asked = await scene.site.evaluate<number>(`
$asked = 0;
add_filter( 'pre_http_request', function () use ( &$asked ) { $asked++; return new WP_Error( 'no', 'no' ); } );
global $wp_query; $wp_query = new WP_Query( array( 'p' => ${cup}, 'post_type' => 'product' ) );
ob_start(); do_action( 'wp_head' ); do_action( 'wp_footer' ); ob_end_clean();
return $asked;`);
    expect(asked).toBe(0);
    // jobs wait longer each time, and the merchant sees the reason
    await scene.site.evaluate(`do_action( 'touchstone_pull' );`);
    const first = await scene.site.evaluate<Record<string, number>>(
      `return get_option( 'touchstone_run_pull' );`,
    );
    expect(first).toMatchObject({ failures: 1, word: 'unreachable' });
    await scene.site.evaluate(`do_action( 'touchstone_pull' );`);
    expect(await scene.site.evaluate(`return get_option( 'touchstone_run_pull' )['failures'];`)).toBe(1);
    expect(await scene.press('pull')).toContain('The service does not answer');
    expect(await scene.site.evaluate(`return get_option( 'touchstone_run_pull' )['failures'];`)).toBe(2);
    await scene.site.evaluate(`
update_option( 'touchstone_settings', array_merge( get_option( 'touchstone_settings' ), array( 'service' => '${scene.service.url}' ) ) );`);
    expect(await scene.press('pull')).toContain('Done.');
    expect(await scene.site.evaluate(`return get_option( 'touchstone_run_pull' )['failures'];`)).toBe(0);
  });

  it('downloads when the service notifies it, and accepts notices from nobody else', async () => {
    const secret = Buffer.from('a secret of thirty-two characters').toString('base64');
    await scene.runJobs();
    await scene.site.evaluate(`update_option( 'touchstone_notice_secret', 'whsec_${secret}', false );`);
    const send = (id: string, at: number, signedBody: string, body = signedBody) => {
      const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
        .update(`${id}.${at}.${signedBody}`)
        .digest('base64');
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,AAAA v1,${signature}`,
      };
      return scene.site.post('/wp-json/touchstone/v1/notices', body, headers);
    };
    const now = Math.floor(Date.now() / 1000);
    expect((await send('a', now, '{"type":"x"}', '{"type":"y"}')).status).toBe(401);
    expect((await send('a', now - 400, '{}')).status).toBe(401);
    expect(await scene.runJobs()).toEqual([]);
    expect((await send('a', now, '{"type":"certificate.renewed"}')).status).toBe(202);
    expect(await scene.runJobs()).toEqual(['pull']);
  });

  it('shows no certificates on a copy of the shop, and sends nothing from it', async () => {
    await scene.site.evaluate(`update_option( 'home', 'http://copy.example' );`);
    await scene.save({ ID: cup, post_title: 'Cup of the copy' });
    expect(await scene.runJobs()).toEqual([]);
    expect(certificatesIn(await page('/product/cup/'))).toEqual([]);
    await scene.site.evaluate(
      `update_option( 'home', 'http://woo.example' ); wp_update_post( array( 'ID' => ${cup}, 'post_title' => 'Cup' ) );`,
    );
    await scene.runJobs();
    expect(await scene.check('/product/cup/')).toMatchObject({ verdict: 'verified' });
  });

  it('reports pages that visitors receive differently, and that all is well otherwise', async () => {
    expect(await scene.press('check')).toContain('All pages that were checked are right.');
    // a cache contains a copy without the certificate
    await scene.site.evaluate(`
@mkdir( WP_CONTENT_DIR . '/mu-plugins' );
file_put_contents( WP_CONTENT_DIR . '/mu-plugins/cache.php', '<?php add_action( "template_redirect", function () { if ( is_singular( "product" ) ) { echo "<!doctype html><title>Old copy</title><h1>Cup</h1>"; exit; } } );' );
delete_option( 'touchstone_run_check' );`);
    const admin = await scene.press('check');
    expect(admin).toContain('no certificate <code>no_certificate</code>');
    expect(admin).toContain('Clear the page cache');
    await scene.site.evaluate(`unlink( WP_CONTENT_DIR . '/mu-plugins/cache.php' );`);
    expect(await scene.press('check')).toContain('All pages that were checked are right.');
  });

  it('refuses users without permission, and forms of other sites', async () => {
    await scene.site.evaluate(`wp_create_user( 'clerk', 'password', 'clerk@woo.example' );`);
    const cookie = await scene.site.logIn('clerk', 'password');
    const form = { action: 'touchstone_disconnect', _wpnonce: 'x' };
    expect((await scene.site.post('/wp-admin/admin-post.php', form, { cookie })).status).toBe(403);
    expect(
      (await scene.site.get('/wp-admin/admin.php?page=touchstone-certificates', { cookie })).status,
    ).toBe(403);
    const admin = await scene.site.logIn('admin', 'password');
    expect((await scene.site.post('/wp-admin/admin-post.php', form, { cookie: admin })).status).toBe(403);
    expect(await scene.site.evaluate(`return get_option( 'touchstone_api_key' );`)).toBe(scene.apiKey);
  });

  it('keeps the key and all that is large out of autoloaded options', async () => {
    const autoloaded = await scene.site.evaluate<Record<string, string>>(`
return array_filter( wp_load_alloptions( true ), function ( $name ) { return 0 === strpos( $name, 'touchstone_' ); }, ARRAY_FILTER_USE_KEY );`);
    expect(Object.keys(autoloaded).toSorted()).toEqual(['touchstone_settings', 'touchstone_table']);
    expect(JSON.stringify(autoloaded).length).toBeLessThan(600);
  });

  it('leaves nothing scheduled when it is deactivated, and nothing at all when it is deleted', async () => {
    const left = await scene.site.evaluate<{
      schedule: string[];
      options: number;
      meta: number;
      tables: number;
    }>(`
require_once ABSPATH . 'wp-admin/includes/plugin.php';
Touchstone\\Schedule::ensure_hourly();
deactivate_plugins( 'touchstone-certificates/touchstone-certificates.php' );
global $wpdb;
$schedule = array();
foreach ( _get_cron_array() as $events ) { foreach ( array_keys( $events ) as $hook ) { if ( 0 === strpos( $hook, 'touchstone_' ) ) { $schedule[] = $hook; } } }
define( 'WP_UNINSTALL_PLUGIN', 'touchstone-certificates/touchstone-certificates.php' );
require WP_PLUGIN_DIR . '/touchstone-certificates/uninstall.php';
return array(
  'schedule' => $schedule,
  'options'  => (int) $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->options WHERE option_name LIKE '%touchstone%' AND option_name NOT IN ('active_plugins', 'recently_activated', 'uninstall_plugins')" ),
  'meta'     => (int) $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->postmeta WHERE meta_key LIKE '%touchstone%'" ),
  'tables'   => count( $wpdb->get_col( "SHOW TABLES LIKE '%touchstone%'" ) ),
);`);
    expect(left).toEqual({ schedule: [], options: 0, meta: 0, tables: 0 });
  });

  it('and PHP logged nothing during these tests', () => {
    expect(scene.site.complaints()).toEqual([]);
  });
});
