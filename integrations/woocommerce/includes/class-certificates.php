<?php
/**
 * Certificates as they are kept with their products.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** The certificate of each product and what the service said of it, in the product's own metadata. */
final class Certificates {

	const DOCUMENT    = '_touchstone_document'; // JSON, in ASCII, without `<`, `>` and `&`.
	const REPLACE_BY  = '_touchstone_replace_by'; // When its proof ends, in seconds since 1970.
	const REGISTRY_ID = '_touchstone_id'; // Of the product at the service.
	const STATE       = '_touchstone_state'; // As the service left it, or `error`.
	const HASH        = '_touchstone_hash'; // Of what was last sent.
	const URL         = '_touchstone_url'; // Address that was last sent.
	const PROBLEM     = '_touchstone_problem'; // What is wrong with it.
	const CHECKED     = '_touchstone_checked'; // When its page was last looked at, and what came of it.

	const JSON = JSON_UNESCAPED_SLASHES | JSON_HEX_TAG | JSON_HEX_AMP | JSON_PRESERVE_ZERO_FRACTION;

	/** The most that a certificate may take, in bytes. */
	const MOST = 1000000;

	/**
	 * Page caches that are told of changes.
	 *
	 * @var Page_Caches
	 */
	private $caches;

	/**
	 * Opens them.
	 *
	 * @param Page_Caches $caches Told of changes.
	 */
	public function __construct( Page_Caches $caches ) {
		$this->caches = $caches;
	}

	/**
	 * Keeps a certificate.
	 *
	 * @param int    $product_id  Its post.
	 * @param object $document    As the service answered it.
	 * @param int    $replace_by  When its proof ends.
	 * @param string $registry_id Of the product at the service.
	 * @return bool Whether the page shows another one now.
	 */
	public function keep( int $product_id, $document, int $replace_by, string $registry_id ): bool {
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
	 * Takes a certificate off its page.
	 *
	 * @param int $product_id Its post.
	 * @return bool Whether there was one.
	 */
	public function remove( int $product_id ): bool {
		delete_post_meta( $product_id, self::REPLACE_BY );
		if ( ! delete_post_meta( $product_id, self::DOCUMENT ) ) {
			return false;
		}
		$sent = (string) get_post_meta( $product_id, self::URL, true );
		$this->caches->purge( $product_id, '' === $sent ? (string) get_permalink( $product_id ) : $sent );
		return true;
	}

	/**
	 * The certificate that a product's page is to show: not one that has ended, nor one of another address.
	 *
	 * @param int $product_id Its post.
	 * @return string Its JSON; empty: none.
	 */
	public function for_page( int $product_id ): string {
		$text = get_post_meta( $product_id, self::DOCUMENT, true );
		if ( ! is_string( $text ) || '' === $text || (int) get_post_meta( $product_id, self::REPLACE_BY, true ) <= time() ) {
			return '';
		}
		$document = json_decode( $text );
		if ( ! isset( $document->url ) || ! is_string( $document->url ) || ! $this->is_same_page( $document->url, (string) get_permalink( $product_id ) ) ) {
			return '';
		}
		// Whoever else wrote to the metadata must not end the script.
		return str_replace( array( '<', '>', '&' ), array( '\u003c', '\u003e', '\u0026' ), $text );
	}

	/**
	 * Keeps a value.
	 *
	 * @param int    $product_id Its post.
	 * @param string $name       One of the constants.
	 * @param string $value      Any text.
	 * @return bool Whether it is another one than before.
	 */
	public function put( int $product_id, string $name, string $value ): bool {
		return false !== update_post_meta( $product_id, $name, wp_slash( $value ) );
	}

	/**
	 * A value.
	 *
	 * @param int    $product_id Its post.
	 * @param string $name       One of the constants.
	 */
	public function value( int $product_id, string $name ): string {
		return (string) get_post_meta( $product_id, $name, true );
	}

	/** Tells caches that take many pages at once. */
	public function finish(): void {
		$this->caches->finish();
	}

	/**
	 * Whether two addresses are one page; the service writes them as browsers do.
	 *
	 * @param string $one     An address.
	 * @param string $another Another one.
	 */
	private function is_same_page( string $one, string $another ): bool {
		return untrailingslashit( strtolower( $one ) ) === untrailingslashit( strtolower( $another ) );
	}
}
