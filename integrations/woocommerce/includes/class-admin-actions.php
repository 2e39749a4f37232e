<?php
/**
 * Handles the buttons of the settings page.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Handles the forms of the settings page: for shop managers, with a nonce; each redirects back to the page. */
final class Admin_Actions {

	const CAPABILITY = 'manage_woocommerce';
	const TELL       = 'touchstone_told_';

	/** Buttons, and the jobs that each one runs. */
	const BUTTONS = array(
		'test'     => array(),
		'connect'  => array( 'connect' ),
		'send_all' => array( 'send_all' ),
		'pull'     => array( 'send', 'pull' ),
		'check'    => array( 'check' ),
	);

	/**
	 * The settings.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * The connection to the service.
	 *
	 * @var Connection
	 */
	private $connection;

	/**
	 * Background jobs.
	 *
	 * @var Jobs
	 */
	private $jobs;

	/**
	 * Constructor.
	 *
	 * @param Settings   $settings   The settings.
	 * @param Connection $connection The connection to the service.
	 * @param Jobs       $jobs       Background jobs.
	 */
	public function __construct( Settings $settings, Connection $connection, Jobs $jobs ) {
		$this->settings   = $settings;
		$this->connection = $connection;
		$this->jobs       = $jobs;
	}

	/** Registers the hooks. */
	public function register(): void {
		add_action( 'admin_post_touchstone_save', array( $this, 'save' ) );
		add_action( 'admin_post_touchstone_run', array( $this, 'run' ) );
		add_action( 'admin_post_touchstone_disconnect', array( $this, 'disconnect' ) );
	}

	/** Saves the settings and connects the shop. */
	public function save(): void {
		$this->allow( 'touchstone_save' );
		$service = untrailingslashit( $this->field( 'service' ) );
		$problem = self::fault_of_address( $service );
		if ( '' !== $problem ) {
			$this->back( $problem, false );
		}
		$key = $this->field( 'api_key' );
		if ( '' !== $key ) {
			$this->settings->keep_api_key( $key );
		} elseif ( $service !== $this->settings->get( 'service' ) ) {
			// A key is only sent to its own service, never to another address.
			$this->settings->keep_api_key( '' );
		}
		if ( $service !== $this->settings->get( 'service' ) ) {
			$this->settings->keep_notice_secret( '' );
		}
		$this->settings->change(
			array(
				'service' => $service,
				'badge'   => '1' === $this->field( 'badge' ),
			)
		);
		if ( '' === $this->settings->api_key() ) {
			$this->settings->change( array( 'store' => '' ) );
			$this->back( __( 'Saved. Enter an API key for this service to continue.', 'touchstone-certificates' ), false );
		}
		try {
			$before = $this->settings->get( 'store' );
			$this->connection->connect( $this->field( 'store' ) );
			if ( $before !== $this->settings->get( 'store' ) ) {
				( new Run( 'pull' ) )->change( array( 'cursor' => '' ) );
				( new Run( 'send_all' ) )->change( array( 'after' => 0 ) );
			}
			Schedule::ensure_hourly();
			foreach ( array( 'touchstone_connect', 'touchstone_send_all' ) as $hook ) {
				Schedule::soon( $hook );
			}
			$this->back( __( 'Connected. From now on products are sent and certificates fetched in the background.', 'touchstone-certificates' ), true );
		} catch ( Fault $fault ) {
			$this->back( $fault->getMessage(), false );
		}
	}

	/** Runs jobs now. */
	public function run(): void {
		$this->allow( 'touchstone_run' );
		$button = $this->field( 'button' );
		if ( ! isset( self::BUTTONS[ $button ] ) ) {
			$this->back( '', true );
		}
		if ( 'test' === $button ) {
			try {
				$found = $this->connection->test();
				/* translators: %s: the name of the merchant at the service. */
				$this->back( sprintf( __( 'The service answers. This key belongs to “%s”.', 'touchstone-certificates' ), (string) $found['merchant']['name'] ), true );
			} catch ( Fault $fault ) {
				$this->back( $fault->getMessage(), false );
			}
		}
		foreach ( self::BUTTONS[ $button ] as $name ) {
			$problem = $this->jobs->run( $name, true );
			if ( '' !== $problem ) {
				$this->back( $problem, false );
			}
		}
		$this->back( __( 'Done. Anything left continues in the background.', 'touchstone-certificates' ), true );
	}

	/** Forgets the service; certificates disappear from the pages when they expire, after seven days at most. */
	public function disconnect(): void {
		$this->allow( 'touchstone_disconnect' );
		$this->connection->unsubscribe();
		Schedule::clear();
		delete_option( Settings::OPTION );
		delete_option( Settings::KEY );
		delete_option( Settings::SECRET );
		foreach ( Run::NAMES as $name ) {
			delete_option( Run::PREFIX . $name );
		}
		$this->back( __( 'Disconnected. Certificates stay on the pages until they expire, within seven days.', 'touchstone-certificates' ), true );
	}

	/**
	 * What is wrong with an entered address of a service.
	 *
	 * @param string $service The address.
	 * @return string A sentence; empty: it is valid.
	 */
	public static function fault_of_address( string $service ): string {
		$parts = wp_parse_url( $service );
		$host  = isset( $parts['host'] ) ? $parts['host'] : '';
		$local = in_array( $host, array( 'localhost', '127.0.0.1', '[::1]' ), true );
		if ( '' === $host || ! isset( $parts['scheme'] ) || isset( $parts['user'] ) || isset( $parts['query'] ) || isset( $parts['fragment'] ) ) {
			return __( 'Enter the address of the service, such as https://certificates.example.', 'touchstone-certificates' );
		}
		if ( 'https' !== $parts['scheme'] && ! ( $local && 'http' === $parts['scheme'] ) ) {
			return __( 'The address must begin with https://. Otherwise others could read the key.', 'touchstone-certificates' );
		}
		return '';
	}

	/**
	 * Ends the request unless the user has the permission and the nonce is valid.
	 *
	 * @param string $action Action of the nonce.
	 */
	private function allow( string $action ): void {
		if ( ! current_user_can( self::CAPABILITY ) ) {
			wp_die( esc_html__( 'You are not allowed to do this.', 'touchstone-certificates' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( $action );
	}

	/**
	 * A field of the form; the nonce has already been checked.
	 *
	 * @param string $name Its name.
	 */
	private function field( string $name ): string {
		return isset( $_POST[ $name ] ) && is_string( $_POST[ $name ] ) ? sanitize_text_field( wp_unslash( $_POST[ $name ] ) ) : ''; // phpcs:ignore WordPress.Security.NonceVerification
	}

	/**
	 * Redirects back to the page with a message.
	 *
	 * @param string $said The message.
	 * @param bool   $good Whether it succeeded.
	 */
	private function back( string $said, bool $good ): void {
		$told = array(
			'said' => $said,
			'good' => $good,
		);
		set_transient( self::TELL . get_current_user_id(), $told, MINUTE_IN_SECONDS * 5 );
		wp_safe_redirect( Admin_Page::address() );
		exit;
	}
}
