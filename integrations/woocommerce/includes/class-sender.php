<?php
/**
 * Sends products to the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Sends changed products to the service, and periodically all of them. Sending a row twice changes nothing. */
final class Sender {

	/** Rows that the service accepts in one request. */
	const ROWS = 1000;

	/** Bytes of rows in one request; the service accepts 8 MB. */
	const BYTES = 6000000;

	/** Products that are loaded at a time. */
	const LOADED = 200;

	/** Seconds that a job runs before it leaves the rest to the next one. */
	const SECONDS = 20;

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
	 * Constructor.
	 *
	 * @param Settings     $settings     The settings.
	 * @param Client       $client       The client of the service.
	 * @param Queue        $queue        The queue of changed products.
	 * @param Certificates $certificates The stored certificates.
	 */
	public function __construct( Settings $settings, Client $client, Queue $queue, Certificates $certificates ) {
		$this->settings     = $settings;
		$this->client       = $client;
		$this->queue        = $queue;
		$this->certificates = $certificates;
	}

	/**
	 * Sends changed products.
	 *
	 * @return bool Whether there are more.
	 * @throws Fault If the service accepts no products now.
	 */
	public function send_changes(): bool {
		$until = time() + self::SECONDS;
		do {
			$entries = $this->queue->due( self::ROWS );
			$gone    = array();
			$changed = array();
			foreach ( $entries as $entry ) {
				if ( '' === $entry->registry_id ) {
					$changed[] = (int) $entry->product_id;
				} else {
					$gone[ (int) $entry->id ] = $entry->registry_id;
				}
			}
			$this->send( $changed, false );
			$this->queue->remove( array_diff( array_map( 'intval', wp_list_pluck( $entries, 'id' ) ), array_keys( $gone ) ) );
			foreach ( $gone as $id => $registry_id ) {
				$this->delete( $registry_id );
				$this->queue->remove( array( $id ) );
				if ( time() >= $until ) {
					return true;
				}
			}
			if ( count( $entries ) < self::ROWS ) {
				return false;
			}
		} while ( time() < $until );
		return true;
	}

	/**
	 * Sends all products, continuing where the last call stopped.
	 *
	 * @return bool Whether there are more.
	 * @throws Fault If the service accepts no products now.
	 */
	public function send_all(): bool {
		global $wpdb;
		$run   = new Run( 'send_all' );
		$state = $run->read();
		$after = isset( $state['after'] ) ? (int) $state['after'] : 0;
		$done  = 0 === $after ? 0 : (int) $state['done'];
		$until = time() + self::SECONDS;
		do {
			$ids = array_map(
				'intval',
				$wpdb->get_col( // phpcs:ignore WordPress.DB.DirectDatabaseQuery -- all products, a thousand at a time, once.
					$wpdb->prepare(
						"SELECT ID FROM $wpdb->posts WHERE post_type = 'product' AND post_status NOT IN ('auto-draft', 'inherit') AND ID > %d ORDER BY ID LIMIT %d",
						$after,
						self::ROWS
					)
				)
			);
			$this->send( $ids, true );
			$done += count( $ids );
			$more  = count( $ids ) === self::ROWS;
			$after = $more ? (int) end( $ids ) : 0;
			$run->change(
				array(
					'after' => $after,
					'done'  => $done,
				)
			);
		} while ( $more && time() < $until );
		if ( ! $more ) {
			$run->change( array( 'whole_at' => time() ) );
		}
		return $more;
	}

	/**
	 * Sends products.
	 *
	 * @param array<int, int> $product_ids Their post ids.
	 * @param bool            $unchanged   Whether to send unchanged ones, too.
	 * @throws Fault If the service accepts no products now.
	 */
	private function send( array $product_ids, bool $unchanged ): void {
		$rows  = array();
		$bytes = 0;
		foreach ( array_chunk( $product_ids, self::LOADED ) as $some ) {
			_prime_post_caches( $some, true, true );
			foreach ( $some as $product_id ) {
				$row = $this->row_of( $product_id, $unchanged );
				if ( null === $row ) {
					continue;
				}
				$size = strlen( (string) wp_json_encode( $row, JSON_UNESCAPED_SLASHES ) ) + 1;
				if ( array() !== $rows && $bytes + $size > self::BYTES ) {
					$this->put( $rows );
					$rows  = array();
					$bytes = 0;
				}
				$rows[ $product_id ] = $row;
				$bytes              += $size;
			}
			self::forget_loaded();
		}
		$this->put( $rows );
	}

	/**
	 * The row of a product; null: not to be sent.
	 *
	 * @param int  $product_id Post id of the product.
	 * @param bool $unchanged  Whether to send an unchanged one, too.
	 * @return array<string, mixed>|null
	 */
	private function row_of( int $product_id, bool $unchanged ): ?array {
		$product = wc_get_product( $product_id );
		if ( ! $product || 'product' !== get_post_type( $product_id ) ) {
			return null;
		}
		$row = Product_Row::of( $product, $this->certificates->value( $product_id, Certificates::URL ) );
		if ( ! $row['visible'] ) {
			$this->certificates->remove( $product_id );
			if ( '' === $this->certificates->value( $product_id, Certificates::REGISTRY_ID ) ) {
				// The service does not know it.
				$this->certificates->put( $product_id, Certificates::STATE, 'hidden' );
				delete_post_meta( $product_id, Certificates::PROBLEM );
				return null;
			}
		}
		return $unchanged || $this->certificates->value( $product_id, Certificates::HASH ) !== self::hash( $row ) ? $row : null;
	}

	/**
	 * Sends rows, and stores the service's result for each.
	 *
	 * @param array<int, array<string, mixed>> $rows Rows by post id.
	 * @throws Fault If the service accepts no products now.
	 */
	private function put( array $rows ): void {
		if ( array() === $rows ) {
			return;
		}
		$answer  = $this->client->call( 'PUT', Client::BASE . '/stores/' . $this->settings->get( 'store' ) . '/products', array_values( $rows ), 60 );
		$results = isset( $answer['results'] ) && is_array( $answer['results'] ) ? array_values( $answer['results'] ) : array();
		if ( count( $results ) !== count( $rows ) ) {
			throw new Fault( 'not_understood', __( 'The answer of the service does not cover all products that were sent.', 'touchstone-certificates' ) );
		}
		$at = 0;
		foreach ( $rows as $product_id => $row ) {
			$this->keep_result( $product_id, $row, (array) $results[ $at++ ] );
		}
		$this->certificates->finish();
		self::forget_loaded();
		// Its certificate has been issued by now, or will be when the pull requests it.
		Schedule::soon( 'touchstone_pull', 5 );
	}

	/**
	 * Stores the result of a row.
	 *
	 * @param int                  $product_id Post id of the product.
	 * @param array<string, mixed> $row        The row that was sent.
	 * @param array<string, mixed> $result     The service's result.
	 */
	private function keep_result( int $product_id, array $row, array $result ): void {
		$keep = $this->certificates;
		$keep->put( $product_id, Certificates::HASH, self::hash( $row ) );
		if ( 'error' === $result['status'] ) {
			$said = array();
			foreach ( isset( $result['errors'] ) ? (array) $result['errors'] : array() as $error ) {
				$where  = isset( $error['loc'] ) && is_array( $error['loc'] ) ? implode( '.', array_filter( $error['loc'], 'is_string' ) ) : '';
				$said[] = trim( str_replace( 'body.', '', $where ) . ': ' . ( isset( $error['msg'] ) ? $error['msg'] : '' ), ': ' );
			}
			$keep->put( $product_id, Certificates::STATE, 'error' );
			$keep->put( $product_id, Certificates::PROBLEM, mb_substr( implode( ' ', $said ), 0, 500 ) );
			return;
		}
		$state = isset( $result['state'] ) ? (string) $result['state'] : 'active';
		$keep->put( $product_id, Certificates::REGISTRY_ID, (string) $result['id'] );
		$keep->put( $product_id, Certificates::URL, (string) $row['url'] );
		$keep->put( $product_id, Certificates::STATE, $state );
		delete_post_meta( $product_id, Certificates::PROBLEM );
		if ( 'active' !== $state ) {
			$keep->remove( $product_id );
		}
	}

	/**
	 * Deletes a product at the service that was deleted in the shop.
	 *
	 * @param string $registry_id Its id at the service.
	 * @throws Fault If the service does not answer.
	 */
	private function delete( string $registry_id ): void {
		try {
			$this->client->call( 'DELETE', Client::BASE . '/products/' . rawurlencode( $registry_id ) );
		} catch ( Fault $fault ) {
			if ( 404 !== $fault->status && 422 !== $fault->status ) {
				throw $fault;
			}
		}
	}

	/**
	 * A hash of a row, which detects changes.
	 *
	 * @param array<string, mixed> $row The row.
	 */
	private static function hash( array $row ): string {
		return md5( (string) wp_json_encode( $row ) );
	}

	/** Frees loaded objects, which would otherwise fill the memory in a long job. */
	public static function forget_loaded(): void {
		if ( function_exists( 'wp_cache_flush_runtime' ) && function_exists( 'wp_cache_supports' ) && wp_cache_supports( 'flush_runtime' ) ) {
			wp_cache_flush_runtime();
		}
	}
}
