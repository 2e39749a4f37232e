<?php
/**
 * Verification of certificates before they are printed.
 *
 * @package Touchstone
 */

namespace Touchstone;

use Touchstone\Certificate\IssuerKeys;
use Touchstone\Certificate\Note;
use Touchstone\Certificate\Trust;
use Touchstone\Certificate\Verifier;

defined( 'ABSPATH' ) || exit;

/**
 * Verifies certificates with the keys of the service that are kept here, so that a page sends no request. What cannot be verified, for
 * want of keys, is printed: a fault of this plugin must not take genuine certificates from their pages.
 */
final class Verification {

	const OPTION = 'touchstone_keys';

	/** Seconds between two requests for the keys. */
	const EVERY = 600;

	/** Issuers that are remembered: the address of the service may have changed within the lifetime of proofs. */
	const ISSUERS = 3;

	/** Reasons that depend on this server's clock, which may be wrong; the times of certificates are compared elsewhere. */
	const OF_CLOCKS = array( 'proof_expired', 'proof_not_yet_valid' );

	/**
	 * The settings.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * Whom to trust, once it was asked for.
	 *
	 * @var Trust|null
	 */
	private $trust = null;

	/**
	 * Constructor.
	 *
	 * @param Settings $settings The settings.
	 */
	public function __construct( Settings $settings ) {
		$this->settings = $settings;
	}

	/**
	 * Fetches the keys of the service, and from one of its certificates the name by which it signs. Jobs call this.
	 *
	 * @param Client $client      The client of the service.
	 * @param string $registry_id Id of a product at the service whose certificate is new; empty: none.
	 */
	public function refresh( Client $client, string $registry_id ): void {
		$kept = $this->kept();
		if ( $kept['read_at'] > time() - self::EVERY && array() !== $kept['issuers'] ) {
			return;
		}
		try {
			$jwks     = $client->text( '/api/v1/.well-known/jwks.json' );
			$document = '' === $registry_id ? null : $client->document( '/api/v1/mc4p/products/' . rawurlencode( $registry_id ) . '/certificate' );
		} catch ( Fault $fault ) {
			return; // Those at hand still count.
		}
		$issuers = $kept['issuers'];
		$issuer  = isset( $document->proof->jwt ) && is_string( $document->proof->jwt ) ? self::issuer_of( $document->proof->jwt ) : '';
		if ( '' !== $issuer ) {
			$issuers = array_slice( array_merge( array_diff( $issuers, array( $issuer ) ), array( $issuer ) ), -self::ISSUERS );
		}
		$this->trust = null;
		update_option(
			self::OPTION,
			array(
				'service' => $this->settings->get( 'service' ),
				'issuers' => array_values( $issuers ),
				'jwks'    => $jwks,
				'read_at' => time(),
			),
			false // Only pages of products need it.
		);
	}

	/**
	 * Why a certificate must not be printed on a page.
	 *
	 * @param string $document JSON.
	 * @param string $url      Address of the page.
	 * @return string Code and sentence, in English like all reasons of the service; empty: nothing speaks against it, as far as is known.
	 */
	public function fault( string $document, string $url ): string {
		if ( '' !== $this->missing() ) {
			return '';
		}
		try {
			$result = Verifier::verifyProductCertificate( $document, $url, $this->trust() );
		} catch ( \Throwable $error ) {
			return ''; // No verdict: the keys may be older than the proof.
		}
		$notes = 'unverified' === $result->status ? $result->warnings : $result->errors;
		$notes = array_filter(
			$notes,
			static function ( Note $note ): bool {
				return ! in_array( $note->code, self::OF_CLOCKS, true );
			}
		);
		return implode( ' ', array_map( 'strval', $notes ) );
	}

	/** Why certificates are not verified here; empty: they are. */
	public function missing(): string {
		if ( ! class_exists( Verifier::class ) ) {
			return __( 'A part of the plugin is missing. Install it again.', 'touchstone-certificates' );
		}
		if ( ! function_exists( 'openssl_verify' ) || PHP_INT_SIZE < 8 ) {
			return __( 'This server’s PHP lacks the extension openssl, or has less than 64 bits. Ask your host.', 'touchstone-certificates' );
		}
		$kept = $this->kept();
		if ( '' === $kept['jwks'] || array() === $kept['issuers'] ) {
			return __( 'The public keys of the service have not been fetched yet. They are, with the certificates.', 'touchstone-certificates' );
		}
		return '';
	}

	/**
	 * Whom to trust: the service to which the shop is connected.
	 *
	 * @return Trust
	 */
	private function trust() {
		if ( null === $this->trust ) {
			$kept        = $this->kept();
			$keys        = new IssuerKeys( $kept['issuers'], $kept['jwks'], new \DateTimeImmutable( '@' . $kept['read_at'] ) );
			$this->trust = new Trust( $kept['issuers'], array( $keys ) );
		}
		return $this->trust;
	}

	/**
	 * What was fetched from the service to which the shop is connected.
	 *
	 * @return array{issuers: array<int, string>, jwks: string, read_at: int}
	 */
	private function kept(): array {
		$stored = get_option( self::OPTION, array() );
		$none   = array(
			'issuers' => array(),
			'jwks'    => '',
			'read_at' => 0,
		);
		$is_its = is_array( $stored ) && isset( $stored['service'] ) && $this->settings->get( 'service' ) === $stored['service'];
		return $is_its ? array_merge( $none, $stored ) : $none;
	}

	/**
	 * The issuer that a proof from the service names.
	 *
	 * @param string $jwt A compact JWT.
	 */
	private static function issuer_of( string $jwt ): string {
		$parts  = explode( '.', $jwt );
		$claims = json_decode( (string) base64_decode( strtr( isset( $parts[1] ) ? $parts[1] : '', '-_', '+/' ) ) ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		return isset( $claims->iss ) && is_string( $claims->iss ) ? $claims->iss : '';
	}
}
