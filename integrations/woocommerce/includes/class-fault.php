<?php
/**
 * What went wrong with a request to the service.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** A request that did not do what it was for. */
final class Fault extends \Exception {

	/**
	 * A word for programs: `unreachable`, `not_understood`, or a code of the service.
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
	 * Seconds that the service asks to wait; 0: it does not say.
	 *
	 * @var int
	 */
	public $retry_after;

	/**
	 * Describes it.
	 *
	 * @param string $word        See above.
	 * @param string $message     A sentence; it may quote what the service said, so escape it.
	 * @param int    $status      HTTP status.
	 * @param int    $retry_after Seconds.
	 */
	public function __construct( string $word, string $message, int $status = 0, int $retry_after = 0 ) {
		parent::__construct( $message );
		$this->word        = $word;
		$this->status      = $status;
		$this->retry_after = $retry_after;
	}

	/** Whether the merchant has to do something before it can work. */
	public function needs_merchant(): bool {
		return in_array( $this->status, array( 400, 401, 403, 404 ), true );
	}
}
