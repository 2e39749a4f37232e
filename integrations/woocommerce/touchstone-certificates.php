<?php
/**
 * Plugin Name:          Touchstone Certificates for WooCommerce
 * Description:          Puts a signed certificate on every product page and renews it automatically.
 * Version:              0.0.0-development
 * Requires at least:    6.2
 * Tested up to:         6.5
 * Requires PHP:         7.4
 * Requires Plugins:     woocommerce
 * WC requires at least: 7.0
 * WC tested up to:      9.4
 * License:              GPL-2.0-or-later
 * License URI:          https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:          touchstone-certificates
 * Domain Path:          /languages
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

const VERSION     = '0.0.0-development';
const PLUGIN_FILE = __FILE__;

if ( is_readable( __DIR__ . '/lib/certificate/autoload.php' ) ) {
	require __DIR__ . '/lib/certificate/autoload.php';
}
require __DIR__ . '/includes/class-fault.php';
require __DIR__ . '/includes/class-settings.php';
require __DIR__ . '/includes/class-run.php';
require __DIR__ . '/includes/class-schedule.php';
require __DIR__ . '/includes/class-client.php';
require __DIR__ . '/includes/class-queue.php';
require __DIR__ . '/includes/class-page-caches.php';
require __DIR__ . '/includes/class-verification.php';
require __DIR__ . '/includes/class-certificates.php';
require __DIR__ . '/includes/class-product-row.php';
require __DIR__ . '/includes/class-connection.php';
require __DIR__ . '/includes/class-sender.php';
require __DIR__ . '/includes/class-puller.php';
require __DIR__ . '/includes/class-page-checks.php';
require __DIR__ . '/includes/class-jobs.php';
require __DIR__ . '/includes/class-product-events.php';
require __DIR__ . '/includes/class-page-output.php';
require __DIR__ . '/includes/class-badge.php';
require __DIR__ . '/includes/class-notices.php';
require __DIR__ . '/includes/class-overview.php';
require __DIR__ . '/includes/class-reasons.php';
require __DIR__ . '/includes/class-admin-actions.php';
require __DIR__ . '/includes/class-admin-page.php';
require __DIR__ . '/includes/class-plugin.php';

register_activation_hook( __FILE__, array( Plugin::class, 'activate' ) );
register_deactivation_hook( __FILE__, array( Plugin::class, 'deactivate' ) );
Plugin::start();
