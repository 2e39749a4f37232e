<?php
/**
 * Products that wait to be told to the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/**
 * A table of what changed: one row a product, and those that are gone. A product that changes again gets a new row in place of
 * its old one, so what is taken out by its number is never what came since.
 */
final class Queue {

	/** Seconds that a product must not have changed for. */
	const DEBOUNCE = 20;

	/** The table's name. */
	public static function table(): string {
		global $wpdb;
		return $wpdb->prefix . 'touchstone_queue';
	}

	/** Makes the table, or brings it in line. */
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

	/** Makes the table where an update or a new site of a network lacks it. */
	public static function ensure(): void {
		if ( VERSION !== get_option( 'touchstone_table' ) ) {
			self::install();
		}
	}

	/**
	 * Puts a product into it.
	 *
	 * @param int    $product_id  Its post.
	 * @param string $registry_id Of a product that is gone: its id at the service, where it is to be deleted.
	 * @param int    $wait        Seconds.
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
	 * What is due, oldest first.
	 *
	 * @param int $most Rows.
	 * @return array<int, object{id: string, product_id: string, registry_id: string}>
	 */
	public function due( int $most ): array {
		global $wpdb;
		$table = self::table();
		return (array) $wpdb->get_results( $wpdb->prepare( "SELECT id, product_id, registry_id FROM $table WHERE due_at <= %d ORDER BY id LIMIT %d", time(), $most ) ); // phpcs:ignore WordPress.DB
	}

	/**
	 * Takes rows out.
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

	/** How many wait. */
	public function length(): int {
		global $wpdb;
		$table = self::table();
		return (int) $wpdb->get_var( "SELECT COUNT(*) FROM $table" ); // phpcs:ignore WordPress.DB
	}
}
