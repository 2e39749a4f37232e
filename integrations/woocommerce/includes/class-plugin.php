<?php
/**
 * The plugin's composition.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Creates the parts and registers their hooks. */
final class Plugin {

	/** Starts the plugin. */
	public static function start(): void {
		add_action( 'before_woocommerce_init', array( self::class, 'declare_compatibility' ) );
		add_action( 'init', array( self::class, 'translate' ) );
		add_action( 'plugins_loaded', array( self::class, 'bind' ), 20 );
	}

	/** Declares compatibility with all order storages, since the plugin neither reads nor writes orders. */
	public static function declare_compatibility(): void {
		if ( class_exists( \Automattic\WooCommerce\Utilities\FeaturesUtil::class ) ) {
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', PLUGIN_FILE, true );
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'cart_checkout_blocks', PLUGIN_FILE, true );
		}
	}

	/** Loads the translations. */
	public static function translate(): void {
		load_plugin_textdomain( 'touchstone-certificates', false, dirname( plugin_basename( PLUGIN_FILE ) ) . '/languages' );
	}

	/** Creates the parts. */
	public static function bind(): void {
		if ( ! function_exists( 'wc_get_product' ) ) {
			add_action( 'admin_notices', array( self::class, 'ask_for_woocommerce' ) );
			return;
		}
		$settings     = new Settings();
		$client       = new Client( $settings );
		$queue        = new Queue();
		$caches       = new Page_Caches();
		$verification = new Verification( $settings );
		$certificates = new Certificates( $caches, $verification );
		$connection   = new Connection( $settings, $client );
		$sender       = new Sender( $settings, $client, $queue, $certificates );
		$puller       = new Puller( $settings, $client, $queue, $certificates, $verification );
		$checks       = new Page_Checks( $client, $certificates, $caches );
		$jobs         = new Jobs( $settings, $queue, $connection, $sender, $puller, $checks );

		$jobs->register();
		( new Product_Events( $settings, $queue, $certificates ) )->register();
		( new Page_Output( $settings, $certificates ) )->register();
		( new Badge( $settings, $certificates ) )->register();
		( new Notices( $settings ) )->register();
		if ( is_admin() ) {
			( new Admin_Page( $settings, $queue, $certificates, $verification ) )->register();
			( new Admin_Actions( $settings, $connection, $jobs ) )->register();
			add_action( 'admin_init', array( self::class, 'ensure' ) );
		}
	}

	/** Ensures that table and schedule exist: after an update, or on a new site of a network. */
	public static function ensure(): void {
		Queue::ensure();
		if ( ( new Settings() )->is_connected() ) {
			Schedule::ensure_hourly();
		}
	}

	/** Asks for WooCommerce, without which there are no products. */
	public static function ask_for_woocommerce(): void {
		if ( current_user_can( 'activate_plugins' ) ) {
			echo '<div class="notice notice-warning"><p>' . esc_html__( 'Touchstone Certificates needs WooCommerce: activate it.', 'touchstone-certificates' ) . '</p></div>';
		}
	}

	/** On activation. Other sites of a network get their table on first use. */
	public static function activate(): void {
		self::ensure();
	}

	/**
	 * On deactivation: removes all scheduled jobs. Settings and certificates stay until the plugin is deleted.
	 *
	 * @param bool $network_wide On all sites of a network.
	 */
	public static function deactivate( $network_wide = false ): void {
		if ( ! is_multisite() || ! $network_wide ) {
			Schedule::clear();
			return;
		}
		self::on_every_site( array( Schedule::class, 'clear' ) );
	}

	/**
	 * Calls a function on every site of a network, a hundred at a time.
	 *
	 * @param callable $what The function, without arguments.
	 */
	private static function on_every_site( $what ): void {
		$offset = 0;
		do {
			$sites = get_sites(
				array(
					'fields' => 'ids',
					'number' => 100,
					'offset' => $offset,
				)
			);
			foreach ( $sites as $site ) {
				switch_to_blog( (int) $site );
				$what();
				restore_current_blog();
			}
			$count   = count( $sites );
			$offset += 100;
		} while ( 100 === $count );
	}
}
