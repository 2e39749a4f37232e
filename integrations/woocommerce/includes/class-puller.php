<?php
/**
 * Certificates on their way to the pages.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Follows the service's stream of certificates: it tells what is new, renewed or withdrawn since a cursor. */
final class Puller {

	/** Seconds of one download, and bytes of it: what is cut off is gone on with. */
	const SECONDS = 25;
	const BYTES   = 30000000;

	/** Lines that are read at a time; after them the cursor is kept. */
	const LINES = 100;

	/** A certificate with less than this left is asked for by itself: the stream brings the next one before. */
	const LAST_CALL = 2 * DAY_IN_SECONDS;

	/** How many at a time. */
	const ASKED = 40;

	/**
	 * The shop's place at the service.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * The service.
	 *
	 * @var Client
	 */
	private $client;

	/**
	 * What is to be told to the service.
	 *
	 * @var Queue
	 */
	private $queue;

	/**
	 * Where certificates are kept.
	 *
	 * @var Certificates
	 */
	private $certificates;

	/**
	 * Opens it.
	 *
	 * @param Settings     $settings     The shop's place at the service.
	 * @param Client       $client       The service.
	 * @param Queue        $queue        What is to be told to the service.
	 * @param Certificates $certificates Where certificates are kept.
	 */
	public function __construct( Settings $settings, Client $client, Queue $queue, Certificates $certificates ) {
		$this->settings     = $settings;
		$this->client       = $client;
		$this->queue        = $queue;
		$this->certificates = $certificates;
	}

	/**
	 * Brings the pages up to date.
	 *
	 * @return bool Whether there is more.
	 * @throws Fault Where the service does not tell.
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
				// The service was restored from a copy of an earlier day: begin anew, and have it told everything.
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
		}
		return ! $ended;
	}

	/**
	 * Reads the lines of a download.
	 *
	 * @param string $file   Where they are.
	 * @param string $before The cursor that it began from.
	 * @return bool Whether the last line says that nothing is left.
	 * @throws Fault Where nothing in it could be used.
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
			// The last line, and one that tells how far it is, are of no product.
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
			throw new Fault( 'not_understood', __( 'The service sent no certificates that can be read; they are asked for again.', 'touchstone-certificates' ) );
		}
		$run->change( array_merge( array( 'cursor' => $cursor ), $counts ) );
		return $ended;
	}

	/**
	 * The next lines that came whole: one without its end was cut off.
	 *
	 * @param resource $handle Of the download.
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
	 * Does what a line says.
	 *
	 * @param object $line As the service sent it.
	 * @return string What it came to: `kept`, `withdrawn`, or nothing.
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
			// Deleted here while the plugin was away. Another shop may share the store: only what stands at this address.
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
	 * Asks for certificates that are about to end and were told no successor, each by itself: a copy of the database was put
	 * back, or the metadata of a product was lost.
	 *
	 * @throws Fault Where the service does not answer.
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

	/**
	 * Products whose certificate ends before a time.
	 *
	 * @param int $time Seconds since 1970.
	 * @param int $most How many.
	 * @return array<int, int>
	 */
	public static function ending_before( int $time, int $most ): array {
		global $wpdb;
		// Ten digits each, so that texts compare as numbers do.
		// phpcs:ignore WordPress.DB
		return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT post_id FROM $wpdb->postmeta WHERE meta_key = %s AND meta_value < %s ORDER BY meta_value LIMIT %d", Certificates::REPLACE_BY, (string) $time, $most ) ) );
	}

	/**
	 * When a proof ends.
	 *
	 * @param string $jwt A compact JWT of the service.
	 */
	private static function end_of( string $jwt ): int {
		$parts  = explode( '.', $jwt );
		$claims = json_decode( (string) base64_decode( strtr( isset( $parts[1] ) ? $parts[1] : '', '-_', '+/' ) ) ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		return isset( $claims->exp ) ? (int) $claims->exp : 0;
	}
}
