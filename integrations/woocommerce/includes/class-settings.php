<?php
/**
 * What the merchant chose, and what the service told about the shop.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** The plugin's settings. The API key and the secret are kept apart, not autoloaded, and never printed. */
final class Settings {

	const OPTION = 'touchstone_settings';
	const KEY    = 'touchstone_api_key';
	const SECRET = 'touchstone_notice_secret';

	const DEFAULTS = array(
		'service'   => '', // Address of the service, without a slash at its end.
		'store'     => '', // Id of the shop at the service.
		'home'      => '', // Address that this shop had when it was connected.
		'challenge' => '', // What the home page shows until the domain is proven.
		'proven'    => false,
		'webhook'   => '', // Id of the webhook by which the service tells of new certificates.
		'notices'   => '', // Where it sends them.
		'badge'     => false, // Whether product pages show the badge.
	);

	/**
	 * Everything but the secrets.
	 *
	 * @return array<string, mixed>
	 */
	public function all(): array {
		$stored = get_option( self::OPTION, array() );
		return array_merge( self::DEFAULTS, is_array( $stored ) ? $stored : array() );
	}

	/**
	 * One of them.
	 *
	 * @param string $name A key of DEFAULTS.
	 * @return mixed
	 */
	public function get( string $name ) {
		return $this->all()[ $name ];
	}

	/**
	 * Changes some of them.
	 *
	 * @param array<string, mixed> $changes By name.
	 */
	public function change( array $changes ): void {
		update_option( self::OPTION, array_merge( $this->all(), $changes ), true );
	}

	/** The merchant's API key; empty: none. */
	public function api_key(): string {
		return (string) get_option( self::KEY, '' );
	}

	/**
	 * Keeps the merchant's API key.
	 *
	 * @param string $key As the service gave it.
	 */
	public function keep_api_key( string $key ): void {
		update_option( self::KEY, $key, false );
	}

	/** What the service signs its notices with; empty: none are taken. */
	public function notice_secret(): string {
		return (string) get_option( self::SECRET, '' );
	}

	/**
	 * Keeps that secret.
	 *
	 * @param string $secret With or without `whsec_`.
	 */
	public function keep_notice_secret( string $secret ): void {
		update_option( self::SECRET, $secret, false );
	}

	/** Whether the shop is connected, and still at the address at which it was. */
	public function is_connected(): bool {
		return '' !== $this->get( 'store' ) && '' !== $this->api_key() && ! $this->has_moved();
	}

	/**
	 * Whether this shop was copied or moved since it was connected. A copy for tests must not change what the service knows of
	 * the real one.
	 */
	public function has_moved(): bool {
		$home = $this->get( 'home' );
		return '' !== $home && untrailingslashit( home_url() ) !== $home;
	}

	/** The host of this shop. */
	public function host(): string {
		return strtolower( (string) wp_parse_url( home_url(), PHP_URL_HOST ) );
	}
}
