<?php
/**
 * Serves WordPress with PHP's own web server: existing files directly, everything else by WordPress.
 *
 * @package Touchstone
 */

// phpcs:disable -- a tool of the tests.

$path = parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
$file = $_SERVER['DOCUMENT_ROOT'] . $path;
if ( '/' !== $path && is_file( $file ) ) {
	return false;
}
if ( is_file( rtrim( $file, '/' ) . '/index.php' ) && '/' !== $path ) {
	return false;
}
$_SERVER['SCRIPT_NAME'] = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
