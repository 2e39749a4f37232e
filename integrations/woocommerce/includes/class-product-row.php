<?php
/**
 * A product as a row for the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Makes the row of a product: what its page shows to everybody, within the limits of the service. */
final class Product_Row {

	const MAX_IMAGES     = 250;
	const MAX_ATTRIBUTES = 50;

	/**
	 * Whether everybody can open a product's page and find it in the shop.
	 *
	 * @param \WC_Product $product The product.
	 */
	public static function is_public( $product ): bool {
		$post   = get_post( $product->get_id() );
		$public = $post && 'publish' === $post->post_status && '' === $post->post_password && 'hidden' !== $product->get_catalog_visibility();
		/**
		 * Whether a product is certified.
		 *
		 * @param bool        $public  Whether everybody can open its page and find it in the shop.
		 * @param \WC_Product $product The product.
		 */
		return (bool) apply_filters( 'touchstone_is_certified', $public, $product );
	}

	/**
	 * The row of a product.
	 *
	 * @param \WC_Product $product  The product.
	 * @param string      $last_url The address that was last sent; empty: none.
	 * @return array<string, mixed>
	 */
	public static function of( $product, string $last_url ): array {
		$visible = self::is_public( $product );
		// A draft has a temporary address.
		$url         = $visible || '' === $last_url ? (string) get_permalink( $product->get_id() ) : $last_url;
		$row         = array(
			'externalProductId' => (string) $product->get_id(),
			'url'               => $url,
			'name'              => self::text( $product->get_name(), 300 ),
			'visible'           => $visible,
			'images'            => self::images( $product ),
			'attributes'        => self::attributes( $product ),
		);
		$identifiers = array(
			'sku'   => $product->get_sku(),
			'gtin'  => method_exists( $product, 'get_global_unique_id' ) ? $product->get_global_unique_id() : '',
			'brand' => self::brand( $product->get_id() ),
		);
		foreach ( $identifiers as $name => $value ) {
			$text = self::text( (string) $value, 200 );
			if ( '' !== $text ) {
				$row[ $name ] = $text;
			}
		}
		/**
		 * The row of a product that is sent to the service.
		 *
		 * @param array       $row     See the operation putProducts of the service.
		 * @param \WC_Product $product The product.
		 */
		return (array) apply_filters( 'touchstone_product_row', $row, $product );
	}

	/**
	 * The product's images in full size, in the order of the page.
	 *
	 * @param \WC_Product $product The product.
	 * @return array<int, array{url: string, externalId: string}>
	 */
	private static function images( $product ): array {
		$ids  = array_merge( array( $product->get_image_id() ), $product->get_gallery_image_ids() );
		$rows = array();
		foreach ( array_unique( array_filter( array_map( 'intval', $ids ) ) ) as $id ) {
			$url = wp_get_attachment_url( $id );
			if ( is_string( $url ) && '' !== $url ) {
				$rows[ $url ] = array(
					'url'        => $url,
					'externalId' => (string) $id,
				);
			}
		}
		return array_slice( array_values( $rows ), 0, self::MAX_IMAGES );
	}

	/**
	 * Attributes that the page lists, except those that distinguish variations.
	 *
	 * @param \WC_Product $product The product.
	 * @return array<int, array{name: string, value: string}>
	 */
	private static function attributes( $product ): array {
		$rows = array();
		foreach ( $product->get_attributes() as $attribute ) {
			if ( ! is_object( $attribute ) || ! $attribute->get_visible() || $attribute->get_variation() ) {
				continue;
			}
			$name  = self::text( (string) wc_attribute_label( $attribute->get_name(), $product ), 200 );
			$value = self::text( (string) $product->get_attribute( $attribute->get_name() ), 1000 );
			if ( '' !== $name && '' !== $value ) {
				$rows[] = array(
					'name'  => $name,
					'value' => $value,
				);
			}
		}
		return array_slice( $rows, 0, self::MAX_ATTRIBUTES );
	}

	/**
	 * The product's brand, from WooCommerce's own taxonomy.
	 *
	 * @param int $product_id Post id of the product.
	 */
	private static function brand( int $product_id ): string {
		$terms = taxonomy_exists( 'product_brand' ) ? get_the_terms( $product_id, 'product_brand' ) : false;
		return is_array( $terms ) && isset( $terms[0]->name ) ? $terms[0]->name : '';
	}

	/**
	 * HTML as plain text.
	 *
	 * @param string $html HTML from WooCommerce.
	 * @param int    $most Maximum UTF-16 code units, which the service counts.
	 */
	private static function text( string $html, int $most ): string {
		$text = html_entity_decode( wp_strip_all_tags( $html, true ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
		$text = trim( wp_check_invalid_utf8( str_replace( "\0", '', $text ), true ) );
		while ( self::units( $text ) > $most ) {
			$over = self::units( $text ) - $most;
			$text = mb_substr( $text, 0, mb_strlen( $text, 'UTF-8' ) - (int) ceil( $over / 2 ), 'UTF-8' );
		}
		return trim( $text );
	}

	/**
	 * Length of a text in UTF-16 code units.
	 *
	 * @param string $text In UTF-8.
	 */
	private static function units( string $text ): int {
		return mb_strlen( $text, 'UTF-8' ) + (int) preg_match_all( '/[\x{10000}-\x{10FFFF}]/u', $text );
	}
}
