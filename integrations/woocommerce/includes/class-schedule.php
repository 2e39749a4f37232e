<?php
/**
 * Schedule of the jobs.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** Runs jobs by Action Scheduler, which is part of WooCommerce, or by WP-Cron if that is missing. */
final class Schedule {

	const GROUP  = 'touchstone';
	const HOURLY = 'touchstone_hourly';
	const JOBS   = array( 'touchstone_connect', 'touchstone_send', 'touchstone_send_all', 'touchstone_pull', 'touchstone_check' );

	/**
	 * Schedules a single run, unless one is already scheduled by then.
	 *
	 * @param string $hook One of JOBS.
	 * @param int    $wait Seconds from now.
	 */
	public static function soon( string $hook, int $wait = 0 ): void {
		$at = time() + $wait;
		if ( self::has_action_scheduler() ) {
			$waiting = as_get_scheduled_actions(
				array(
					'hook'         => $hook,
					'group'        => self::GROUP,
					'status'       => 'pending',
					'date'         => gmdate( 'Y-m-d H:i:s', $at ),
					'date_compare' => '<=',
					'per_page'     => 1,
				),
				'ids'
			);
			if ( array() === $waiting ) {
				as_schedule_single_action( $at, $hook, array(), self::GROUP );
			}
			return;
		}
		$next = wp_next_scheduled( $hook );
		if ( false !== $next && $next <= $at ) {
			return;
		}
		wp_clear_scheduled_hook( $hook );
		wp_schedule_single_event( $at, $hook );
	}

	/** Schedules the hourly job. */
	public static function ensure_hourly(): void {
		if ( self::has_action_scheduler() ) {
			wp_clear_scheduled_hook( self::HOURLY );
			if ( false === as_next_scheduled_action( self::HOURLY, array(), self::GROUP ) ) {
				as_schedule_recurring_action( time() + MINUTE_IN_SECONDS, HOUR_IN_SECONDS, self::HOURLY, array(), self::GROUP );
			}
			return;
		}
		if ( false === wp_next_scheduled( self::HOURLY ) ) {
			wp_schedule_event( time() + MINUTE_IN_SECONDS, 'hourly', self::HOURLY );
		}
	}

	/** Removes every job from both schedules. */
	public static function clear(): void {
		foreach ( array_merge( self::JOBS, array( self::HOURLY ) ) as $hook ) {
			wp_unschedule_hook( $hook );
			if ( function_exists( 'as_unschedule_all_actions' ) ) {
				as_unschedule_all_actions( $hook, array(), self::GROUP );
			}
		}
	}

	/** Whether Action Scheduler is loaded and ready. */
	private static function has_action_scheduler(): bool {
		return function_exists( 'as_schedule_single_action' ) && function_exists( 'as_get_scheduled_actions' ) && did_action( 'action_scheduler_init' );
	}
}
