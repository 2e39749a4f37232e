<?php
/**
 * Webhooks of the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/**
 * Receives webhooks in the Standard Webhooks format. Each triggers a pull, whatever its content: so repeated, late or unordered webhooks do
 * no harm, and the hourly pull makes up for lost ones.
 */
final class Notices {

	const ROUTE = '/notices';
	const SPACE = 'touchstone/v1';

	/** Maximum age of a webhook, or deviation of clocks, in seconds. */
	const TOLERANCE = 300;

	/**
	 * The settings, which contain the secret.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * Constructor.
	 *
	 * @param Settings $settings The settings, which contain the secret.
	 */
	public function __construct( Settings $settings ) {
		$this->settings = $settings;
	}

	/** Registers the hook. */
	public function register(): void {
		add_action(
			'rest_api_init',
			function () {
				register_rest_route(
					self::SPACE,
					self::ROUTE,
					array(
						'methods'             => 'POST',
						'callback'            => array( $this, 'take' ),
						'permission_callback' => array( $this, 'is_signed' ),
					)
				);
			}
		);
	}

	/** The address to which the service sends them. */
	public static function address(): string {
		return rest_url( self::SPACE . self::ROUTE );
	}

	/** Schedules a pull of certificates. */
	public function take(): \WP_REST_Response {
		Schedule::soon( 'touchstone_pull', 5 );
		return new \WP_REST_Response( null, 202 );
	}

	/**
	 * Whether the request was signed by the service, recently.
	 *
	 * @param \WP_REST_Request $request The request.
	 */
	public function is_signed( $request ): bool {
		$secret = base64_decode( (string) preg_replace( '/^whsec_/', '', $this->settings->notice_secret() ), true ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		$id     = (string) $request->get_header( 'webhook-id' );
		$time   = (string) $request->get_header( 'webhook-timestamp' );
		if ( ! is_string( $secret ) || strlen( $secret ) < 16 || '' === $id || ! ctype_digit( $time ) || abs( time() - (int) $time ) > self::TOLERANCE ) {
			return false;
		}
		$expected = base64_encode( hash_hmac( 'sha256', "$id.$time." . $request->get_body(), $secret, true ) ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		foreach ( explode( ' ', (string) $request->get_header( 'webhook-signature' ) ) as $signature ) {
			if ( hash_equals( 'v1,' . $expected, $signature ) ) {
				return true;
			}
		}
		return false;
	}
}
