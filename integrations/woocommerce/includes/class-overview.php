<?php
/**
 * State of the shop's products.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Counts products by state, and lists those without a certificate. */
final class Overview {

	/** States of products without a problem. */
	const FINE = array( 'active', 'hidden' );

	/**
	 * Published products by state: `certified` have a valid certificate, `waiting` have none yet, `unsent` were not sent yet.
	 *
	 * @return array<string, int>
	 */
	public static function counts(): array {
		global $wpdb;
		$published = "p.post_type = 'product' AND p.post_status = 'publish'";
		// phpcs:disable WordPress.DB
		$rows      = $wpdb->get_results( $wpdb->prepare( "SELECT m.meta_value AS state, COUNT(*) AS products FROM $wpdb->posts p LEFT JOIN $wpdb->postmeta m ON m.post_id = p.ID AND m.meta_key = %s WHERE $published GROUP BY m.meta_value", Certificates::STATE ) );
		$certified = (int) $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM $wpdb->posts p JOIN $wpdb->postmeta m ON m.post_id = p.ID AND m.meta_key = %s WHERE $published AND m.meta_value > %s", Certificates::REPLACE_BY, (string) time() ) );
		// phpcs:enable
		$counts = array( 'published' => 0 );
		foreach ( (array) $rows as $row ) {
			$state                = null === $row->state ? 'unsent' : (string) $row->state;
			$counts[ $state ]     = (int) $row->products;
			$counts['published'] += (int) $row->products;
		}
		$counts['certified'] = $certified;
		$counts['waiting']   = max( 0, ( isset( $counts['active'] ) ? $counts['active'] : 0 ) - $certified );
		unset( $counts['active'] );
		return $counts;
	}

	/**
	 * Products whose certificate is not printed, since it is not valid on their page.
	 *
	 * @param int $size Maximum number.
	 * @return array<int, int>
	 */
	public static function not_printed( int $size ): array {
		global $wpdb;
		// phpcs:ignore WordPress.DB
		return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT p.ID FROM $wpdb->posts p JOIN $wpdb->postmeta m ON m.post_id = p.ID AND m.meta_key = %s WHERE p.post_type = 'product' AND p.post_status = 'publish' ORDER BY p.ID LIMIT %d", Certificates::UNPRINTED, $size ) ) );
	}

	/**
	 * Products that the service does not certify, with their states.
	 *
	 * @param int $page From 1.
	 * @param int $size Products per page.
	 * @return array<int, object{ID: string, state: string}>
	 */
	public static function not_certified( int $page, int $size ): array {
		global $wpdb;
		// phpcs:ignore WordPress.DB
		return (array) $wpdb->get_results( $wpdb->prepare( "SELECT p.ID, m.meta_value AS state FROM $wpdb->posts p JOIN $wpdb->postmeta m ON m.post_id = p.ID AND m.meta_key = %s WHERE p.post_type = 'product' AND p.post_status = 'publish' AND m.meta_value NOT IN ('active') ORDER BY p.ID LIMIT %d OFFSET %d", Certificates::STATE, $size, ( $page - 1 ) * $size ) );
	}
}
