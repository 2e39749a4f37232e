<?php
/**
 * How the jobs went.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** The record of one job: when it last ran, what came of it, where it goes on. Each has an option of its own. */
final class Run {

	const PREFIX = 'touchstone_run_';
	const NAMES  = array( 'connect', 'send', 'send_all', 'pull', 'check' );

	/** Seconds after which a lock is taken from a job that died. */
	const LOCK_SECONDS = 300;

	/**
	 * Which job.
	 *
	 * @var string
	 */
	private $name;

	/**
	 * Opens the record of a job.
	 *
	 * @param string $name One of NAMES.
	 */
	public function __construct( string $name ) {
		$this->name = $name;
	}

	/**
	 * The record.
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
	 * Changes the record.
	 *
	 * @param array<string, mixed> $changes By name.
	 */
	public function change( array $changes ): void {
		update_option( self::PREFIX . $this->name, array_merge( $this->read(), $changes ), false );
	}

	/** Notes that it worked. */
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
	 * Notes that it did not, and when it is tried again: after a minute, then twice as long each time up to six hours; no sooner
	 * than the service asks for.
	 *
	 * @param Fault $fault What went wrong.
	 * @return int When it is tried again.
	 */
	public function failed( Fault $fault ): int {
		$failures = (int) $this->read()['failures'] + 1;
		$wait     = min( 6 * HOUR_IN_SECONDS, MINUTE_IN_SECONDS * ( 2 ** min( 10, $failures - 1 ) ) );
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
	 * Takes the job for this process.
	 *
	 * @return bool False: another one has it.
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

	/** Gives it back. */
	public function unlock(): void {
		global $wpdb;
		$wpdb->delete( $wpdb->options, array( 'option_name' => self::PREFIX . $this->name . '_lock' ) ); // phpcs:ignore WordPress.DB.DirectDatabaseQuery
	}
}
