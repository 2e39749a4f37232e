<?php
/**
 * The shop's place at the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Finds or makes the store of this shop at the service, and proves that the shop's host is the merchant's. */
final class Connection {

	/**
	 * Where the store is kept.
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
	 * Opens it.
	 *
	 * @param Settings $settings Where the store is kept.
	 * @param Client   $client   The service.
	 */
	public function __construct( Settings $settings, Client $client ) {
		$this->settings = $settings;
		$this->client   = $client;
	}

	/**
	 * The merchant whose key this is, and the stores it has.
	 *
	 * @return array{merchant: array<string, mixed>, stores: array<int, array<string, mixed>>}
	 * @throws Fault Where the service or the key is not right.
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
	 * Connects the shop: to the store that was chosen, to the one that has this host, or to a new one.
	 *
	 * @param string $chosen Id of a store; empty: whichever fits.
	 * @throws Fault Where that cannot be.
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
	 * Reads again how the domain stands, and proves it where it is not proven.
	 *
	 * @throws Fault Where that cannot be asked, or the proof was not found.
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
		if ( $domain['verified'] ) {
			return;
		}
		// The home page that a cache holds does not show the challenge yet.
		( new Page_Caches() )->purge( (int) get_option( 'page_on_front' ), home_url( '/' ) );
		$proof = $this->client->call( 'POST', Client::BASE . '/stores/' . $this->settings->get( 'store' ) . '/domains/' . rawurlencode( $this->settings->host() ) . '/verify', null, 60 );
		$this->settings->change( array( 'proven' => true === $proof['verified'] ) );
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
	 * Has the service tell this shop of new certificates, which then come within seconds. Without that they come with the daily
	 * pull; so a service that has no webhooks, or a shop that it refuses to call, is no fault.
	 *
	 * @throws Fault Where the service does not answer.
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
			// Its secret is told only when it is made, or given another one.
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

	/** Has the service tell this shop nothing more; where it cannot be asked, it gives up by itself. */
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
	 * The merchant whose key this is.
	 *
	 * @throws Fault Where the service or the key is not right.
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
	 * The store whose address is that of this shop.
	 *
	 * @param array<int, array<string, mixed>> $stores All of the merchant.
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
	 * A new store; asked again after a lost answer, it is the same one.
	 *
	 * @param string $merchant_id Whose it is.
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
	 * What a store says of this shop's host.
	 *
	 * @param array<string, mixed> $store As the service has it.
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
