import { StartError } from '../lifecycle/start-error.ts';

/**
 * Storage cannot be opened, and trying again without a change would not help: the message tells the operator
 * what is wrong and what to do. Thrown at start only; while running, faults are `ServiceError`s.
 */
export class StorageStartError extends StartError {}
