import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site, whyNoWordPress } from './site.ts';

/** Turns the site into a network, as WordPress's own page for that does. */
const TABLES = `
global $wpdb;
define( 'WP_INSTALLING_NETWORK', true );
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
foreach ( $wpdb->tables( 'ms_global' ) as $table => $name ) { $wpdb->$table = $name; }
install_network();
populate_network( 1, 'woo.example', 'admin@woo.example', 'Woo', '/', false );
$config = file_get_contents( ABSPATH . 'wp-config.php' );
$constants = "define( 'MULTISITE', true ); define( 'SUBDOMAIN_INSTALL', false ); define( 'DOMAIN_CURRENT_SITE', 'woo.example' );
define( 'PATH_CURRENT_SITE', '/' ); define( 'SITE_ID_CURRENT_SITE', 1 ); define( 'BLOG_ID_CURRENT_SITE', 1 );\\n";
file_put_contents( ABSPATH . 'wp-config.php', str_replace( '$table_prefix', $constants . '$table_prefix', $config ) );
return true;`;

/** Data that the plugin left on each site. */
const LEFT = `
global $wpdb;
$left = array();
foreach ( get_sites( array( 'fields' => 'ids' ) ) as $site ) {
	switch_to_blog( $site );
	$hooks = array();
	foreach ( _get_cron_array() as $events ) { $hooks = array_merge( $hooks, array_keys( $events ) ); }
	$left[] = array(
		'hooks'   => count( preg_grep( '/^touchstone_/', $hooks ) ),
		'options' => (int) $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->options WHERE option_name LIKE 'touchstone\\\\_%'" ),
		'meta'    => (int) $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->postmeta WHERE meta_key LIKE '\\\\_touchstone\\\\_%'" ),
		'tables'  => count( $wpdb->get_col( "SHOW TABLES LIKE '{$wpdb->prefix}touchstone_queue'" ) ),
	);
	restore_current_blog();
}
return $left;`;

describe.skipIf(whyNoWordPress() !== null)('the WooCommerce plugin in a multisite network', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    await site.evaluate(TABLES);
  });
  afterAll(() => site?.close());

  const load = "require_once ABSPATH . 'wp-admin/includes/plugin.php';";
  const plugin = "'touchstone-certificates/touchstone-certificates.php'";

  it('is activated for all, and each site has settings, queue and schedule of its own', async () => {
    await site.evaluate(`${load}
activate_plugin( 'woocommerce/woocommerce.php', '', true );
activate_plugin( ${plugin}, '', true );
return wp_insert_site( array( 'domain' => 'woo.example', 'path' => '/second/', 'title' => 'Second', 'user_id' => 1 ) );`);
    const left = await site.evaluate<object[]>(`
foreach ( get_sites( array( 'fields' => 'ids' ) ) as $id ) {
	switch_to_blog( $id );
	Touchstone\\Plugin::ensure();
	( new Touchstone\\Settings() )->change( array( 'store' => 'of-' . $id, 'home' => untrailingslashit( home_url() ) ) );
	( new Touchstone\\Settings() )->keep_api_key( 'key-' . $id );
	Touchstone\\Schedule::ensure_hourly();
	$product = stand_in_save_product( array( 'post_title' => 'Cup of ' . $id ) );
	update_post_meta( $product, '_touchstone_document', '{}' );
	restore_current_blog();
}
${LEFT}`);
    expect(left).toHaveLength(2);
    for (const one of left) expect(one).toMatchObject({ meta: 1, tables: 1 });
    const stores = await site.evaluate<string[]>(`
return array_map( function ( $id ) { return get_blog_option( $id, 'touchstone_settings' )['store']; }, array( 1, 2 ) );`);
    expect(stores).toEqual(['of-1', 'of-2']);
  });

  it('leaves nothing scheduled on any site when it is deactivated, and nothing at all when it is deleted', async () => {
    const before = await site.evaluate<{ hooks: number; options: number }[]>(LEFT);
    for (const { hooks, options } of before) expect([hooks > 0, options > 0]).toEqual([true, true]);
    const deactivated = await site.evaluate<object[]>(`${load}
deactivate_plugins( ${plugin}, false, true );
${LEFT}`);
    for (const one of deactivated) expect(one).toMatchObject({ hooks: 0, meta: 1, tables: 1 });
    await site.evaluate(`define( 'WP_UNINSTALL_PLUGIN', ${plugin} );
require WP_PLUGIN_DIR . '/touchstone-certificates/uninstall.php';`);
    const nothing = { hooks: 0, options: 0, meta: 0, tables: 0 };
    expect(await site.evaluate(LEFT)).toEqual([nothing, nothing]);
    expect(site.complaints()).toEqual([]);
  });
});
