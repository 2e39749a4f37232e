<?php
/**
 * A page cache for tests: serves a product's page as first requested, until it is purged; entries never expire. The header `X-Past-Cache`
 * bypasses it. Purges by the plugin are counted.
 *
 * @package Touchstone
 */

// phpcs:disable -- a tool of the tests.

namespace Touchstone_Page_Cache;

const FOLDER = WP_CONTENT_DIR . '/cache';

function file_of( $address ) {
	return FOLDER . '/' . md5( trim( (string) parse_url( $address, PHP_URL_PATH ), '/' ) ) . '.html';
}

function purge( $address ) {
	if ( is_file( file_of( $address ) ) ) {
		unlink( file_of( $address ) );
	}
}

function purge_post( $id ) {
	if ( 'product' === get_post_type( $id ) ) {
		purge( get_permalink( $id ) );
	}
}

function count_one( $what ) {
	file_put_contents( WP_CONTENT_DIR . '/counted.log', $what . "\n", FILE_APPEND | LOCK_EX );
}

add_action( 'pre_post_update', __NAMESPACE__ . '\purge_post' );
add_action( 'before_delete_post', __NAMESPACE__ . '\purge_post' );
add_action( 'save_post_product', __NAMESPACE__ . '\purge_post' );
add_action(
	'touchstone_page_changed',
	function ( $id, $address ) {
		purge( $address );
		count_one( 'purge' );
	},
	10,
	2
);
add_filter(
	'rest_post_dispatch',
	function ( $answer, $server, $request ) {
		if ( '/touchstone/v1/notices' === $request->get_route() ) {
			count_one( 'notice ' . $answer->get_status() );
		}
		return $answer;
	},
	10,
	3
);

if ( 'GET' === $_SERVER['REQUEST_METHOD'] && 0 === strpos( $_SERVER['REQUEST_URI'], '/product/' ) && ! isset( $_SERVER['HTTP_X_PAST_CACHE'] ) ) {
	$file = file_of( $_SERVER['REQUEST_URI'] );
	if ( is_file( $file ) ) {
		header( 'content-type: text/html; charset=UTF-8' );
		readfile( $file );
		exit;
	}
	ob_start(
		function ( $page ) use ( $file ) {
			if ( 200 === http_response_code() && '' !== $page ) {
				file_put_contents( $file . getmypid(), $page );
				rename( $file . getmypid(), $file );
			}
			return $page;
		}
	);
}
