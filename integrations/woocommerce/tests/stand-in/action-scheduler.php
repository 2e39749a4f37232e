<?php
/**
 * The part of Action Scheduler's public interface that the plugin uses: actions are stored in an option, and run by tests.
 *
 * @package Touchstone
 */

// phpcs:disable WordPress.NamingConventions.PrefixAllGlobals -- the names are Action Scheduler's.

defined( 'ABSPATH' ) || exit;

add_action(
	'init',
	static function () {
		do_action( 'action_scheduler_init' );
	},
	1
);

/** Scheduled actions: hook, group, time, interval. */
function stand_in_actions() {
	return (array) get_option( 'stand_in_actions', array() );
}

/**
 * Schedules an action.
 *
 * @param int    $time  Time, in seconds since 1970.
 * @param string $hook  The hook.
 * @param array  $args  Its arguments.
 * @param string $group The plugin's group.
 */
function as_schedule_single_action( $time, $hook, $args = array(), $group = '' ) {
	return as_schedule_recurring_action( $time, 0, $hook, $args, $group );
}

/**
 * Schedules a recurring action.
 *
 * @param int    $time     Time of the first run.
 * @param int    $interval Seconds.
 * @param string $hook     The hook.
 * @param array  $args     Its arguments.
 * @param string $group    The plugin's group.
 */
function as_schedule_recurring_action( $time, $interval, $hook, $args = array(), $group = '' ) {
	$actions   = stand_in_actions();
	$actions[] = compact( 'time', 'interval', 'hook', 'group' );
	update_option( 'stand_in_actions', $actions, false );
	return count( $actions );
}

/**
 * Ids of scheduled actions.
 *
 * @param array  $query  Hook, and the latest time.
 * @param string $fields Always `ids` here.
 */
function as_get_scheduled_actions( $query, $fields = 'objects' ) { // phpcs:ignore Generic.CodeAnalysis.UnusedFunctionParameter
	$until = strtotime( $query['date'] . ' UTC' );
	return array_keys(
		array_filter(
			stand_in_actions(),
			static function ( $action ) use ( $query, $until ) {
				return $action['hook'] === $query['hook'] && $action['group'] === $query['group'] && $action['time'] <= $until;
			}
		)
	);
}

/**
 * When an action runs next.
 *
 * @param string $hook  The hook.
 * @param array  $args  Its arguments.
 * @param string $group The plugin's group.
 */
function as_next_scheduled_action( $hook, $args = null, $group = '' ) {
	foreach ( stand_in_actions() as $action ) {
		if ( $action['hook'] === $hook && $action['group'] === $group ) {
			return $action['time'];
		}
	}
	return false;
}

/**
 * Removes scheduled actions.
 *
 * @param string $hook The hook.
 */
function as_unschedule_all_actions( $hook ) {
	$kept = array_filter(
		stand_in_actions(),
		static function ( $action ) use ( $hook ) {
			return $action['hook'] !== $hook;
		}
	);
	update_option( 'stand_in_actions', array_values( $kept ), false );
}
