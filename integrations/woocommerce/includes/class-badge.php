<?php
/**
 * The badge.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Shows the result of the browser's own verification: on product pages, below the cart button, if the badge is enabled. */
final class Badge {

	const SHORTCODE = 'touchstone_badge';
	const SCRIPT    = 'touchstone-badge';

	/**
	 * Whether it is wanted.
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
	 * Constructor.
	 *
	 * @param Settings     $settings     The settings.
	 * @param Certificates $certificates The stored certificates.
	 */
	public function __construct( Settings $settings, Certificates $certificates ) {
		$this->settings     = $settings;
		$this->certificates = $certificates;
	}

	/** Registers the hooks. */
	public function register(): void {
		add_shortcode( self::SHORTCODE, array( $this, 'shown' ) );
		add_filter( 'script_loader_tag', array( $this, 'as_module' ), 10, 2 );
		if ( $this->settings->get( 'badge' ) ) {
			// WooCommerce prints the cart button at 30.
			add_action( 'woocommerce_single_product_summary', array( $this, 'print_shown' ), 35 );
			// Block templates run that hook before the excerpt, or not at all.
			add_filter( 'render_block_woocommerce/add-to-cart-form', array( $this, 'with_shown' ) );
			add_filter( 'render_block_woocommerce/add-to-cart-with-options', array( $this, 'with_shown' ) );
		}
	}

	/** Prints the badge in the product's summary, unless the template is a block template. */
	public function print_shown(): void {
		if ( ! doing_filter( 'render_block' ) ) {
			echo $this->shown(); // phpcs:ignore WordPress.Security.EscapeOutput -- escaped where it is made.
		}
	}

	/**
	 * Adds the badge below the cart button of a block template.
	 *
	 * @param string $button HTML of the block.
	 * @return string HTML.
	 */
	public function with_shown( $button ): string {
		return $button . $this->shown();
	}

	/**
	 * The badge of the present product page, also as the shortcode `[touchstone_badge]`, for templates without a summary.
	 *
	 * @return string HTML; empty on other pages, and for a product without a certificate.
	 */
	public function shown(): string {
		$service = is_singular( 'product' ) ? $this->service( (int) get_queried_object_id() ) : '';
		if ( '' === $service ) {
			return '';
		}
		// phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion -- the service says how long it is kept.
		wp_enqueue_script( self::SCRIPT, $service . '/badge.js', array(), null, true );
		$picture = '<img src="' . esc_url( $service . '/badge.svg' ) . '" width="208" height="44" alt="' . esc_attr__( 'Check this page', 'touchstone-certificates' ) . '" />';
		return '<product-certificate><a href="' . esc_url( $service . '/check' ) . '" rel="noopener nofollow">' . $picture . '</a></product-certificate>';
	}

	/**
	 * Makes the script a module.
	 *
	 * @param mixed  $tag  The script element.
	 * @param string $name Its handle.
	 * @return mixed
	 */
	public function as_module( $tag, $name ) {
		if ( self::SCRIPT !== $name || ! is_string( $tag ) ) {
			return $tag;
		}
		return preg_replace( array( '/ type=([\'"])text\/javascript\1/', '/<script /' ), array( '', '<script type="module" ' ), $tag, 1 );
	}

	/**
	 * Address of the service that issued the certificate of a page: the badge trusts the service that it is loaded from.
	 *
	 * @param int $product_id The product.
	 * @return string Empty: there is no certificate.
	 */
	private function service( int $product_id ): string {
		if ( post_password_required( $product_id ) ) {
			return '';
		}
		$document = json_decode( $this->certificates->for_page( $product_id ), true );
		$address  = isset( $document['svc:record']['recordUrl'] ) ? (string) $document['svc:record']['recordUrl'] : '';
		return 1 === preg_match( '~^(https?://[^\s"\'<>&]+?)/api/v1/~', $address, $found ) ? $found[1] : '';
	}
}
