import type { RequestLoad } from '../limits/background-pace.ts';
import type { MetricsReport } from '../metrics/metrics.ts';

/** From the supervisor to a process of the service. */
export type ToProcess =
  | { readonly kind: 'start'; readonly order: unknown }
  /** All processes are prepared, so this one may listen. */
  | { readonly kind: 'listen' }
  /** Finish requests in progress, and exit. */
  | { readonly kind: 'stop' }
  /** Request for the metrics of this process. */
  | { readonly kind: 'report'; readonly id: number }
  /** The load that requests cause in another process. */
  | { readonly kind: 'load'; readonly load: RequestLoad }
  /** The metrics of all processes, as requested by this one. */
  | { readonly kind: 'collected'; readonly id: number; readonly reports: readonly MetricsReport[] };

/** From a process of the service to the supervisor. */
export type ToSupervisor =
  /** It is prepared, and waits for the message to listen. */
  | { readonly kind: 'opened' }
  /** It answers requests. */
  | { readonly kind: 'ready' }
  /** It cannot start; `fixable`: the operator can fix it by following the message. */
  | { readonly kind: 'refused'; readonly message: string; readonly fixable: boolean }
  | { readonly kind: 'report'; readonly id: number; readonly metrics: MetricsReport }
  /** The load that requests cause in it, sent while there are many. */
  | { readonly kind: 'load'; readonly load: RequestLoad }
  /** Request for the metrics of all processes. */
  | { readonly kind: 'collect'; readonly id: number };
