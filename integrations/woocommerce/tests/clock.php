<?php
/**
 * A clock that tests can set: PHP looks for functions in the plugin's namespace first.
 *
 * @package Touchstone
 */

namespace Touchstone;

// phpcs:disable -- a tool of the tests.

function time(): int {
	return \time() + (int) get_option( 'touchstone_clock_ahead', 0 );
}
