import type { ChangeHub } from '../cache/changes.ts';
import type { Closers } from '../lifecycle/closers.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { DueJobs } from './due-jobs.ts';
import { type JobWorker, type JobWorkerOptions, startJobWorker } from './job-worker.ts';

/** What the workers of a node share. */
export interface WorkerContext {
  readonly due: DueJobs;
  readonly changes: ChangeHub;
  readonly closers: Closers;
  readonly tracing?: Tracing | undefined;
}

export interface WorkerOptions extends Omit<JobWorkerOptions, 'due' | 'tracing'> {
  /** Name in the log. */
  readonly name: string;
  /** Whether received changes wake the worker, since its jobs are ordered together with a change; else it polls once a second. */
  readonly wakesOnChange?: boolean;
}

/** Runs the jobs of a queue for as long as the service runs. */
export function openWorker(
  { due, changes, closers, tracing }: WorkerContext,
  { name, wakesOnChange = false, ...options }: WorkerOptions,
): JobWorker {
  const worker = startJobWorker({ ...options, due, tracing });
  const unsubscribe = wakesOnChange ? changes.subscribe(worker.wake) : () => {};
  closers.add(name, () => {
    unsubscribe();
    return worker.close();
  });
  return worker;
}
