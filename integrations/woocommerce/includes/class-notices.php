<?php
/**
 * Notices of the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/**
 * Takes webhooks in the Standard Webhooks form. Whatever one says, certificates are pulled: so a notice that comes twice, late
 * or out of order does no harm, and one that never comes is made up for by the daily pull.
 */
final class Notices {

	const ROUTE = '/notices';
	const SPACE = 'touchstone/v1';

	/** Seconds that a notice may be old, or a clock wrong. */
	const TOLERANCE = 300;

	/**
	 * The secret.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * Opens it.
	 *
	 * @param Settings $settings The secret.
	 */
	public function __construct( Settings $settings ) {
		$this->settings = $settings;
	}

	/** Binds it to its hook. */
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

	/** Where the service sends them. */
	public static function address(): string {
		return rest_url( self::SPACE . self::ROUTE );
	}

	/** Has certificates pulled. */
	public function take(): \WP_REST_Response {
		Schedule::soon( 'touchstone_pull', 5 );
		return new \WP_REST_Response( null, 202 );
	}

	/**
	 * Whether the service sent it, lately.
	 *
	 * @param \WP_REST_Request $request What came.
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
