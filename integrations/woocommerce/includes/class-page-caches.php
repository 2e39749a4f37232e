<?php
/**
 * Page caches.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Purges a product's page from every installed page cache, by that cache's own function or hook. */
final class Page_Caches {

	/** Addresses that Cloudflare accepts in one request. */
	const CLOUDFLARE_BATCH = 30;

	/**
	 * Addresses to purge at Cloudflare, by post id of the product.
	 *
	 * @var array<int, string>
	 */
	private $for_cloudflare = array();

	/**
	 * Purges a page.
	 *
	 * @param int    $post_id Post id of the product.
	 * @param string $url     Its address.
	 */
	public function purge( int $post_id, string $url ): void {
		try {
			if ( function_exists( 'rocket_clean_files' ) ) { // WP Rocket.
				rocket_clean_files( array( $url ) );
			}
			if ( function_exists( 'w3tc_flush_url' ) ) { // W3 Total Cache.
				w3tc_flush_url( $url );
			}
			if ( function_exists( 'wpsc_delete_url_cache' ) ) { // WP Super Cache.
				wpsc_delete_url_cache( $url );
			}
			if ( function_exists( 'wpfc_clear_post_cache_by_id' ) ) { // WP Fastest Cache.
				wpfc_clear_post_cache_by_id( $post_id );
			}
			do_action( 'litespeed_purge_url', $url ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals -- a hook of LiteSpeed Cache.
			/**
			 * For all other caches: the certificate on this page has changed.
			 *
			 * @param int    $post_id Post id of the product.
			 * @param string $url     Address of its page.
			 */
			do_action( 'touchstone_page_changed', $post_id, $url );
		} catch ( \Throwable $error ) {
			// An error in a cache must not keep certificates from other pages.
			unset( $error );
		}
		if ( null !== $this->cloudflare() ) {
			$this->for_cloudflare[ $post_id ] = $url;
			if ( count( $this->for_cloudflare ) >= self::CLOUDFLARE_BATCH ) {
				$this->finish();
			}
		}
	}

	/** Purges the collected addresses at Cloudflare in batches: a request for each page would take too long. */
	public function finish(): void {
		$plugin = $this->cloudflare();
		$urls   = array_values( $this->for_cloudflare );
		if ( null === $plugin || array() === $urls ) {
			return;
		}
		$post_id              = (int) array_key_first( $this->for_cloudflare );
		$this->for_cloudflare = array();
		$only_these           = static function () use ( $urls ) {
			return $urls;
		};
		add_filter( 'cloudflare_purge_by_url', $only_these, PHP_INT_MAX );
		try {
			$plugin->purgeCacheByRelevantURLs( $post_id );
		} catch ( \Throwable $error ) {
			unset( $error );
		}
		remove_filter( 'cloudflare_purge_by_url', $only_these, PHP_INT_MAX );
	}

	/**
	 * The object of Cloudflare's plugin that purges; null: not installed.
	 *
	 * @return object|null
	 */
	private function cloudflare() {
		$plugin = isset( $GLOBALS['cloudflareHooks'] ) ? $GLOBALS['cloudflareHooks'] : null;
		return is_object( $plugin ) && method_exists( $plugin, 'purgeCacheByRelevantURLs' ) ? $plugin : null;
	}
}
