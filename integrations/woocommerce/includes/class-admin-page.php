<?php
/**
 * The settings page.
 *
 * @package Touchstone
 */

namespace Touchstone;

defined( 'ABSPATH' ) || exit;

/** WooCommerce > Certificates: the settings, the state of the shop, and the next steps. All output is escaped. */
final class Admin_Page {

	const SLUG = 'touchstone-certificates';
	const SIZE = 50;

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
	 * The stored certificates.
	 *
	 * @var Certificates
	 */
	private $certificates;

	/**
	 * Whether certificates are verified.
	 *
	 * @var Verification
	 */
	private $verification;

	/**
	 * Constructor.
	 *
	 * @param Settings     $settings     The settings.
	 * @param Queue        $queue        The queue of changed products.
	 * @param Certificates $certificates The stored certificates.
	 * @param Verification $verification Whether certificates are verified.
	 */
	public function __construct( Settings $settings, Queue $queue, Certificates $certificates, Verification $verification ) {
		$this->settings     = $settings;
		$this->queue        = $queue;
		$this->certificates = $certificates;
		$this->verification = $verification;
	}

	/** Registers the hooks. */
	public function register(): void {
		add_action( 'admin_menu', array( $this, 'add' ), 60 );
		add_action( 'admin_notices', array( $this, 'warn' ) );
		add_filter( 'plugin_action_links_' . plugin_basename( PLUGIN_FILE ), array( $this, 'link' ) );
	}

	/** The page's address. */
	public static function address(): string {
		return admin_url( 'admin.php?page=' . self::SLUG );
	}

	/** Adds the page to the menu. */
	public function add(): void {
		add_submenu_page( 'woocommerce', __( 'Certificates', 'touchstone-certificates' ), __( 'Certificates', 'touchstone-certificates' ), Admin_Actions::CAPABILITY, self::SLUG, array( $this, 'show' ) );
	}

	/**
	 * Adds a link to the list of plugins.
	 *
	 * @param array<int|string, string> $links The existing links.
	 * @return array<int|string, string>
	 */
	public function link( $links ): array {
		return array_merge( array( '<a href="' . esc_url( self::address() ) . '">' . esc_html__( 'Settings', 'touchstone-certificates' ) . '</a>' ), (array) $links );
	}

	/** Warns on other admin pages if certificates are in danger. */
	public function warn(): void {
		if ( ! current_user_can( Admin_Actions::CAPABILITY ) ) {
			return;
		}
		$screen = get_current_screen();
		if ( null === $screen || ! in_array( $screen->id, array( 'dashboard', 'plugins', 'edit-product' ), true ) ) {
			return;
		}
		$said = '';
		$run  = ( new Run( 'pull' ) )->read();
		if ( $this->settings->has_moved() ) {
			$said = __( 'This shop was moved or copied since it was connected. It certifies nothing until you connect it again.', 'touchstone-certificates' );
		} elseif ( $run['ok_at'] > 0 && $run['ok_at'] < time() - 3 * DAY_IN_SECONDS ) {
			$said = __( 'No certificates could be fetched for three days. They expire after seven.', 'touchstone-certificates' );
		}
		if ( '' !== $said ) {
			echo '<div class="notice notice-warning"><p>' . esc_html( $said ) . ' <a href="' . esc_url( self::address() ) . '">' . esc_html__( 'Certificates', 'touchstone-certificates' ) . '</a></p></div>';
		}
	}

	/** Prints the page. */
	public function show(): void {
		if ( ! current_user_can( Admin_Actions::CAPABILITY ) ) {
			return;
		}
		echo '<div class="wrap"><h1>' . esc_html__( 'Certificates', 'touchstone-certificates' ) . '</h1>';
		$this->show_told();
		if ( $this->settings->has_moved() ) {
			$this->notice( __( 'This shop was moved or copied since it was connected. It certifies nothing until you press “Save and connect” again; do so only if this is the real shop.', 'touchstone-certificates' ), false );
		}
		$this->show_form();
		if ( '' !== $this->settings->get( 'store' ) ) {
			$this->show_domain();
			$this->show_counts();
			$this->show_not_certified();
			$this->show_not_printed();
			$this->show_pages();
			$this->show_runs();
			$this->show_disconnect();
		}
		echo '</div>';
	}

	/** The result of the last action. */
	private function show_told(): void {
		$name = Admin_Actions::TELL . get_current_user_id();
		$told = get_transient( $name );
		if ( is_array( $told ) && isset( $told['said'], $told['good'] ) && '' !== $told['said'] ) {
			$this->notice( (string) $told['said'], (bool) $told['good'] );
		}
		delete_transient( $name );
	}

	/**
	 * A notice at the top.
	 *
	 * @param string $said The sentence.
	 * @param bool   $good Whether it reports a success.
	 */
	private function notice( string $said, bool $good ): void {
		echo '<div class="notice notice-' . ( $good ? 'success' : 'error' ) . ' inline"><p>' . esc_html( $said ) . '</p></div>';
	}

	/** The settings form. The key is never printed. */
	private function show_form(): void {
		$settings = $this->settings->all();
		$kept     = __( 'A key is saved. Leave this empty to keep it.', 'touchstone-certificates' );
		$this->open_form( 'touchstone_save' );
		echo '<table class="form-table" role="presentation">';
		$this->row( 'service', __( 'Address of the service', 'touchstone-certificates' ), '<input name="service" id="service" type="url" class="regular-text" required placeholder="https://certificates.example" value="' . esc_attr( $settings['service'] ) . '" />', '' );
		$this->row( 'api_key', __( 'API key', 'touchstone-certificates' ), '<input name="api_key" id="api_key" type="password" class="regular-text" autocomplete="off" value="" />', '' === $this->settings->api_key() ? __( 'Create one in the console of the service, under “API keys”, or ask its operator.', 'touchstone-certificates' ) : $kept );
		$this->row( 'store', __( 'Store', 'touchstone-certificates' ), '<input name="store" id="store" type="text" class="regular-text" value="' . esc_attr( $settings['store'] ) . '" />', __( 'Id of the store at the service. Leave this empty to use the store with this shop’s address, or to create one.', 'touchstone-certificates' ) );
		$this->row( 'badge', __( 'Badge', 'touchstone-certificates' ), '<input name="badge" id="badge" type="checkbox" value="1" ' . checked( (bool) $settings['badge'], true, false ) . ' /> <label for="badge">' . esc_html__( 'Show the badge below the cart button', 'touchstone-certificates' ) . '</label>', __( 'The badge checks the page in the visitor’s browser, with a script from the service. Clear the page cache after a change. In your own templates use [touchstone_badge].', 'touchstone-certificates' ) );
		echo '</table>';
		submit_button( __( 'Save and connect', 'touchstone-certificates' ) );
		echo '</form>';
		$this->buttons( array( 'test' => __( 'Test the connection', 'touchstone-certificates' ) ) );
	}

	/** State of the domain. */
	private function show_domain(): void {
		echo '<h2>' . esc_html__( 'Domain', 'touchstone-certificates' ) . '</h2><p>';
		$host = '<strong>' . esc_html( $this->settings->host() ) . '</strong> ';
		if ( $this->settings->get( 'proven' ) ) {
			echo $host . esc_html__( 'is proven to be yours.', 'touchstone-certificates' ) . '</p>'; // phpcs:ignore WordPress.Security.EscapeOutput -- escaped above.
			return;
		}
		echo $host . esc_html__( 'is not proven to be yours yet. The plugin puts the proof into the head of the home page, and has it checked every hour.', 'touchstone-certificates' ) . '</p>'; // phpcs:ignore WordPress.Security.EscapeOutput -- escaped above.
		$this->buttons( array( 'connect' => __( 'Check the domain now', 'touchstone-certificates' ) ) );
		$this->show_other_proofs( $this->settings->host(), (string) $this->settings->get( 'challenge' ) );
	}

	/**
	 * The proofs that the plugin cannot make: for a home page that is not its own, or cannot be read by the service.
	 *
	 * @param string $host      Of the shop.
	 * @param string $challenge What the service looks for.
	 */
	private function show_other_proofs( string $host, string $challenge ): void {
		if ( '' === $challenge ) {
			return;
		}
		$file = wp_parse_url( home_url(), PHP_URL_SCHEME ) . "://$host/.well-known/touchstone-challenge";
		echo '<details><summary>' . esc_html__( 'If the service cannot read the home page, or WordPress is in a subfolder', 'touchstone-certificates' ) . '</summary>';
		echo '<p>' . esc_html__( 'Publish this line in one of these two places, then check the domain again:', 'touchstone-certificates' ) . ' <code>' . esc_html( $challenge ) . '</code></p><ul class="ul-disc">';
		echo '<li>' . esc_html__( 'a text file at this address:', 'touchstone-certificates' ) . ' <code>' . esc_html( $file ) . '</code></li>';
		echo '<li>' . esc_html__( 'a TXT record in DNS with this name:', 'touchstone-certificates' ) . ' <code>' . esc_html( "_touchstone-challenge.$host" ) . '</code></li></ul></details>';
	}

	/** Numbers of certified products. */
	private function show_counts(): void {
		$counts = Overview::counts();
		echo '<h2>' . esc_html__( 'Products', 'touchstone-certificates' ) . '</h2><p>';
		/* translators: 1: number of certified products, 2: number of published products. */
		echo '<strong>' . esc_html( sprintf( __( '%1$s of %2$s published products are certified.', 'touchstone-certificates' ), number_format_i18n( $counts['certified'] ), number_format_i18n( $counts['published'] ) ) ) . '</strong>';
		unset( $counts['certified'], $counts['published'] );
		foreach ( array_filter( $counts ) as $state => $number ) {
			echo ' ' . esc_html( number_format_i18n( $number ) . ' ' . Reasons::name( (string) $state ) . '.' );
		}
		$waiting = $this->queue->length();
		if ( $waiting > 0 ) {
			/* translators: %s: a number. */
			echo ' ' . esc_html( sprintf( __( '%s changes are waiting to be sent.', 'touchstone-certificates' ), number_format_i18n( $waiting ) ) );
		}
		echo '</p>';
		$this->buttons(
			array(
				'send_all' => __( 'Send all products', 'touchstone-certificates' ),
				'pull'     => __( 'Send changes and fetch certificates', 'touchstone-certificates' ),
			)
		);
	}

	/** Products without a certificate, each with its reason. */
	private function show_not_certified(): void {
		$page = isset( $_GET['paged'] ) ? max( 1, absint( $_GET['paged'] ) ) : 1; // phpcs:ignore WordPress.Security.NonceVerification -- only shows.
		$rows = Overview::not_certified( $page, self::SIZE + 1 );
		if ( array() === $rows && 1 === $page ) {
			return;
		}
		echo '<h3>' . esc_html__( 'Not certified', 'touchstone-certificates' ) . '</h3>';
		$this->open_table( array( __( 'Product', 'touchstone-certificates' ), __( 'State', 'touchstone-certificates' ), __( 'Reason', 'touchstone-certificates' ), __( 'Next step', 'touchstone-certificates' ) ) );
		foreach ( array_slice( $rows, 0, self::SIZE ) as $row ) {
			$id = (int) $row->ID;
			echo '<tr><td>';
			$this->product_link( $id );
			echo '</td><td>' . esc_html( Reasons::name( $row->state ) ) . '</td><td>' . esc_html( $this->certificates->value( $id, Certificates::PROBLEM ) ) . '</td><td>' . esc_html( Reasons::next_step( $row->state ) ) . '</td></tr>';
		}
		echo '</tbody></table><p>';
		if ( $page > 1 ) {
			echo '<a class="button" href="' . esc_url( add_query_arg( 'paged', $page - 1, self::address() ) ) . '">' . esc_html__( 'Back', 'touchstone-certificates' ) . '</a> ';
		}
		if ( count( $rows ) > self::SIZE ) {
			echo '<a class="button" href="' . esc_url( add_query_arg( 'paged', $page + 1, self::address() ) ) . '">' . esc_html__( 'More', 'touchstone-certificates' ) . '</a>';
		}
		echo '</p>';
	}

	/** Certificates that are not printed, since they are not valid on their page. */
	private function show_not_printed(): void {
		$missing = $this->verification->missing();
		if ( '' !== $missing ) {
			echo '<p>' . esc_html( __( 'Certificates are printed without being verified here first:', 'touchstone-certificates' ) . ' ' . $missing ) . '</p>';
			return;
		}
		echo '<p>' . esc_html__( 'Each certificate is verified here before it is printed.', 'touchstone-certificates' ) . '</p>';
		$ids = Overview::not_printed( self::SIZE );
		if ( array() === $ids ) {
			return;
		}
		echo '<h3>' . esc_html__( 'Not printed', 'touchstone-certificates' ) . '</h3>';
		$this->open_table( array( __( 'Product', 'touchstone-certificates' ), __( 'Reason', 'touchstone-certificates' ), __( 'Next step', 'touchstone-certificates' ) ) );
		foreach ( $ids as $id ) {
			echo '<tr><td>';
			$this->product_link( $id );
			echo '</td><td>' . esc_html( $this->certificates->value( $id, Certificates::UNPRINTED ) ) . '</td><td>' . esc_html__( 'Save the product, and fetch certificates. If that does not help, another plugin changes the stored certificate or the address of the page.', 'touchstone-certificates' ) . '</td></tr>';
		}
		echo '</tbody></table>';
	}

	/** Pages whose certificate is missing or outdated for visitors. */
	private function show_pages(): void {
		$wrong = Page_Checks::wrong( self::SIZE );
		echo '<h3>' . esc_html__( 'Pages as visitors get them', 'touchstone-certificates' ) . '</h3>';
		if ( array() === $wrong ) {
			$found = Page_Checks::has_any() ? __( 'All pages that were checked are right.', 'touchstone-certificates' ) : __( 'No page has been checked yet.', 'touchstone-certificates' );
			echo '<p>' . esc_html( $found . ' ' . __( 'A few are checked every day, once they have a certificate.', 'touchstone-certificates' ) ) . '</p>';
		} else {
			$this->open_table( array( __( 'Product', 'touchstone-certificates' ), __( 'Verdict', 'touchstone-certificates' ), __( 'Reason', 'touchstone-certificates' ), __( 'Next step', 'touchstone-certificates' ) ) );
			foreach ( $wrong as $id ) {
				$seen    = json_decode( $this->certificates->value( $id, Certificates::CHECKED ), true );
				$verdict = isset( $seen['verdict'] ) ? (string) $seen['verdict'] : '';
				echo '<tr><td>';
				$this->product_link( $id );
				echo '</td><td>' . esc_html( Reasons::verdict( $verdict ) ) . ' <code>' . esc_html( $verdict ) . '</code></td><td>' . esc_html( isset( $seen['why'] ) ? (string) $seen['why'] : '' ) . '</td><td>' . esc_html( Reasons::of_page( $verdict ) ) . '</td></tr>';
			}
			echo '</tbody></table>';
		}
		$this->buttons( array( 'check' => __( 'Check some pages now', 'touchstone-certificates' ) ) );
	}

	/** State of the jobs. */
	private function show_runs(): void {
		echo '<h2>' . esc_html__( 'Background jobs', 'touchstone-certificates' ) . '</h2>';
		$this->open_table( array( __( 'Job', 'touchstone-certificates' ), __( 'Last success', 'touchstone-certificates' ), __( 'Problem', 'touchstone-certificates' ), __( 'Next attempt', 'touchstone-certificates' ) ) );
		foreach ( Run::NAMES as $name ) {
			$run = ( new Run( $name ) )->read();
			$job = Reasons::job( $name );
			if ( ! empty( $run['after'] ) && ! empty( $run['done'] ) ) {
				/* translators: 1: a job, 2: a number of products. */
				$job = sprintf( __( '%1$s: %2$s so far', 'touchstone-certificates' ), $job, number_format_i18n( (int) $run['done'] ) );
			}
			echo '<tr><td>' . esc_html( $job ) . '</td><td>' . esc_html( $this->moment( (int) $run['ok_at'] ) ) . '</td><td>' . esc_html( (string) $run['problem'] ) . '</td><td>' . esc_html( $this->moment( (int) $run['retry_at'] ) ) . '</td></tr>';
		}
		echo '</tbody></table>';
	}

	/** The button to disconnect. */
	private function show_disconnect(): void {
		echo '<h2>' . esc_html__( 'Disconnect', 'touchstone-certificates' ) . '</h2>';
		$this->open_form( 'touchstone_disconnect' );
		submit_button( __( 'Disconnect and delete the key', 'touchstone-certificates' ), 'delete', 'submit', false );
		echo '</form>';
	}

	/**
	 * A time in the shop's time zone.
	 *
	 * @param int $time Seconds since 1970; 0: never.
	 */
	private function moment( int $time ): string {
		return 0 === $time ? '–' : (string) wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $time );
	}

	/**
	 * The name of a product, as a link to its editor.
	 *
	 * @param int $product_id Post id of the product.
	 */
	private function product_link( int $product_id ): void {
		$name = get_the_title( $product_id );
		echo '<a href="' . esc_url( (string) get_edit_post_link( $product_id ) ) . '">' . esc_html( wp_strip_all_tags( '' === $name ? '#' . $product_id : $name ) ) . '</a>';
	}

	/**
	 * Opens a form.
	 *
	 * @param string $action Action for admin-post.php and for the nonce.
	 */
	private function open_form( string $action ): void {
		echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '"><input type="hidden" name="action" value="' . esc_attr( $action ) . '" />';
		wp_nonce_field( $action );
	}

	/**
	 * Buttons that run jobs.
	 *
	 * @param array<string, string> $buttons Labels by name.
	 */
	private function buttons( array $buttons ): void {
		$this->open_form( 'touchstone_run' );
		echo '<p>';
		foreach ( $buttons as $name => $label ) {
			echo '<button class="button" name="button" value="' . esc_attr( $name ) . '">' . esc_html( $label ) . '</button> ';
		}
		echo '</p></form>';
	}

	/**
	 * A row of the settings form.
	 *
	 * @param string $id    Id of the field.
	 * @param string $label Its label.
	 * @param string $field HTML, escaped.
	 * @param string $hint  A sentence below the field.
	 */
	private function row( string $id, string $label, string $field, string $hint ): void {
		echo '<tr><th scope="row"><label for="' . esc_attr( $id ) . '">' . esc_html( $label ) . '</label></th><td>' . $field; // phpcs:ignore WordPress.Security.EscapeOutput -- escaped where it is made.
		echo ( '' === $hint ? '' : '<p class="description">' . esc_html( $hint ) . '</p>' ) . '</td></tr>';
	}

	/**
	 * Opens a table.
	 *
	 * @param array<int, string> $heads Column headings.
	 */
	private function open_table( array $heads ): void {
		echo '<table class="widefat striped"><thead><tr>';
		foreach ( $heads as $head ) {
			echo '<th scope="col">' . esc_html( $head ) . '</th>';
		}
		echo '</tr></thead><tbody>';
	}
}
