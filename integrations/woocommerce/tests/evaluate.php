<?php
/**
 * Runs PHP from standard input inside WordPress and prints what it returns as JSON, on the last line.
 *
 *     php evaluate.php <folder of WordPress> < code
 *
 * @package Touchstone
 */

// phpcs:disable -- a tool of the tests.

$_SERVER['HTTP_HOST']       = 'woo.example';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_URI']     = '/';
$_SERVER['REQUEST_METHOD']  = 'GET';
require $argv[1] . '/wp-load.php';
// Needs no durability: the folder is deleted after the test.
$GLOBALS['@pdo']->exec( 'PRAGMA synchronous = OFF' );

/** Runs the plugin's scheduled jobs, whenever they are due, until only the hourly one is left. */
function touchstone_run_jobs( $rounds = 20 ) {
	global $wpdb;
	$ran = array();
	for ( $round = 0; $round < $rounds; $round++ ) {
		$wpdb->query( "UPDATE {$wpdb->prefix}touchstone_queue SET due_at = 0" );
		$hooks = array();
		foreach ( _get_cron_array() as $time => $events ) {
			foreach ( array_keys( $events ) as $hook ) {
				if ( 0 === strpos( $hook, 'touchstone_' ) && 'touchstone_hourly' !== $hook ) {
					wp_unschedule_event( $time, $hook );
					$hooks[] = $hook;
				}
			}
		}
		if ( function_exists( 'stand_in_actions' ) ) {
			$kept = array();
			foreach ( stand_in_actions() as $action ) {
				if ( 'touchstone_hourly' === $action['hook'] ) {
					$kept[] = $action;
				} else {
					$hooks[] = $action['hook'];
				}
			}
			update_option( 'stand_in_actions', $kept, false );
		}
		if ( array() === $hooks ) {
			break;
		}
		foreach ( array_unique( $hooks ) as $hook ) {
			do_action( $hook );
			$ran[] = substr( $hook, 11 );
		}
	}
	return $ran;
}

$result = eval( stream_get_contents( STDIN ) );
echo "\n" . json_encode( $result, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE ) . "\n";
