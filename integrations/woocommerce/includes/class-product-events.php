<?php
/**
 * What happens to products in the shop.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Notes products that were saved, hidden or deleted. It asks nobody: a job does, a moment later. */
final class Product_Events {

	/**
	 * The shop's place at the service.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * Where changes wait.
	 *
	 * @var Queue
	 */
	private $queue;

	/**
	 * What is kept of each product.
	 *
	 * @var Certificates
	 */
	private $certificates;

	/**
	 * Products that were noted in this request.
	 *
	 * @var array<int, true>
	 */
	private $noted = array();

	/**
	 * Opens it.
	 *
	 * @param Settings     $settings     The shop's place at the service.
	 * @param Queue        $queue        Where changes wait.
	 * @param Certificates $certificates What is kept of each product.
	 */
	public function __construct( Settings $settings, Queue $queue, Certificates $certificates ) {
		$this->settings     = $settings;
		$this->queue        = $queue;
		$this->certificates = $certificates;
	}

	/** Binds them to their hooks. */
	public function register(): void {
		add_action( 'woocommerce_new_product', array( $this, 'changed' ) );
		add_action( 'woocommerce_update_product', array( $this, 'changed' ) );
		add_action( 'save_post_product', array( $this, 'changed' ) );
		add_action( 'transition_post_status', array( $this, 'moved' ), 10, 3 );
		add_action( 'before_delete_post', array( $this, 'deleted' ) );
		add_filter( 'woocommerce_data_store_wp_post_read_meta', array( $this, 'without_own' ) );
		// Every address is another one after these.
		add_action( 'permalink_structure_changed', array( $this, 'all_changed' ) );
		add_action( 'update_option_woocommerce_permalinks', array( $this, 'all_changed' ) );
	}

	/**
	 * A product was saved.
	 *
	 * @param int $product_id Its post.
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
	 * A post went from one state to another.
	 *
	 * @param string   $to   Its new state.
	 * @param string   $from Its old one.
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
	 * A product is about to be gone for good, with its metadata.
	 *
	 * @param int $product_id Its post.
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
	 * Metadata that WooCommerce reads into a product, without what is kept here. It would go into copies of the product, so that
	 * a copy that is deleted before it was sent had the original deleted at the service; and out over the REST API and, old, back.
	 *
	 * @param mixed $rows Rows of metadata.
	 * @return mixed The others.
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

	/** The addresses of all products changed. */
	public function all_changed(): void {
		if ( $this->settings->is_connected() ) {
			( new Run( 'send_all' ) )->change( array( 'after' => 0 ) );
			Schedule::soon( 'touchstone_send_all', 1 );
		}
	}
}
