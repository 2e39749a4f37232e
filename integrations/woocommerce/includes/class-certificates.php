<?php
/**
 * Certificates, stored with their products.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** The certificate of each product and the service's results for it, in the product's metadata. */
final class Certificates {

	const DOCUMENT    = '_touchstone_document'; // JSON, in ASCII, without `<`, `>` and `&`.
	const REPLACE_BY  = '_touchstone_replace_by'; // When its proof expires, in seconds since 1970.
	const REGISTRY_ID = '_touchstone_id'; // Id of the product at the service.
	const STATE       = '_touchstone_state'; // State from the service, or `error`.
	const HASH        = '_touchstone_hash'; // Hash of the row that was last sent.
	const URL         = '_touchstone_url'; // Address that was last sent.
	const PROBLEM     = '_touchstone_problem'; // The reason of a state.
	const CHECKED     = '_touchstone_checked'; // When its page was last checked, and the result.
	const UNPRINTED   = '_touchstone_unprinted'; // Why the certificate is not printed on its page.

	const JSON = JSON_UNESCAPED_SLASHES | JSON_HEX_TAG | JSON_HEX_AMP | JSON_PRESERVE_ZERO_FRACTION;

	/** Maximum bytes of a certificate. */
	const MOST = 1000000;

	/**
	 * The page caches to purge.
	 *
	 * @var Page_Caches
	 */
	private $caches;

	/**
	 * Verifies certificates.
	 *
	 * @var Verification
	 */
	private $verification;

	/**
	 * What to print, by product.
	 *
	 * @var array<int, string>
	 */
	private $for_pages = array();

	/**
	 * Constructor.
	 *
	 * @param Page_Caches  $caches       The page caches to purge.
	 * @param Verification $verification Verifies certificates.
	 */
	public function __construct( Page_Caches $caches, Verification $verification ) {
		$this->caches       = $caches;
		$this->verification = $verification;
	}

	/**
	 * Stores a certificate.
	 *
	 * @param int    $product_id  Post id of the product.
	 * @param object $document    The service's response.
	 * @param int    $replace_by  When its proof expires, in seconds since 1970.
	 * @param string $registry_id Id of the product at the service.
	 * @return bool Whether the certificate has changed.
	 */
	public function keep( int $product_id, $document, int $replace_by, string $registry_id ): bool {
		unset( $this->for_pages[ $product_id ] );
		$text = wp_json_encode( $document, self::JSON );
		if ( ! is_string( $text ) || '{' !== $text[0] || strlen( $text ) > self::MOST ) {
			return false;
		}
		$this->put( $product_id, self::REGISTRY_ID, $registry_id );
		$this->put( $product_id, self::STATE, 'active' );
		$this->put( $product_id, self::REPLACE_BY, (string) $replace_by );
		if ( ! $this->put( $product_id, self::DOCUMENT, $text ) ) {
			return false;
		}
		$this->caches->purge( $product_id, (string) get_permalink( $product_id ) );
		return true;
	}

	/**
	 * Removes a certificate from its page.
	 *
	 * @param int $product_id Post id of the product.
	 * @return bool Whether there was one.
	 */
	public function remove( int $product_id ): bool {
		unset( $this->for_pages[ $product_id ] );
		delete_post_meta( $product_id, self::REPLACE_BY );
		delete_post_meta( $product_id, self::UNPRINTED );
		if ( ! delete_post_meta( $product_id, self::DOCUMENT ) ) {
			return false;
		}
		$sent = (string) get_post_meta( $product_id, self::URL, true );
		$this->caches->purge( $product_id, '' === $sent ? (string) get_permalink( $product_id ) : $sent );
		return true;
	}

	/**
	 * The certificate to print on a product's page; neither an expired one, nor one for another address, nor one that is not valid there.
	 *
	 * @param int $product_id Post id of the product.
	 * @return string Its JSON; empty: none.
	 */
	public function for_page( int $product_id ): string {
		if ( ! isset( $this->for_pages[ $product_id ] ) ) {
			$text = $this->current( $product_id );
			$why  = '' === $text ? '' : $this->verification->fault( $text, (string) get_permalink( $product_id ) );
			if ( '' !== $text && $this->value( $product_id, self::UNPRINTED ) !== $why ) {
				if ( '' === $why ) {
					delete_post_meta( $product_id, self::UNPRINTED );
				} else {
					$this->put( $product_id, self::UNPRINTED, $why );
				}
			}
			$this->for_pages[ $product_id ] = '' === $why ? $text : '';
		}
		return $this->for_pages[ $product_id ];
	}

	/**
	 * The stored certificate, unless it has expired or is for another address.
	 *
	 * @param int $product_id Post id of the product.
	 * @return string Its JSON; empty: none.
	 */
	private function current( int $product_id ): string {
		$text = get_post_meta( $product_id, self::DOCUMENT, true );
		if ( ! is_string( $text ) || '' === $text || (int) get_post_meta( $product_id, self::REPLACE_BY, true ) <= time() ) {
			return '';
		}
		$document = json_decode( $text );
		if ( ! isset( $document->url ) || ! is_string( $document->url ) || ! $this->is_same_page( $document->url, (string) get_permalink( $product_id ) ) ) {
			return '';
		}
		// Changes of the metadata by other plugins must not close the script element.
		return str_replace( array( '<', '>', '&' ), array( '\u003c', '\u003e', '\u0026' ), $text );
	}

	/**
	 * Stores a value.
	 *
	 * @param int    $product_id Post id of the product.
	 * @param string $name       One of the constants.
	 * @param string $value      Any text.
	 * @return bool Whether it differs from the previous one.
	 */
	public function put( int $product_id, string $name, string $value ): bool {
		return false !== update_post_meta( $product_id, $name, wp_slash( $value ) );
	}

	/**
	 * A value.
	 *
	 * @param int    $product_id Post id of the product.
	 * @param string $name       One of the constants.
	 */
	public function value( int $product_id, string $name ): string {
		return (string) get_post_meta( $product_id, $name, true );
	}

	/** Flushes purges that are sent in batches. */
	public function finish(): void {
		$this->caches->finish();
	}

	/**
	 * Whether two addresses are the same page; the service normalises addresses as browsers do.
	 *
	 * @param string $one     An address.
	 * @param string $another Another one.
	 */
	private function is_same_page( string $one, string $another ): bool {
		return untrailingslashit( strtolower( $one ) ) === untrailingslashit( strtolower( $another ) );
	}
}
