<?php
/**
 * Checks of the pages that visitors receive.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Lets the service check a few of the shop's pages from outside, as visitors see them: a cache may serve an old copy. */
final class Page_Checks {

	/** Pages per hour; the service allows ten per minute from one address. */
	const PAGES = 2;

	/** Verdicts for a page whose content differs from the stored certificate. */
	const STALE = array( 'no_certificate', 'certificate_expired', 'checks_failed', 'unverified', 'canonical_mismatch', 'invalid_certificate' );

	/**
	 * The client of the service.
	 *
	 * @var Client
	 */
	private $client;

	/**
	 * The stored certificates.
	 *
	 * @var Certificates
	 */
	private $certificates;

	/**
	 * Page caches.
	 *
	 * @var Page_Caches
	 */
	private $caches;

	/**
	 * Constructor.
	 *
	 * @param Client       $client       The client of the service.
	 * @param Certificates $certificates The stored certificates.
	 * @param Page_Caches  $caches       The page caches to purge.
	 */
	public function __construct( Client $client, Certificates $certificates, Page_Caches $caches ) {
		$this->client       = $client;
		$this->certificates = $certificates;
		$this->caches       = $caches;
	}

	/**
	 * Checks the next pages in turn, and again those with a problem.
	 *
	 * @throws Fault If the service cannot check pages now.
	 */
	public function check(): void {
		$run   = new Run( 'check' );
		$state = $run->read();
		$after = isset( $state['after'] ) ? (int) $state['after'] : 0;
		$next  = self::certified_after( $after, self::PAGES );
		foreach ( array_unique( array_merge( self::wrong( self::PAGES ), $next ) ) as $product_id ) {
			$this->check_page( $product_id );
		}
		$run->change( array( 'after' => count( $next ) < self::PAGES ? 0 : (int) end( $next ) ) );
		$this->caches->finish();
	}

	/**
	 * Checks one page.
	 *
	 * @param int $product_id Post id of the product.
	 * @return string The verdict, or `redirected`; empty: it has no certificate.
	 * @throws Fault If the service cannot check pages now.
	 */
	public function check_page( int $product_id ): string {
		if ( '' === $this->certificates->for_page( $product_id ) ) {
			delete_post_meta( $product_id, Certificates::CHECKED );
			return '';
		}
		$url     = (string) get_permalink( $product_id );
		$report  = $this->client->call(
			'POST',
			'/api/v1/mc4p/page-checks',
			array(
				'url'       => $url,
				'freshness' => 'fresh',
			),
			40
		);
		$verdict = isset( $report['verdict'] ) ? (string) $report['verdict'] : '';
		if ( in_array( $verdict, self::STALE, true ) ) {
			$this->caches->purge( $product_id, $url );
		}
		$why = '';
		foreach ( array( 'errors', 'warnings' ) as $list ) {
			if ( '' === $why && isset( $report[ $list ][0] ) && is_string( $report[ $list ][0] ) ) {
				$why = mb_substr( $report[ $list ][0], 0, 300 );
			}
		}
		// Another page was verified, to which this one redirects.
		if ( 'verified' === $verdict && 1 === preg_match( '/^redirected_to_another_(host|page):/', $why ) ) {
			$verdict = 'redirected';
		}
		$this->certificates->put(
			$product_id,
			Certificates::CHECKED,
			(string) wp_json_encode(
				array(
					'verdict' => $verdict,
					'at'      => time(),
					'why'     => 'verified' === $verdict ? '' : $why,
				)
			)
		);
		return $verdict;
	}

	/**
	 * Certified products in the order of their ids.
	 *
	 * @param int $after The last checked id.
	 * @param int $most  Maximum number.
	 * @return array<int, int>
	 */
	private static function certified_after( int $after, int $most ): array {
		global $wpdb;
		// phpcs:ignore WordPress.DB
		return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT p.ID FROM $wpdb->posts p JOIN $wpdb->postmeta m ON m.post_id = p.ID AND m.meta_key = %s WHERE p.post_type = 'product' AND p.post_status = 'publish' AND p.ID > %d ORDER BY p.ID LIMIT %d", Certificates::REPLACE_BY, $after, $most ) ) );
	}

	/** Whether any page was checked. */
	public static function has_any(): bool {
		global $wpdb;
		// phpcs:ignore WordPress.DB
		return null !== $wpdb->get_var( $wpdb->prepare( "SELECT 1 FROM $wpdb->postmeta WHERE meta_key = %s LIMIT 1", Certificates::CHECKED ) );
	}

	/**
	 * Products whose last page check found a problem.
	 *
	 * @param int $most Maximum number.
	 * @return array<int, int>
	 */
	public static function wrong( int $most ): array {
		global $wpdb;
		// phpcs:ignore WordPress.DB
		return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT post_id FROM $wpdb->postmeta WHERE meta_key = %s AND meta_value NOT LIKE %s ORDER BY meta_id LIMIT %d", Certificates::CHECKED, '%"verdict":"verified"%', $most ) ) );
	}
}
