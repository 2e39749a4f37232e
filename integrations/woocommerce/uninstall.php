<?php
/**
 * Removes all data of the plugin when it is deleted. The data at the service stays there: the merchant may come back.
 *
 * @package Touchstone
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Deletes the webhook; if the service does not answer, it stops by itself after failed deliveries. */
function touchstone_end_notices() {
	$settings = get_option( 'touchstone_settings' );
	if ( empty( $settings['webhook'] ) || empty( $settings['service'] ) || untrailingslashit( home_url() ) !== $settings['home'] ) {
		return;
	}
	wp_remote_request(
		$settings['service'] . '/api/v1/registry/webhooks/' . rawurlencode( $settings['webhook'] ),
		array(
			'method'      => 'DELETE',
			'timeout'     => 5,
			'redirection' => 0,
			'headers'     => array( 'authorization' => 'Bearer ' . get_option( 'touchstone_api_key' ) ),
		)
	);
}

/** Removes the data of one site. */
function touchstone_uninstall_site() {
	global $wpdb;
	touchstone_end_notices();
	$hooks = array( 'touchstone_hourly', 'touchstone_connect', 'touchstone_send', 'touchstone_send_all', 'touchstone_pull', 'touchstone_check' );
	foreach ( $hooks as $hook ) {
		wp_unschedule_hook( $hook );
		if ( function_exists( 'as_unschedule_all_actions' ) ) {
			as_unschedule_all_actions( $hook );
		}
	}
	// phpcs:disable WordPress.DB
	do {
		// In batches: a large shop has a million rows, and other requests must not be blocked.
		$ids   = $wpdb->get_col( $wpdb->prepare( "SELECT meta_id FROM $wpdb->postmeta WHERE meta_key LIKE %s LIMIT 5000", $wpdb->esc_like( '_touchstone_' ) . '%' ) );
		$count = count( $ids );
		if ( $count > 0 ) {
			$wpdb->query( "DELETE FROM $wpdb->postmeta WHERE meta_id IN (" . implode( ',', array_map( 'intval', $ids ) ) . ')' );
		}
	} while ( 5000 === $count );
	foreach ( array( 'touchstone_', '_transient_touchstone_', '_transient_timeout_touchstone_' ) as $prefix ) {
		$names = $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s", $wpdb->esc_like( $prefix ) . '%' ) );
		array_map( 'delete_option', $names );
	}
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}touchstone_queue" );
	$actions = $wpdb->prefix . 'actionscheduler_actions';
	if ( $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $actions ) ) ) === $actions ) {
		$ours = $wpdb->esc_like( 'touchstone_' ) . '%';
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->prefix}actionscheduler_logs WHERE action_id IN (SELECT action_id FROM $actions WHERE hook LIKE %s)", $ours ) );
		$wpdb->query( $wpdb->prepare( "DELETE FROM $actions WHERE hook LIKE %s", $ours ) );
		$wpdb->query( "DELETE FROM {$wpdb->prefix}actionscheduler_groups WHERE slug = 'touchstone'" );
	}
	// phpcs:enable
	wp_cache_flush();
}

if ( is_multisite() ) {
	$touchstone_offset = 0;
	do {
		$touchstone_sites = get_sites(
			array(
				'fields' => 'ids',
				'number' => 100,
				'offset' => $touchstone_offset,
			)
		);
		foreach ( $touchstone_sites as $touchstone_site ) {
			switch_to_blog( (int) $touchstone_site );
			touchstone_uninstall_site();
			restore_current_blog();
		}
		$touchstone_count   = count( $touchstone_sites );
		$touchstone_offset += 100;
	} while ( 100 === $touchstone_count );
} else {
	touchstone_uninstall_site();
}
