export type EmbeddedPostgresFault =
  /** No PostgreSQL is installed for this machine. */
  | 'not_installed'
  /** This process is root, and there is no user as which PostgreSQL could run. */
  | 'no_account'
  /** The disk, or the user's quota, is full. */
  | 'no_space'
  /** The disk is read-only. */
  | 'read_only'
  /** Another process uses the folder. */
  | 'in_use'
  /** The contents of the folder cannot be used, because of their password, version or owner. */
  | 'unusable_folder'
  /** PostgreSQL could not create the database, or did not start in time. */
  | 'not_started';

/** PostgreSQL cannot be started until something is changed: the message states the reason and what to do. */
export class EmbeddedPostgresError extends Error {
  readonly fault: EmbeddedPostgresFault;

  constructor(fault: EmbeddedPostgresFault, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.fault = fault;
  }
}
