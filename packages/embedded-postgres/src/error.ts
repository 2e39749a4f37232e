export type EmbeddedPostgresFault =
  /** No PostgreSQL is installed for this machine. */
  | 'not_installed'
  /** We are root, and there is no user that PostgreSQL could run as. */
  | 'no_account'
  /** The disk, or the user's quota, is full. */
  | 'no_space'
  /** The disk is read-only. */
  | 'read_only'
  /** Another process uses the folder. */
  | 'in_use'
  /** What lies in the folder cannot be used as it is: its password, version or owner. */
  | 'unusable_folder'
  /** PostgreSQL could not make the database, or did not start in time. */
  | 'not_started';

/** PostgreSQL cannot be started, and would not be without a change: the message says what is wrong and what to do. */
export class EmbeddedPostgresError extends Error {
  readonly fault: EmbeddedPostgresFault;

  constructor(fault: EmbeddedPostgresFault, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.fault = fault;
  }
}
