<?php
/**
 * Events of products in the shop.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Queues products that were saved, hidden or deleted. It sends no requests: a job does so moments later. */
final class Product_Events {

	/**
	 * The settings.
	 *
	 * @var Settings
	 */
	private $settings;

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
	 * Products that were queued in this request.
	 *
	 * @var array<int, true>
	 */
	private $noted = array();

	/**
	 * Constructor.
	 *
	 * @param Settings     $settings     The settings.
	 * @param Queue        $queue        The queue of changed products.
	 * @param Certificates $certificates The stored certificates.
	 */
	public function __construct( Settings $settings, Queue $queue, Certificates $certificates ) {
		$this->settings     = $settings;
		$this->queue        = $queue;
		$this->certificates = $certificates;
	}

	/** Registers the hooks. */
	public function register(): void {
		add_action( 'woocommerce_new_product', array( $this, 'changed' ) );
		add_action( 'woocommerce_update_product', array( $this, 'changed' ) );
		add_action( 'save_post_product', array( $this, 'changed' ) );
		add_action( 'transition_post_status', array( $this, 'moved' ), 10, 3 );
		add_action( 'before_delete_post', array( $this, 'deleted' ) );
		add_filter( 'woocommerce_data_store_wp_post_read_meta', array( $this, 'without_own' ) );
		// These change the address of every product.
		add_action( 'permalink_structure_changed', array( $this, 'all_changed' ) );
		add_action( 'update_option_woocommerce_permalinks', array( $this, 'all_changed' ) );
	}

	/**
	 * Handles a saved product.
	 *
	 * @param int $product_id Post id of the product.
	 */
	public function changed( $product_id ): void {
		$product_id = (int) $product_id;
		if ( ! $this->settings->is_connected() || wp_is_post_revision( $product_id ) || 'auto-draft' === get_post_status( $product_id ) ) {
			return;
		}
		if ( isset( $this->noted[ $product_id ] ) ) {
			return;
		}
		$this->noted[ $product_id ] = true;
		$this->queue->add( $product_id );
		if ( 1 === count( $this->noted ) ) {
			Schedule::soon( 'touchstone_send', Queue::DEBOUNCE + 1 );
		}
	}

	/**
	 * Handles a change of a post's status.
	 *
	 * @param string   $to   Its new status.
	 * @param string   $from Its old status.
	 * @param \WP_Post $post The post.
	 */
	public function moved( $to, $from, $post ): void {
		if ( 'product' !== $post->post_type || $to === $from || 'auto-draft' === $to ) {
			return;
		}
		if ( 'publish' !== $to ) {
			$this->certificates->remove( $post->ID );
			$this->certificates->finish();
		}
		$this->changed( $post->ID );
	}

	/**
	 * Handles a product that is about to be deleted permanently, with its metadata.
	 *
	 * @param int $product_id Post id of the product.
	 */
	public function deleted( $product_id ): void {
		$product_id = (int) $product_id;
		if ( 'product' !== get_post_type( $product_id ) || ! $this->settings->is_connected() ) {
			return;
		}
		$registry_id = $this->certificates->value( $product_id, Certificates::REGISTRY_ID );
		$this->certificates->remove( $product_id );
		if ( '' !== $registry_id ) {
			$this->noted[ $product_id ] = true;
			$this->queue->add( $product_id, $registry_id, 0 );
			Schedule::soon( 'touchstone_send', 1 );
		}
	}

	/**
	 * Hides the plugin's metadata when WooCommerce reads a product. Otherwise it would be copied to duplicates of the product, so that
	 * deleting a duplicate before it was sent would delete the original at the service; and REST API clients would receive it, and write back
	 * old values.
	 *
	 * @param mixed $rows Rows of metadata.
	 * @return mixed The rows without the plugin's own.
	 */
	public function without_own( $rows ) {
		if ( ! is_array( $rows ) ) {
			return $rows;
		}
		return array_filter(
			$rows,
			static function ( $row ): bool {
				return ! isset( $row->meta_key ) || 0 !== strpos( $row->meta_key, '_touchstone_' );
			}
		);
	}

	/** Handles a change of the addresses of all products. */
	public function all_changed(): void {
		if ( $this->settings->is_connected() ) {
			( new Run( 'send_all' ) )->change( array( 'after' => 0 ) );
			Schedule::soon( 'touchstone_send_all', 1 );
		}
	}
}
