<?php
/**
 * Settings of the merchant, and data of the service about the shop.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** The plugin's settings. The API key and the secret are stored separately, not autoloaded, and never printed. */
final class Settings {

	const OPTION = 'touchstone_settings';
	const KEY    = 'touchstone_api_key';
	const SECRET = 'touchstone_notice_secret';

	const DEFAULTS = array(
		'service'   => '', // Address of the service, without a trailing slash.
		'store'     => '', // Id of the shop at the service.
		'home'      => '', // Address of this shop when it was connected.
		'challenge' => '', // Printed on the home page.
		'proven'    => false,
		'webhook'   => '', // Id of the webhook for new certificates.
		'notices'   => '', // Address that the webhook calls.
		'badge'     => false, // Whether product pages show the badge.
	);

	/**
	 * All settings except the secrets.
	 *
	 * @return array<string, mixed>
	 */
	public function all(): array {
		$stored = get_option( self::OPTION, array() );
		return array_merge( self::DEFAULTS, is_array( $stored ) ? $stored : array() );
	}

	/**
	 * A setting.
	 *
	 * @param string $name A key of DEFAULTS.
	 * @return mixed
	 */
	public function get( string $name ) {
		return $this->all()[ $name ];
	}

	/**
	 * Changes settings.
	 *
	 * @param array<string, mixed> $changes New values by name.
	 */
	public function change( array $changes ): void {
		update_option( self::OPTION, array_merge( $this->all(), $changes ), true );
	}

	/** The merchant's API key; empty: none. */
	public function api_key(): string {
		return (string) get_option( self::KEY, '' );
	}

	/**
	 * Stores the merchant's API key.
	 *
	 * @param string $key The key.
	 */
	public function keep_api_key( string $key ): void {
		update_option( self::KEY, $key, false );
	}

	/** The key of webhook signatures; empty: no webhooks are accepted. */
	public function notice_secret(): string {
		return (string) get_option( self::SECRET, '' );
	}

	/**
	 * Stores the key of webhook signatures.
	 *
	 * @param string $secret With or without `whsec_`.
	 */
	public function keep_notice_secret( string $secret ): void {
		update_option( self::SECRET, $secret, false );
	}

	/** Whether the shop is connected, and still has the same address. */
	public function is_connected(): bool {
		return '' !== $this->get( 'store' ) && '' !== $this->api_key() && ! $this->has_moved();
	}

	/** Whether this shop was copied or moved since it was connected. A copy for tests must not change the real shop's data at the service. */
	public function has_moved(): bool {
		$home = $this->get( 'home' );
		return '' !== $home && untrailingslashit( home_url() ) !== $home;
	}

	/** The host of this shop. */
	public function host(): string {
		return strtolower( (string) wp_parse_url( home_url(), PHP_URL_HOST ) );
	}
}
