<?php
/**
 * The connection of the shop to the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Finds or creates the store of this shop at the service, and proves that the merchant controls the shop's host. */
final class Connection {

	/**
	 * The settings, which store the connection.
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
	 * Constructor.
	 *
	 * @param Settings $settings The settings.
	 * @param Client   $client   The client of the service.
	 */
	public function __construct( Settings $settings, Client $client ) {
		$this->settings = $settings;
		$this->client   = $client;
	}

	/**
	 * The merchant of the key, and its stores.
	 *
	 * @return array{merchant: array<string, mixed>, stores: array<int, array<string, mixed>>}
	 * @throws Fault If the address of the service or the key is wrong.
	 */
	public function test(): array {
		$list = $this->client->call( 'GET', Client::BASE . '/merchants?limit=2' );
		$all  = isset( $list['merchants'] ) && is_array( $list['merchants'] ) ? $list['merchants'] : null;
		if ( null === $all ) {
			throw new Fault( 'not_understood', __( 'The answer is not that of a certificate service. Check the address.', 'touchstone-certificates' ) );
		}
		if ( 1 !== count( $all ) ) {
			throw new Fault( 'not_a_merchant', __( 'This key belongs to an operator. Enter the key of one merchant.', 'touchstone-certificates' ), 403 );
		}
		return array(
			'merchant' => $all[0],
			'stores'   => $this->stores(),
		);
	}

	/**
	 * Connects the shop: to the chosen store, to the one with this host, or to a new one.
	 *
	 * @param string $chosen Id of a store; empty: any that fits.
	 * @throws Fault If that is not possible.
	 */
	public function connect( string $chosen = '' ): void {
		$found    = $this->test();
		$store_id = $chosen;
		if ( '' === $store_id ) {
			$store_id = $this->own_store( $found['stores'] );
		}
		$store = '' === $store_id ? $this->create( (string) $found['merchant']['id'] ) : $this->client->call( 'GET', Client::BASE . '/stores/' . rawurlencode( $store_id ) );
		if ( ! isset( $store['id'], $store['domains'] ) ) {
			throw new Fault( 'not_understood', __( 'The answer is not that of a certificate service. Check the address.', 'touchstone-certificates' ) );
		}
		$domain = $this->domain_of( $store );
		if ( null === $domain ) {
			$domain = $this->client->call( 'POST', Client::BASE . '/stores/' . $store['id'] . '/domains', array( 'hostname' => $this->settings->host() ) );
		}
		$this->settings->change(
			array(
				'store'     => (string) $store['id'],
				'home'      => untrailingslashit( home_url() ),
				'challenge' => (string) $domain['challenge'],
				'proven'    => (bool) $domain['verified'],
			)
		);
	}

	/**
	 * Reads the state of the domain, and proves it if necessary.
	 *
	 * @throws Fault If the service does not answer, or did not find the proof.
	 */
	public function prove(): void {
		$store  = $this->client->call( 'GET', Client::BASE . '/stores/' . $this->settings->get( 'store' ) );
		$domain = $this->domain_of( (array) $store );
		if ( null === $domain || isset( $domain['lostAt'] ) ) {
			$domain = $this->client->call( 'POST', Client::BASE . '/stores/' . $this->settings->get( 'store' ) . '/domains', array( 'hostname' => $this->settings->host() ) );
		}
		$this->settings->change(
			array(
				'challenge' => (string) $domain['challenge'],
				'proven'    => (bool) $domain['verified'],
			)
		);
		if ( $domain['verified'] && ! isset( $domain['missing'] ) ) {
			return;
		}
		// A cached home page does not show the challenge yet.
		( new Page_Caches() )->purge( (int) get_option( 'page_on_front' ), home_url( '/' ) );
		$proof = $this->client->call( 'POST', Client::BASE . '/stores/' . $this->settings->get( 'store' ) . '/domains/' . rawurlencode( $this->settings->host() ) . '/verify', null, 60 );
		$this->settings->change( array( 'proven' => true === $proof['verified'] || isset( $proof['provenUntil'] ) ) );
		if ( true !== $proof['verified'] ) {
			$saw = '';
			foreach ( (array) $proof['saw'] as $place ) {
				if ( isset( $place['method'], $place['where'], $place['detail'] ) && 'meta_tag' === $place['method'] ) {
					$saw = $place['where'] . ': ' . $place['detail'] . ' ';
				}
			}
			throw new Fault( 'domain_not_proven', $saw . (string) $proof['nextStep'], 404 );
		}
	}

	/**
	 * Subscribes to webhooks for new certificates, which then arrive within seconds; otherwise they arrive with the hourly pull. So a service
	 * without webhooks, or one that refuses to call this shop, is no fault.
	 *
	 * @throws Fault If the service does not answer.
	 */
	public function subscribe(): void {
		$address = Notices::address();
		if ( '' !== $this->settings->notice_secret() && $this->settings->get( 'notices' ) === $address ) {
			return;
		}
		try {
			$known = '';
			$list  = $this->client->call( 'GET', Client::BASE . '/webhooks?limit=500' );
			foreach ( isset( $list['webhooks'] ) ? (array) $list['webhooks'] : array() as $webhook ) {
				if ( isset( $webhook['url'], $webhook['id'] ) && $webhook['url'] === $address ) {
					$known = (string) $webhook['id'];
				}
			}
			// The secret is only sent when it is created or replaced.
			$made = '' !== $known
				? $this->client->call( 'POST', Client::BASE . '/webhooks/' . $known . '/rotate-secret' )
				: $this->client->call(
					'POST',
					Client::BASE . '/webhooks',
					array(
						'merchantId'  => $this->merchant_id(),
						'url'         => $address,
						'events'      => array( 'certificate.issued', 'certificate.renewed', 'certificate.withdrawn' ),
						'description' => 'WooCommerce: ' . $this->settings->host(),
					)
				);
		} catch ( Fault $fault ) {
			if ( $fault->status < 400 || $fault->status >= 500 || 429 === $fault->status ) {
				throw $fault;
			}
			return;
		}
		$this->settings->keep_notice_secret( (string) $made['secret'] );
		$this->settings->change(
			array(
				'notices' => $address,
				'webhook' => (string) $made['id'],
			)
		);
	}

	/** Deletes the webhook; if the service does not answer, it stops by itself after failed deliveries. */
	public function unsubscribe(): void {
		$webhook = $this->settings->get( 'webhook' );
		if ( '' === $webhook || $this->settings->has_moved() ) {
			return;
		}
		try {
			$this->client->call( 'DELETE', Client::BASE . '/webhooks/' . rawurlencode( $webhook ), null, 5 );
		} catch ( Fault $fault ) {
			unset( $fault );
		}
	}

	/**
	 * The merchant of the key.
	 *
	 * @throws Fault If the address of the service or the key is wrong.
	 */
	private function merchant_id(): string {
		$store = $this->client->call( 'GET', Client::BASE . '/stores/' . $this->settings->get( 'store' ) );
		return isset( $store['merchantId'] ) ? (string) $store['merchantId'] : '';
	}

	/**
	 * All stores of the merchant.
	 *
	 * @return array<int, array<string, mixed>>
	 */
	private function stores(): array {
		$stores = array();
		$cursor = '';
		do {
			$page   = $this->client->call( 'GET', Client::BASE . '/stores?limit=500' . ( '' === $cursor ? '' : '&cursor=' . rawurlencode( $cursor ) ) );
			$stores = array_merge( $stores, (array) $page['stores'] );
			$cursor = isset( $page['nextCursor'] ) ? (string) $page['nextCursor'] : '';
			$count  = count( $stores );
		} while ( '' !== $cursor && $count < 5000 );
		return $stores;
	}

	/**
	 * The store with the address of this shop.
	 *
	 * @param array<int, array<string, mixed>> $stores All stores of the merchant.
	 * @return string Its id; empty: none.
	 */
	private function own_store( array $stores ): string {
		foreach ( $stores as $store ) {
			if ( untrailingslashit( (string) $store['url'] ) === untrailingslashit( home_url() ) ) {
				return (string) $store['id'];
			}
		}
		foreach ( $stores as $store ) {
			if ( strtolower( (string) wp_parse_url( (string) $store['url'], PHP_URL_HOST ) ) === $this->settings->host() ) {
				return (string) $store['id'];
			}
		}
		return '';
	}

	/**
	 * Creates a store; a retry after a lost response gives the same one.
	 *
	 * @param string $merchant_id Id of its merchant.
	 * @return array<string, mixed>
	 */
	private function create( string $merchant_id ): array {
		$body = array(
			'merchantId' => $merchant_id,
			'name'       => mb_substr( html_entity_decode( get_bloginfo( 'name', 'raw' ), ENT_QUOTES, 'UTF-8' ), 0, 200, 'UTF-8' ),
			'url'        => home_url( '/' ),
			'platform'   => 'woocommerce',
		);
		if ( '' === trim( $body['name'] ) ) {
			$body['name'] = $this->settings->host();
		}
		$key = 'woocommerce-' . md5( (string) wp_json_encode( $body ) );
		return (array) $this->client->call( 'POST', Client::BASE . '/stores', $body, 15, array( 'idempotency-key' => $key ) );
	}

	/**
	 * The entry for this shop's host in a store.
	 *
	 * @param array<string, mixed> $store The store, from the service.
	 * @return array<string, mixed>|null
	 */
	private function domain_of( array $store ): ?array {
		foreach ( (array) $store['domains'] as $domain ) {
			if ( isset( $domain['hostname'] ) && $domain['hostname'] === $this->settings->host() ) {
				return $domain;
			}
		}
		return null;
	}
}
