<?php
/**
 * Pulls certificates from the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Follows the service's stream of certificates: new, renewed and withdrawn ones since a cursor. */
final class Puller {

	/** Limits of one download, in seconds and bytes; the next one continues where it was truncated. */
	const SECONDS = 25;
	const BYTES   = 30000000;

	/** Lines read at a time; then the cursor is stored. */
	const LINES = 100;

	/** A certificate that expires in less than this is requested individually: the stream normally renews it earlier. */
	const LAST_CALL = 2 * DAY_IN_SECONDS;

	/** Maximum number of such requests at a time. */
	const ASKED = 40;

	/**
	 * The settings.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * The client of the service.
	 *
	 * @var Client
	 */
	private $client;

	/**
	 * The queue of changed products.
	 *
	 * @var Queue
	 */
	private $queue;

	/**
	 * The stored certificates.
	 *
	 * @var Certificates
	 */
	private $certificates;

	/**
	 * Keeps the keys of the service.
	 *
	 * @var Verification
	 */
	private $verification;

	/**
	 * Constructor.
	 *
	 * @param Settings     $settings     The settings.
	 * @param Client       $client       The client of the service.
	 * @param Queue        $queue        The queue of changed products.
	 * @param Certificates $certificates The stored certificates.
	 * @param Verification $verification Keeps the keys of the service.
	 */
	public function __construct( Settings $settings, Client $client, Queue $queue, Certificates $certificates, Verification $verification ) {
		$this->settings     = $settings;
		$this->client       = $client;
		$this->queue        = $queue;
		$this->certificates = $certificates;
		$this->verification = $verification;
	}

	/**
	 * Updates the certificates.
	 *
	 * @return bool Whether there are more.
	 * @throws Fault If the service does not answer.
	 */
	public function pull(): bool {
		$run    = new Run( 'pull' );
		$state  = $run->read();
		$cursor = isset( $state['cursor'] ) ? (string) $state['cursor'] : '';
		$path   = Client::BASE . '/stores/' . $this->settings->get( 'store' ) . '/certificates' . ( '' === $cursor ? '' : '?since=' . rawurlencode( $cursor ) );
		require_once ABSPATH . 'wp-admin/includes/file.php';
		$file = wp_tempnam( 'touchstone' );
		try {
			$this->client->download( $path, $file, self::SECONDS, self::BYTES );
			$ended = $this->read( $file, $cursor );
		} catch ( Fault $fault ) {
			if ( 400 === $fault->status && '' !== $cursor ) {
				// The service was restored from a backup: start from the beginning, and send all products again.
				$run->change( array( 'cursor' => '' ) );
				Schedule::soon( 'touchstone_send_all' );
				return true;
			}
			throw $fault;
		} finally {
			wp_delete_file( $file );
			$this->certificates->finish();
		}
		if ( $ended ) {
			$this->ask_for_the_last();
			// After the certificates, so that the keys are the newer.
			$this->verification->refresh( $this->client, self::newest() );
		}
		return ! $ended;
	}

	/**
	 * Applies the lines of a download.
	 *
	 * @param string $file   Path of the download.
	 * @param string $before The cursor at its beginning.
	 * @return bool Whether it reached the end of the stream.
	 * @throws Fault If no line is valid.
	 */
	private function read( string $file, string $before ): bool {
		$run    = new Run( 'pull' );
		$cursor = $before;
		$count  = 0;
		$counts = array(
			'kept'      => 0,
			'withdrawn' => 0,
		);
		$ended  = false;
		$handle = fopen( $file, 'rb' ); // phpcs:ignore WordPress.WP.AlternativeFunctions
		if ( false === $handle ) {
			throw new Fault( 'no_temporary_file', __( 'WordPress cannot write its temporary folder. Ask your host to allow it.', 'touchstone-certificates' ) );
		}
		do {
			$lines = $this->next_lines( $handle );
			// The last line, and lines with only a cursor, have no product.
			$ids = array_map( 'intval', array_filter( array_column( $lines, 'externalProductId' ) ) );
			_prime_post_caches( $ids, false, true );
			foreach ( $lines as $line ) {
				$ended = 'end' === $line->status;
				$what  = $this->apply( $line );
				if ( '' !== $what ) {
					++$counts[ $what ];
				}
				$cursor = $line->cursor;
			}
			$more   = count( $lines );
			$count += $more;
			$run->change( array( 'cursor' => $cursor ) );
			Sender::forget_loaded();
		} while ( self::LINES === $more );
		fclose( $handle ); // phpcs:ignore WordPress.WP.AlternativeFunctions
		if ( 0 === $count ) {
			throw new Fault( 'not_understood', __( 'The certificates from the service could not be read. They will be requested again.', 'touchstone-certificates' ) );
		}
		$run->change( array_merge( array( 'cursor' => $cursor ), $counts ) );
		return $ended;
	}

	/**
	 * The next complete lines; a line without its end was truncated.
	 *
	 * @param resource $handle The opened download.
	 * @return array<int, object>
	 */
	private function next_lines( $handle ): array {
		$lines = array();
		for ( $count = 0; $count < self::LINES; $count++ ) {
			$text = fgets( $handle );
			$line = is_string( $text ) && "\n" === substr( $text, -1 ) ? json_decode( $text ) : null;
			if ( ! isset( $line->status, $line->cursor ) || ! is_string( $line->cursor ) || 'aborted' === $line->status ) {
				break;
			}
			$lines[] = $line;
		}
		return $lines;
	}

	/**
	 * Applies a line.
	 *
	 * @param object $line The line, from the service.
	 * @return string The result: `kept`, `withdrawn`, or empty.
	 */
	private function apply( $line ): string {
		if ( ! isset( $line->externalProductId, $line->productId, $line->url ) || ! is_string( $line->productId ) ) {
			return '';
		}
		$product_id = (int) $line->externalProductId;
		$is_ours    = (string) $product_id === $line->externalProductId && 'product' === get_post_type( $product_id );
		if ( 'withdrawn' === $line->status ) {
			if ( ! $is_ours ) {
				return '';
			}
			$this->certificates->put( $product_id, Certificates::STATE, isset( $line->state ) && is_string( $line->state ) ? $line->state : 'hidden' );
			return $this->certificates->remove( $product_id ) ? 'withdrawn' : '';
		}
		if ( 'current' !== $line->status || ! isset( $line->certificate->proof->jwt, $line->replaceBy ) ) {
			return '';
		}
		if ( ! $is_ours ) {
			// The product was deleted here while the plugin was inactive. Another shop may share the store: only addresses of this one.
			if ( (string) $product_id === $line->externalProductId && null === get_post( $product_id ) && 0 === strpos( (string) $line->url, home_url( '/' ) ) ) {
				$this->queue->add( $product_id, $line->productId, 0 );
				Schedule::soon( 'touchstone_send' );
			}
			return '';
		}
		if ( 'publish' !== get_post_status( $product_id ) ) {
			return '';
		}
		return $this->certificates->keep( $product_id, $line->certificate, (int) strtotime( (string) $line->replaceBy ), $line->productId ) ? 'kept' : '';
	}

	/**
	 * Requests certificates individually that expire soon and were not renewed by the stream: a backup of the database was restored, or the
	 * metadata of a product was lost.
	 *
	 * @throws Fault If the service does not answer.
	 */
	private function ask_for_the_last(): void {
		foreach ( self::ending_before( time() + self::LAST_CALL, self::ASKED ) as $product_id ) {
			$registry_id = $this->certificates->value( $product_id, Certificates::REGISTRY_ID );
			if ( '' === $registry_id || 'publish' !== get_post_status( $product_id ) ) {
				$this->certificates->remove( $product_id );
				continue;
			}
			try {
				$document = $this->client->document( '/api/v1/mc4p/products/' . rawurlencode( $registry_id ) . '/certificate' );
			} catch ( Fault $fault ) {
				if ( 404 !== $fault->status ) {
					throw $fault;
				}
				$document = null;
			}
			if ( isset( $document->proof->jwt ) && is_string( $document->proof->jwt ) ) {
				$this->certificates->keep( $product_id, $document, self::end_of( $document->proof->jwt ), $registry_id );
			} else {
				$this->certificates->remove( $product_id );
			}
		}
		$this->certificates->finish();
	}

	/** Id at the service of the product whose certificate was issued last; empty: there is none. */
	private static function newest(): string {
		global $wpdb;
		// phpcs:ignore WordPress.DB
		return (string) $wpdb->get_var( $wpdb->prepare( "SELECT i.meta_value FROM $wpdb->postmeta r JOIN $wpdb->postmeta i ON i.post_id = r.post_id AND i.meta_key = %s WHERE r.meta_key = %s ORDER BY r.meta_value DESC LIMIT 1", Certificates::REGISTRY_ID, Certificates::REPLACE_BY ) );
	}

	/**
	 * Products whose certificate expires before a time.
	 *
	 * @param int $time Seconds since 1970.
	 * @param int $most Maximum number.
	 * @return array<int, int>
	 */
	private static function ending_before( int $time, int $most ): array {
		global $wpdb;
		// Ten digits each, so that texts compare as numbers do.
		// phpcs:ignore WordPress.DB
		return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT post_id FROM $wpdb->postmeta WHERE meta_key = %s AND meta_value < %s ORDER BY meta_value LIMIT %d", Certificates::REPLACE_BY, (string) $time, $most ) ) );
	}

	/**
	 * The expiry of a proof, in seconds since 1970.
	 *
	 * @param string $jwt A compact JWT of the service.
	 */
	private static function end_of( string $jwt ): int {
		$parts  = explode( '.', $jwt );
		$claims = json_decode( (string) base64_decode( strtr( isset( $parts[1] ) ? $parts[1] : '', '-_', '+/' ) ) ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		return isset( $claims->exp ) ? (int) $claims->exp : 0;
	}
}
