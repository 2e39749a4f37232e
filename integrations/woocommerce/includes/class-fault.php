<?php
/**
 * A failed request to the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** A failed request. */
final class Fault extends \Exception {

	/**
	 * A code for programs: `unreachable`, `not_understood`, or a code of the service.
	 *
	 * @var string
	 */
	public $word;

	/**
	 * HTTP status; 0: no answer.
	 *
	 * @var int
	 */
	public $status;

	/**
	 * Seconds to wait, from Retry-After; 0: unknown.
	 *
	 * @var int
	 */
	public $retry_after;

	/**
	 * Constructor.
	 *
	 * @param string $word        See above.
	 * @param string $message     A sentence; it may quote the service, so escape it.
	 * @param int    $status      HTTP status.
	 * @param int    $retry_after Seconds.
	 */
	public function __construct( string $word, string $message, int $status = 0, int $retry_after = 0 ) {
		parent::__construct( $message );
		$this->word        = $word;
		$this->status      = $status;
		$this->retry_after = $retry_after;
	}

	/** Whether the merchant must act before a retry can succeed. */
	public function needs_merchant(): bool {
		return in_array( $this->status, array( 400, 401, 403, 404 ), true );
	}
}
