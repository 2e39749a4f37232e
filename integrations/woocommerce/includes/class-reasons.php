<?php
/**
 * Reasons, in the merchant's language.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Explains why a product has no certificate, or its page an outdated one, and what to do. */
final class Reasons {

	/**
	 * Label of a product's state.
	 *
	 * @param string $state A state of Overview::counts().
	 */
	public static function name( string $state ): string {
		$names = array(
			'certified' => __( 'certified', 'touchstone-certificates' ),
			'waiting'   => __( 'waiting for a certificate', 'touchstone-certificates' ),
			'unsent'    => __( 'not sent yet', 'touchstone-certificates' ),
			'hidden'    => __( 'hidden', 'touchstone-certificates' ),
			'error'     => __( 'refused', 'touchstone-certificates' ),
			'no_slot'   => __( 'without a seat', 'touchstone-certificates' ),
			'paused'    => __( 'paused', 'touchstone-certificates' ),
			'host_lost' => __( 'domain lost', 'touchstone-certificates' ),
			'disabled'  => __( 'disabled', 'touchstone-certificates' ),
			'deleted'   => __( 'deleted', 'touchstone-certificates' ),
		);
		return isset( $names[ $state ] ) ? $names[ $state ] : $state;
	}

	/**
	 * What to do about a product's state.
	 *
	 * @param string $state State from the service.
	 */
	public static function next_step( string $state ): string {
		$steps = array(
			'hidden'    => __( 'Nothing. To certify it, publish it without a password, and show it in the shop.', 'touchstone-certificates' ),
			'error'     => __( 'Correct what the reason names, and save the product.', 'touchstone-certificates' ),
			'no_slot'   => __( 'All seats of your plan are taken. Ask the operator of the service for a larger plan, or hide products.', 'touchstone-certificates' ),
			'paused'    => __( 'The operator of the service has paused your account. Ask the operator why.', 'touchstone-certificates' ),
			'host_lost' => __( 'The address of this product is not, or no longer, on a domain of your store. See “Domain” above.', 'touchstone-certificates' ),
			'disabled'  => __( 'The operator of the service has disabled this product. Ask the operator why.', 'touchstone-certificates' ),
			'deleted'   => __( 'It was deleted at the service. Save the product to send it again.', 'touchstone-certificates' ),
		);
		return isset( $steps[ $state ] ) ? $steps[ $state ] : '';
	}

	/**
	 * A verdict on a page; its code is in the documentation.
	 *
	 * @param string $verdict Verdict of the page check.
	 */
	public static function verdict( string $verdict ): string {
		$names = array(
			'redirected'          => __( 'leads to another page', 'touchstone-certificates' ),
			'unverified'          => __( 'not signed', 'touchstone-certificates' ),
			'certificate_expired' => __( 'expired certificate', 'touchstone-certificates' ),
			'checks_failed'       => __( 'certificate not valid on this page', 'touchstone-certificates' ),
			'no_certificate'      => __( 'no certificate', 'touchstone-certificates' ),
			'invalid_certificate' => __( 'incomplete certificate', 'touchstone-certificates' ),
			'canonical_mismatch'  => __( 'certificate of another service', 'touchstone-certificates' ),
			'product_deleted'     => __( 'product deleted', 'touchstone-certificates' ),
			'password_protected'  => __( 'behind a password', 'touchstone-certificates' ),
			'page_fetch_failed'   => __( 'page not reachable', 'touchstone-certificates' ),
		);
		return isset( $names[ $verdict ] ) ? $names[ $verdict ] : '';
	}

	/**
	 * What to do about a page with a problem.
	 *
	 * @param string $verdict Verdict of the page check.
	 */
	public static function of_page( string $verdict ): string {
		$steps = array(
			'no_certificate'      => __( 'Visitors get a page without its certificate. Clear the page cache. If that does not help, the theme does not call wp_footer().', 'touchstone-certificates' ),
			'certificate_expired' => __( 'Visitors get an old copy of the page. Clear the page cache, also that of your host or CDN, and have it keep pages for a day at most.', 'touchstone-certificates' ),
			'checks_failed'       => __( 'The certificate on the page is altered, or belongs to another page. Clear the page cache. If that does not help, see the reason.', 'touchstone-certificates' ),
			'password_protected'  => __( 'The page asks for a password or says “coming soon”. Nothing to do until the shop opens.', 'touchstone-certificates' ),
			'page_fetch_failed'   => __( 'The service cannot open the page. Allow it in your firewall or bot protection.', 'touchstone-certificates' ),
			'redirected'          => __( 'Visitors are redirected to the page that the reason names. Remove the redirect.', 'touchstone-certificates' ),
			'product_deleted'     => __( 'The product was deleted at the service. Save it to send it again.', 'touchstone-certificates' ),
		);
		return isset( $steps[ $verdict ] ) ? $steps[ $verdict ] : __( 'Clear the page cache. If that does not help, see the reason.', 'touchstone-certificates' );
	}

	/**
	 * Label of a job.
	 *
	 * @param string $name One of Run::NAMES.
	 */
	public static function job( string $name ): string {
		$names = array(
			'connect'  => __( 'Proving the domain', 'touchstone-certificates' ),
			'send'     => __( 'Sending changes', 'touchstone-certificates' ),
			'send_all' => __( 'Sending all products', 'touchstone-certificates' ),
			'pull'     => __( 'Fetching certificates', 'touchstone-certificates' ),
			'check'    => __( 'Checking pages', 'touchstone-certificates' ),
		);
		return isset( $names[ $name ] ) ? $names[ $name ] : $name;
	}
}
