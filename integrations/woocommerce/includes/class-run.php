<?php
/**
 * State of the jobs.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** The record of one job, in a separate option: when it last ran, the result, and where it continues. */
final class Run {

	const PREFIX = 'touchstone_run_';
	const NAMES  = array( 'connect', 'send', 'send_all', 'pull', 'check' );

	/** Seconds after which the lock of a killed job expires. */
	const LOCK_SECONDS = 300;

	/**
	 * Name of the job.
	 *
	 * @var string
	 */
	private $name;

	/**
	 * Constructor.
	 *
	 * @param string $name One of NAMES.
	 */
	public function __construct( string $name ) {
		$this->name = $name;
	}

	/**
	 * Reads the record.
	 *
	 * @return array<string, mixed>
	 */
	public function read(): array {
		$stored = get_option( self::PREFIX . $this->name, array() );
		return array_merge(
			array(
				'ok_at'    => 0,
				'failures' => 0,
				'retry_at' => 0,
				'problem'  => '',
				'word'     => '',
			),
			is_array( $stored ) ? $stored : array()
		);
	}

	/**
	 * Changes values of the record.
	 *
	 * @param array<string, mixed> $changes New values by name.
	 */
	public function change( array $changes ): void {
		update_option( self::PREFIX . $this->name, array_merge( $this->read(), $changes ), false );
	}

	/** Records a success. */
	public function succeeded(): void {
		$this->change(
			array(
				'ok_at'    => time(),
				'failures' => 0,
				'retry_at' => 0,
				'problem'  => '',
				'word'     => '',
			)
		);
	}

	/**
	 * Records a failure, and schedules a retry: after a minute, then twice as long each time up to an hour; not earlier than the service
	 * allows.
	 *
	 * @param Fault $fault The fault.
	 * @return int Time of the retry, in seconds since 1970.
	 */
	public function failed( Fault $fault ): int {
		$failures = (int) $this->read()['failures'] + 1;
		$wait     = min( HOUR_IN_SECONDS, MINUTE_IN_SECONDS * ( 2 ** min( 10, $failures - 1 ) ) );
		if ( $fault->needs_merchant() ) {
			$wait = max( $wait, HOUR_IN_SECONDS );
		}
		$retry_at = time() + max( $wait, min( DAY_IN_SECONDS, $fault->retry_after ) );
		$this->change(
			array(
				'failures' => $failures,
				'retry_at' => $retry_at,
				'problem'  => $fault->getMessage(),
				'word'     => $fault->word,
			)
		);
		return $retry_at;
	}

	/**
	 * Locks the job for this process.
	 *
	 * @return bool False: another process has locked it.
	 */
	public function lock(): bool {
		global $wpdb;
		$name = self::PREFIX . $this->name . '_lock';
		// phpcs:disable WordPress.DB.DirectDatabaseQuery -- add_option() is not atomic.
		$wpdb->query( $wpdb->prepare( "DELETE FROM $wpdb->options WHERE option_name = %s AND option_value < %d", $name, time() - self::LOCK_SECONDS ) );
		$taken = $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $name, (string) time() ) );
		// phpcs:enable
		return 1 === $taken;
	}

	/** Releases the lock. */
	public function unlock(): void {
		global $wpdb;
		$wpdb->delete( $wpdb->options, array( 'option_name' => self::PREFIX . $this->name . '_lock' ) ); // phpcs:ignore WordPress.DB.DirectDatabaseQuery
	}
}
