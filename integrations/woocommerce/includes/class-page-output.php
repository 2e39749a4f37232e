<?php
/**
 * Output of the plugin in pages.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Prints the certificate on a product's page, and the domain proof on the home page. It sends no requests. */
final class Page_Output {

	/**
	 * The settings, which contain the domain proof.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * The stored certificates.
	 *
	 * @var Certificates
	 */
	private $certificates;

	/**
	 * The `@id` of WooCommerce's own node, by product.
	 *
	 * @var array<int, string>
	 */
	private $node_ids = array();

	/**
	 * Constructor.
	 *
	 * @param Settings     $settings     The settings, which contain the domain proof.
	 * @param Certificates $certificates The stored certificates.
	 */
	public function __construct( Settings $settings, Certificates $certificates ) {
		$this->settings     = $settings;
		$this->certificates = $certificates;
	}

	/** Registers the hooks. */
	public function register(): void {
		add_action( 'wp_head', array( $this, 'print_challenge' ), 1 );
		add_filter( 'woocommerce_structured_data_product', array( $this, 'note_node_id' ), PHP_INT_MAX, 2 );
		// WooCommerce prints its graph at 10.
		add_action( 'wp_footer', array( $this, 'print_certificate' ), 20 );
	}

	/** Prints the domain proof, always: the service looks for it again every few days. */
	public function print_challenge(): void {
		$settings = $this->settings->all();
		if ( '' === $settings['challenge'] || ! ( is_front_page() || is_home() ) || $this->settings->has_moved() ) {
			return;
		}
		echo '<meta name="touchstone-challenge" content="' . esc_attr( $settings['challenge'] ) . '" />' . "\n";
	}

	/**
	 * Reads the `@id` of WooCommerce's node, which other plugins may have changed.
	 *
	 * @param mixed       $markup  The node.
	 * @param \WC_Product $product Its product.
	 * @return mixed The unchanged node.
	 */
	public function note_node_id( $markup, $product ) {
		if ( is_array( $markup ) && isset( $markup['@id'] ) && is_string( $markup['@id'] ) && is_object( $product ) ) {
			$this->node_ids[ $product->get_id() ] = $markup['@id'];
		}
		return $markup;
	}

	/**
	 * Prints the certificate. With the `@id` of WooCommerce's own Product node, it extends that node and is not a second product; the proof
	 * covers the members that the service wrote, and allows additional ones.
	 */
	public function print_certificate(): void {
		if ( ! is_singular( 'product' ) ) {
			return;
		}
		$product_id = (int) get_queried_object_id();
		if ( post_password_required( $product_id ) ) {
			return;
		}
		$document = $this->certificates->for_page( $product_id );
		if ( '' === $document ) {
			return;
		}
		$node_id = isset( $this->node_ids[ $product_id ] ) ? $this->node_ids[ $product_id ] : get_permalink( $product_id ) . '#product';
		/**
		 * The `@id` of the Product node that this page already has, for instance from an SEO plugin.
		 *
		 * @param string $node_id    By default WooCommerce's node.
		 * @param int    $product_id The product.
		 */
		$node_id = (string) apply_filters( 'touchstone_node_id', $node_id, $product_id );
		$id      = wp_json_encode( $node_id, Certificates::JSON );
		// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- JSON without `<`, `>` and `&`; esc_html() would break it.
		echo "\n" . '<script type="application/ld+json" data-touchstone>{"@id":' . $id . ',' . substr( $document, 1 ) . '</script>' . "\n";
	}
}
