<?php
/**
 * Background jobs.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** The background jobs. Each runs in one process at a time, with a longer delay after each failure. */
final class Jobs {

	const SEND_ALL_EVERY  = WEEK_IN_SECONDS;
	const CHECK_EVERY     = 6 * HOUR_IN_SECONDS;
	const CONNECTED_EVERY = DAY_IN_SECONDS;

	/**
	 * The settings.
	 *
	 * @var Settings
	 */
	private $settings;

	/**
	 * The queue of changed products.
	 *
	 * @var Queue
	 */
	private $queue;

	/**
	 * The function of each job; it returns whether there is more to do.
	 *
	 * @var array<string, callable(): bool>
	 */
	private $work;

	/**
	 * Constructor.
	 *
	 * @param Settings    $settings    The settings.
	 * @param Queue       $queue       The queue of changed products.
	 * @param Connection  $connection  The connection to the service.
	 * @param Sender      $sender      Sends products.
	 * @param Puller      $puller      Pulls certificates.
	 * @param Page_Checks $page_checks Checks pages.
	 */
	public function __construct( Settings $settings, Queue $queue, Connection $connection, Sender $sender, Puller $puller, Page_Checks $page_checks ) {
		$this->settings = $settings;
		$this->queue    = $queue;
		$this->work     = array(
			'connect'  => static function () use ( $connection ): bool {
				$connection->subscribe();
				$connection->prove();
				return false;
			},
			'send'     => array( $sender, 'send_changes' ),
			'send_all' => array( $sender, 'send_all' ),
			'pull'     => array( $puller, 'pull' ),
			'check'    => static function () use ( $page_checks ): bool {
				$page_checks->check();
				return false;
			},
		);
	}

	/** Registers the hooks. */
	public function register(): void {
		foreach ( array_keys( $this->work ) as $name ) {
			add_action(
				'touchstone_' . $name,
				function () use ( $name ) {
					$this->run( $name );
				}
			);
		}
		add_action( Schedule::HOURLY, array( $this, 'every_hour' ) );
	}

	/** Schedules all jobs that are due, so that a lost event or an outage of the service is made up for. */
	public function every_hour(): void {
		if ( ! $this->settings->is_connected() ) {
			return;
		}
		if ( $this->queue->length() > 0 ) {
			$this->soon( 'send' );
		}
		$all = ( new Run( 'send_all' ) )->read();
		if ( ! empty( $all['after'] ) || $this->is_older( 'whole_at', $all, self::SEND_ALL_EVERY ) ) {
			$this->soon( 'send_all' );
		}
		// Every time: a withdrawn certificate must not stay on its page for longer than an hour.
		$this->soon( 'pull' );
		if ( ! $this->settings->get( 'proven' ) || $this->is_older( 'ok_at', ( new Run( 'connect' ) )->read(), self::CONNECTED_EVERY ) ) {
			$this->soon( 'connect' );
		}
		if ( $this->is_older( 'ok_at', ( new Run( 'check' ) )->read(), self::CHECK_EVERY ) ) {
			$this->soon( 'check' );
		}
	}

	/**
	 * Runs a job.
	 *
	 * @param string $name One of Run::NAMES.
	 * @param bool   $now  Ignores the delay after a failure, since the merchant requested it.
	 * @return string The error; empty: none.
	 */
	public function run( string $name, bool $now = false ): string {
		$run = new Run( $name );
		if ( ! $this->settings->is_connected() || ( ! $now && $run->read()['retry_at'] > time() ) || ! $run->lock() ) {
			return '';
		}
		try {
			$more = ( $this->work[ $name ] )();
			$run->succeeded();
			if ( $more ) {
				$this->soon( $name, 1 );
			}
			return '';
		} catch ( Fault $fault ) {
			$retry_at = $run->failed( $fault );
			$this->soon( $name, $retry_at - time() );
			return $fault->getMessage();
		} finally {
			$run->unlock();
		}
	}

	/**
	 * Schedules a job.
	 *
	 * @param string $name One of Run::NAMES.
	 * @param int    $wait Delay in seconds.
	 */
	private function soon( string $name, int $wait = 0 ): void {
		Schedule::soon( 'touchstone_' . $name, $wait );
	}

	/**
	 * Whether a time in a record is older than an age.
	 *
	 * @param string               $name  Name of the time.
	 * @param array<string, mixed> $state The record.
	 * @param int                  $age   Seconds.
	 */
	private function is_older( string $name, array $state, int $age ): bool {
		return ( isset( $state[ $name ] ) ? (int) $state[ $name ] : 0 ) <= time() - $age;
	}
}
