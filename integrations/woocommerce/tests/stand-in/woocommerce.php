<?php
/**
 * Plugin Name: Stand-in of WooCommerce
 * Description: As much of WooCommerce's public interface as the plugin uses, for tests. No shop can be run with it.
 * Version:     9.4.0
 * License:     GPL-2.0-or-later
 *
 * @package Touchstone
 */

// phpcs:disable Generic.Files.OneObjectStructurePerFile, WordPress.NamingConventions.PrefixAllGlobals -- the names are WooCommerce's.

defined( 'ABSPATH' ) || exit;

/** An attribute of a product. */
class WC_Product_Attribute {

	/**
	 * Its data: name, value, visible, variation.
	 *
	 * @var array<string, mixed>
	 */
	private $data;

	/**
	 * Constructor.
	 *
	 * @param array<string, mixed> $data Its data.
	 */
	public function __construct( array $data ) {
		$this->data = $data;
	}

	/** Its name. */
	public function get_name() {
		return $this->data['name'];
	}

	/** Whether the page lists it. */
	public function get_visible() {
		return ! isset( $this->data['visible'] ) || $this->data['visible'];
	}

	/** Whether it distinguishes variations. */
	public function get_variation() {
		return ! empty( $this->data['variation'] );
	}

	/** Its value. */
	public function value() {
		return $this->data['value'];
	}
}

/** A product: its post, with metadata under WooCommerce's names. */
class WC_Product {

	/**
	 * Its post.
	 *
	 * @var WP_Post
	 */
	private $post;

	/**
	 * Constructor.
	 *
	 * @param WP_Post $post Its post.
	 */
	public function __construct( WP_Post $post ) {
		$this->post = $post;
	}

	/** Its post id. */
	public function get_id() {
		return $this->post->ID;
	}

	/** Its name. */
	public function get_name() {
		return $this->post->post_title;
	}

	/** Its SKU. */
	public function get_sku() {
		return (string) get_post_meta( $this->post->ID, '_sku', true );
	}

	/** Its GTIN. */
	public function get_global_unique_id() {
		return (string) get_post_meta( $this->post->ID, '_global_unique_id', true );
	}

	/** Its price; empty: none. */
	public function get_price() {
		return (string) get_post_meta( $this->post->ID, '_price', true );
	}

	/** Where the shop lists it: visible or hidden; WooCommerce stores this in a taxonomy. */
	public function get_catalog_visibility() {
		$kept = (string) get_post_meta( $this->post->ID, '_stand_in_visibility', true );
		return '' === $kept ? 'visible' : $kept;
	}

	/** Its first image. */
	public function get_image_id() {
		return (int) get_post_thumbnail_id( $this->post->ID );
	}

	/** Its other images. */
	public function get_gallery_image_ids() {
		return array_map( 'intval', array_filter( explode( ',', (string) get_post_meta( $this->post->ID, '_product_image_gallery', true ) ) ) );
	}

	/** Its attributes by name. */
	public function get_attributes() {
		$attributes = array();
		foreach ( (array) get_post_meta( $this->post->ID, '_product_attributes', true ) as $data ) {
			if ( is_array( $data ) ) {
				$attributes[ sanitize_title( $data['name'] ) ] = new WC_Product_Attribute( $data );
			}
		}
		return $attributes;
	}

	/**
	 * The value of an attribute.
	 *
	 * @param string $name Its name.
	 */
	public function get_attribute( $name ) {
		$attributes = $this->get_attributes();
		$key        = sanitize_title( $name );
		return isset( $attributes[ $key ] ) ? $attributes[ $key ]->value() : '';
	}
}

/**
 * Loads a product.
 *
 * @param int|WP_Post $id Its post id.
 * @return WC_Product|false
 */
function wc_get_product( $id ) {
	$post = get_post( $id );
	return $post instanceof WP_Post && 'product' === $post->post_type ? new WC_Product( $post ) : false;
}

/**
 * The label of an attribute.
 *
 * @param string $name Its name.
 */
function wc_attribute_label( $name ) {
	return ucfirst( str_replace( array( 'pa_', '-' ), array( '', ' ' ), $name ) );
}

add_action(
	'init',
	static function () {
		register_post_type(
			'product',
			array(
				'public'   => true,
				'label'    => 'Products',
				'supports' => array( 'title', 'editor', 'thumbnail', 'custom-fields' ),
				'rewrite'  => array( 'slug' => 'product' ),
				'show_ui'  => true,
			)
		);
		register_taxonomy( 'product_brand', 'product', array( 'public' => true ) );
	},
	5
);

add_action(
	'plugins_loaded',
	static function () {
		do_action( 'before_woocommerce_init' );
	},
	5
);

// Site administrators may manage the shop.
add_filter(
	'user_has_cap',
	static function ( $has ) {
		if ( ! empty( $has['manage_options'] ) ) {
			$has['manage_woocommerce'] = true;
		}
		return $has;
	}
);

add_action(
	'admin_menu',
	static function () {
		add_menu_page( 'WooCommerce', 'WooCommerce', 'manage_woocommerce', 'woocommerce', '__return_null' );
	}
);

/**
 * Saves a product as WooCommerce does: the post, then WooCommerce's own hook.
 *
 * @param array<string, mixed> $post Arguments of wp_insert_post(); with an ID: changes of that post.
 * @return int Its post id.
 */
function stand_in_save_product( array $post ) {
	$is_new = empty( $post['ID'] );
	$post   = array_merge( array( 'post_type' => 'product' ), $is_new ? array( 'post_status' => 'publish' ) : array(), $post );
	$id     = $is_new ? wp_insert_post( wp_slash( $post ) ) : wp_update_post( wp_slash( $post ) );
	do_action( $is_new ? 'woocommerce_new_product' : 'woocommerce_update_product', $id );
	return $id;
}

/** The summary of a product, which themes print; here after its text. */
add_filter(
	'the_content',
	static function ( $content ) {
		if ( ! is_singular( 'product' ) || ! in_the_loop() ) {
			return $content;
		}
		ob_start();
		do_action( 'woocommerce_single_product_summary' );
		return $content . ob_get_clean();
	}
);

/** One graph at the end of the page: breadcrumbs, and the product if it has an offer. */
add_action(
	'wp_footer',
	static function () {
		if ( ! is_singular( 'product' ) ) {
			return;
		}
		$product = wc_get_product( get_queried_object_id() );
		if ( ! $product || '' === $product->get_price() ) {
			return;
		}
		$url    = get_permalink( $product->get_id() );
		$markup = array(
			'@type'  => 'Product',
			'@id'    => $url . '#product',
			'name'   => wp_kses_post( $product->get_name() ),
			'url'    => $url,
			'sku'    => '' === $product->get_sku() ? $product->get_id() : $product->get_sku(),
			'offers' => array(
				array(
					'@type'         => 'Offer',
					'price'         => $product->get_price(),
					'priceCurrency' => 'EUR',
					'availability'  => 'https://schema.org/InStock',
					'url'           => $url,
				),
			),
		);
		$markup = apply_filters( 'woocommerce_structured_data_product', $markup, $product );
		$trail  = array(
			'@type'           => 'BreadcrumbList',
			'itemListElement' => array(),
		);
		$graph  = array(
			'@context' => 'https://schema.org/',
			'@graph'   => array( $trail, $markup ),
		);
		echo '<script type="application/ld+json">' . wp_json_encode( $graph, JSON_HEX_TAG | JSON_UNESCAPED_SLASHES ) . '</script>'; // phpcs:ignore WordPress.Security.EscapeOutput
	},
	10
);

if ( get_option( 'stand_in_action_scheduler' ) ) {
	require __DIR__ . '/action-scheduler.php';
}
