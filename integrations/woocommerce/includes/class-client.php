<?php
/**
 * Requests to the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Calls the service. Only jobs and the settings page do, never a page that a visitor opens. */
final class Client {

	const BASE = '/api/v1/registry';

	/**
	 * Where the service is, and the key to it.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * Opens a client.
	 *
	 * @param Settings $settings Where the service is, and the key to it.
	 */
	public function __construct( Settings $settings ) {
		$this->settings = $settings;
	}

	/**
	 * Calls it.
	 *
	 * @param string               $method  HTTP method.
	 * @param string               $path    Beginning with a slash.
	 * @param mixed                $body    Sent as JSON; null: none.
	 * @param int                  $timeout Seconds.
	 * @param array<string,string> $headers More headers.
	 * @return mixed The answer's JSON, objects as arrays; null: it has no body.
	 * @throws Fault When there is no answer, or it is none of success.
	 */
	public function call( string $method, string $path, $body = null, int $timeout = 15, array $headers = array() ) {
		$text = $this->exchange( $method, $path, $body, $timeout, $headers );
		return '' === $text ? null : $this->read( $text, true );
	}

	/**
	 * A document of the service as it is: its empty objects do not become lists.
	 *
	 * @param string $path Beginning with a slash.
	 * @return object
	 * @throws Fault When there is no answer, or it is none of success.
	 */
	public function document( string $path ) {
		return (object) $this->read( $this->exchange( 'GET', $path, null, 15, array() ), false );
	}

	/**
	 * Calls it.
	 *
	 * @param string               $method  HTTP method.
	 * @param string               $path    Beginning with a slash.
	 * @param mixed                $body    Sent as JSON; null: none.
	 * @param int                  $timeout Seconds.
	 * @param array<string,string> $headers More headers.
	 * @return string The answer's body.
	 * @throws Fault When there is no answer, or it is none of success.
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
	 * Reads JSON.
	 *
	 * @param string $text   The answer.
	 * @param bool   $arrays Objects as arrays.
	 * @return array<string, mixed>|object
	 * @throws Fault When it is none.
	 */
	private function read( string $text, bool $arrays ) {
		$json = json_decode( $text, $arrays );
		if ( ! is_array( $json ) && ! is_object( $json ) ) {
			throw new Fault( 'not_understood', __( 'The answer is not JSON. Is this the address of the service?', 'touchstone-certificates' ) );
		}
		return $json;
	}

	/**
	 * Downloads lines of JSON into a file. What was cut off is still worth reading: its whole lines count.
	 *
	 * @param string $path    Beginning with a slash.
	 * @param string $file    Where it is written.
	 * @param int    $timeout Seconds.
	 * @param int    $bytes   The most that is taken at a time.
	 * @throws Fault When nothing came.
	 */
	public function download( string $path, string $file, int $timeout, int $bytes ): void {
		// HTTP 1.0 and identity: without curl nothing undoes chunks in a file, and nothing ever undoes compression in one.
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
		// WordPress hands `httpversion` to no transport.
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
	 * Has a request made by HTTP 1.0.
	 *
	 * @param string               $url     Its address.
	 * @param array<string,string> $headers Its headers.
	 * @param mixed                $data    Its body.
	 * @param string               $type    Its method.
	 * @param array<string, mixed> $options Of the library that WordPress makes requests with.
	 */
	public static function ask_by_http_1_0( $url, $headers, $data, $type, &$options ): void { // phpcs:ignore Generic.CodeAnalysis.UnusedFunctionParameter
		$options['protocol_version'] = 1.0;
	}

	/**
	 * What every request has.
	 *
	 * @param string               $method  HTTP method.
	 * @param int                  $timeout Seconds.
	 * @param array<string,string> $headers More headers.
	 * @return array<string, mixed>
	 */
	private function options( string $method, int $timeout, array $headers ): array {
		return array(
			'method'      => $method,
			'timeout'     => $timeout,
			'redirection' => 0, // The key goes to no other address.
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
	 * No answer.
	 *
	 * @param \WP_Error $error What WordPress says.
	 */
	private function unreachable( \WP_Error $error ): Fault {
		/* translators: %s: what the network said. */
		return new Fault( 'unreachable', sprintf( __( 'The service does not answer: %s', 'touchstone-certificates' ), $error->get_error_message() ) );
	}

	/**
	 * An answer that is none of success.
	 *
	 * @param int    $status      HTTP status.
	 * @param string $text        Its body: a problem (RFC 9457), or the list of what is not valid.
	 * @param string $retry_after Its header.
	 */
	private function fault_of( int $status, string $text, string $retry_after ): Fault {
		$json = json_decode( $text, true );
		$json = is_array( $json ) ? $json : array();
		if ( 401 === $status ) {
			$said = __( 'The service does not know this API key. Make one at the service and enter it here.', 'touchstone-certificates' );
		} elseif ( isset( $json['detail'] ) && is_string( $json['detail'] ) ) {
			$said = $json['detail'];
		} elseif ( isset( $json['detail'][0]['msg'] ) && is_string( $json['detail'][0]['msg'] ) ) {
			$said = $json['detail'][0]['msg'];
		} elseif ( $status >= 300 && $status < 400 ) {
			$said = __( 'The address leads on to another one. Enter that of the service itself.', 'touchstone-certificates' );
		} else {
			/* translators: %d: an HTTP status such as 502. */
			$said = sprintf( __( 'The service answered with status %d.', 'touchstone-certificates' ), $status );
		}
		$word = isset( $json['code'] ) && is_string( $json['code'] ) ? $json['code'] : 'status_' . $status;
		return new Fault( $word, $said, $status, ctype_digit( $retry_after ) ? (int) $retry_after : 0 );
	}
}
