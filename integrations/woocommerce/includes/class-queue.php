<?php
/**
 * Queue of products to send to the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/**
 * A table of changes: one row per product, including deleted ones. Another change of a product replaces its row by one with a new number,
 * so that removing rows by number never removes later changes.
 */
final class Queue {

	/** Seconds since the last change of a product before it is sent. */
	const DEBOUNCE = 20;

	/** The table's name. */
	public static function table(): string {
		global $wpdb;
		return $wpdb->prefix . 'touchstone_queue';
	}

	/** Creates or updates the table. */
	public static function install(): void {
		global $wpdb;
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$table = self::table();
		dbDelta(
			"CREATE TABLE $table (
			id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
			product_id bigint(20) unsigned NOT NULL,
			registry_id varchar(36) NOT NULL DEFAULT '',
			due_at bigint(20) unsigned NOT NULL,
			PRIMARY KEY  (id),
			UNIQUE KEY product_id (product_id),
			KEY due_at (due_at)
			) " . $wpdb->get_charset_collate()
		);
		update_option( 'touchstone_table', VERSION, true );
	}

	/** Creates the table if it is missing after an update or on a new site of a network. */
	public static function ensure(): void {
		if ( VERSION !== get_option( 'touchstone_table' ) ) {
			self::install();
		}
	}

	/**
	 * Adds a product.
	 *
	 * @param int    $product_id  Post id of the product.
	 * @param string $registry_id Of a deleted product: its id at the service, where it will be deleted.
	 * @param int    $wait        Delay in seconds.
	 */
	public function add( int $product_id, string $registry_id = '', int $wait = self::DEBOUNCE ): void {
		global $wpdb;
		self::ensure();
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery
		$wpdb->replace(
			self::table(),
			array(
				'product_id'  => $product_id,
				'registry_id' => $registry_id,
				'due_at'      => time() + $wait,
			),
			array( '%d', '%s', '%d' )
		);
	}

	/**
	 * The rows that are due, oldest first.
	 *
	 * @param int $most Maximum rows.
	 * @return array<int, object{id: string, product_id: string, registry_id: string}>
	 */
	public function due( int $most ): array {
		global $wpdb;
		$table = self::table();
		return (array) $wpdb->get_results( $wpdb->prepare( "SELECT id, product_id, registry_id FROM $table WHERE due_at <= %d ORDER BY id LIMIT %d", time(), $most ) ); // phpcs:ignore WordPress.DB
	}

	/**
	 * Removes rows.
	 *
	 * @param array<int, int> $ids Their numbers.
	 */
	public function remove( array $ids ): void {
		global $wpdb;
		$table = self::table();
		foreach ( array_chunk( array_map( 'intval', $ids ), 500 ) as $some ) {
			$wpdb->query( "DELETE FROM $table WHERE id IN (" . implode( ',', $some ) . ')' ); // phpcs:ignore WordPress.DB
		}
	}

	/** The number of rows. */
	public function length(): int {
		global $wpdb;
		$table = self::table();
		return (int) $wpdb->get_var( "SELECT COUNT(*) FROM $table" ); // phpcs:ignore WordPress.DB
	}
}
