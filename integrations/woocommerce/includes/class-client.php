<?php
/**
 * Requests to the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Calls the service. Used by jobs and the settings page only, never by a page that a visitor opens. */
final class Client {

	const BASE = '/api/v1/registry';

	/**
	 * Address of the service, and the API key.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * Constructor.
	 *
	 * @param Settings $settings The settings.
	 */
	public function __construct( Settings $settings ) {
		$this->settings = $settings;
	}

	/**
	 * Sends a request.
	 *
	 * @param string               $method  HTTP method.
	 * @param string               $path    Path, with a leading slash.
	 * @param mixed                $body    Sent as JSON; null: none.
	 * @param int                  $timeout Seconds.
	 * @param array<string,string> $headers Additional headers.
	 * @return mixed The response's JSON, objects as arrays; null: no body.
	 * @throws Fault If there is no response, or an error response.
	 */
	public function call( string $method, string $path, $body = null, int $timeout = 15, array $headers = array() ) {
		$text = $this->exchange( $method, $path, $body, $timeout, $headers );
		return '' === $text ? null : $this->read( $text, true );
	}

	/**
	 * A text of the service.
	 *
	 * @param string $path Path, with a leading slash.
	 * @throws Fault If there is no response, or an error response.
	 */
	public function text( string $path ): string {
		return $this->exchange( 'GET', $path, null, 15, array() );
	}

	/**
	 * A document of the service, with objects as objects, so that empty ones do not become lists.
	 *
	 * @param string $path Path, with a leading slash.
	 * @return object
	 * @throws Fault If there is no response, or an error response.
	 */
	public function document( string $path ) {
		return (object) $this->read( $this->exchange( 'GET', $path, null, 15, array() ), false );
	}

	/**
	 * Sends a request.
	 *
	 * @param string               $method  HTTP method.
	 * @param string               $path    Path, with a leading slash.
	 * @param mixed                $body    Sent as JSON; null: none.
	 * @param int                  $timeout Seconds.
	 * @param array<string,string> $headers Additional headers.
	 * @return string The response's body.
	 * @throws Fault If there is no response, or an error response.
	 */
	private function exchange( string $method, string $path, $body, int $timeout, array $headers ): string {
		$options = $this->options( $method, $timeout, $headers );
		if ( null !== $body ) {
			$options['body']                    = wp_json_encode( $body, JSON_UNESCAPED_SLASHES );
			$options['headers']['content-type'] = 'application/json';
		}
		$answer = wp_remote_request( $this->settings->get( 'service' ) . $path, $options );
		if ( is_wp_error( $answer ) ) {
			throw $this->unreachable( $answer );
		}
		$status = (int) wp_remote_retrieve_response_code( $answer );
		$text   = wp_remote_retrieve_body( $answer );
		if ( $status < 200 || $status > 299 ) {
			throw $this->fault_of( $status, $text, (string) wp_remote_retrieve_header( $answer, 'retry-after' ) );
		}
		return $text;
	}

	/**
	 * Parses JSON.
	 *
	 * @param string $text   The response's body.
	 * @param bool   $arrays Whether objects become arrays.
	 * @return array<string, mixed>|object
	 * @throws Fault If it is not JSON.
	 */
	private function read( string $text, bool $arrays ) {
		$json = json_decode( $text, $arrays );
		if ( ! is_array( $json ) && ! is_object( $json ) ) {
			throw new Fault( 'not_understood', __( 'The answer is not JSON. Is this the address of the service?', 'touchstone-certificates' ) );
		}
		return $json;
	}

	/**
	 * Downloads lines of JSON into a file. A truncated download is still useful: its complete lines count.
	 *
	 * @param string $path    Path, with a leading slash.
	 * @param string $file    Path of the file.
	 * @param int    $timeout Seconds.
	 * @param int    $bytes   Maximum bytes of the download.
	 * @throws Fault If nothing was received.
	 */
	public function download( string $path, string $file, int $timeout, int $bytes ): void {
		// HTTP 1.0 and identity: without curl, WordPress decodes no chunks in a file, and it never decompresses one.
		$options = array_merge(
			$this->options( 'GET', $timeout, array( 'accept-encoding' => 'identity' ) ),
			array(
				'httpversion'         => '1.0',
				'decompress'          => false,
				'stream'              => true,
				'filename'            => $file,
				'limit_response_size' => $bytes,
			)
		);
		// WordPress passes `httpversion` to no transport.
		add_action( 'requests-requests.before_request', array( self::class, 'ask_by_http_1_0' ), 10, 5 );
		try {
			$answer = wp_remote_request( $this->settings->get( 'service' ) . $path, $options );
		} finally {
			remove_action( 'requests-requests.before_request', array( self::class, 'ask_by_http_1_0' ), 10 );
		}
		if ( is_wp_error( $answer ) ) {
			clearstatcache( true, $file );
			if ( ! is_file( $file ) || 0 === filesize( $file ) ) {
				throw $this->unreachable( $answer );
			}
			return;
		}
		$status = (int) wp_remote_retrieve_response_code( $answer );
		if ( 200 !== $status ) {
			$text = (string) file_get_contents( $file, false, null, 0, 100000 ); // phpcs:ignore WordPress.WP.AlternativeFunctions
			throw $this->fault_of( $status, $text, (string) wp_remote_retrieve_header( $answer, 'retry-after' ) );
		}
	}

	/**
	 * Makes the library send a request by HTTP 1.0.
	 *
	 * @param string               $url     Its address.
	 * @param array<string,string> $headers Its headers.
	 * @param mixed                $data    Its body.
	 * @param string               $type    Its method.
	 * @param array<string, mixed> $options Options of the Requests library.
	 */
	public static function ask_by_http_1_0( $url, $headers, $data, $type, &$options ): void { // phpcs:ignore Generic.CodeAnalysis.UnusedFunctionParameter
		$options['protocol_version'] = 1.0;
	}

	/**
	 * Options of every request.
	 *
	 * @param string               $method  HTTP method.
	 * @param int                  $timeout Seconds.
	 * @param array<string,string> $headers Additional headers.
	 * @return array<string, mixed>
	 */
	private function options( string $method, int $timeout, array $headers ): array {
		return array(
			'method'      => $method,
			'timeout'     => $timeout,
			'redirection' => 0, // The key is sent to no other address.
			'user-agent'  => 'Touchstone-WooCommerce/' . VERSION,
			'headers'     => array_merge(
				array(
					'authorization' => 'Bearer ' . $this->settings->api_key(),
					'accept'        => 'application/json, application/x-ndjson',
				),
				$headers
			),
		);
	}

	/**
	 * The fault for a missing response.
	 *
	 * @param \WP_Error $error The error of WordPress.
	 */
	private function unreachable( \WP_Error $error ): Fault {
		/* translators: %s: what the network said. */
		return new Fault( 'unreachable', sprintf( __( 'The service does not answer: %s', 'touchstone-certificates' ), $error->get_error_message() ) );
	}

	/**
	 * The fault for an error response.
	 *
	 * @param int    $status      HTTP status.
	 * @param string $text        Its body: a problem (RFC 9457), or a list of validation errors.
	 * @param string $retry_after Its Retry-After header.
	 */
	private function fault_of( int $status, string $text, string $retry_after ): Fault {
		$json = json_decode( $text, true );
		$json = is_array( $json ) ? $json : array();
		if ( 401 === $status ) {
			$said = __( 'The service does not know this API key. Create one in the console of the service, and enter it here.', 'touchstone-certificates' );
		} elseif ( isset( $json['detail'] ) && is_string( $json['detail'] ) ) {
			$said = $json['detail'];
		} elseif ( isset( $json['detail'][0]['msg'] ) && is_string( $json['detail'][0]['msg'] ) ) {
			$said = $json['detail'][0]['msg'];
		} elseif ( $status >= 300 && $status < 400 ) {
			$said = __( 'This address redirects to another one. Enter the address of the service itself.', 'touchstone-certificates' );
		} else {
			/* translators: %d: an HTTP status such as 502. */
			$said = sprintf( __( 'The service answered with status %d.', 'touchstone-certificates' ), $status );
		}
		$word = isset( $json['code'] ) && is_string( $json['code'] ) ? $json['code'] : 'status_' . $status;
		return new Fault( $word, $said, $status, ctype_digit( $retry_after ) ? (int) $retry_after : 0 );
	}
}
