<?php
/**
 * The clock of the plugin, which tests set: PHP looks for a function in the namespace first.
 *
 * @package Touchstone
 */

namespace Touchstone;

// phpcs:disable -- a tool of the tests.

function time(): int {
	return \time() + (int) get_option( 'touchstone_clock_ahead', 0 );
}
