import type { RequestLoad } from '../limits/background-pace.ts';
import type { MetricsReport } from '../metrics/metrics.ts';

/** From the supervisor to a process of the service. */
export type ToProcess =
  | { readonly kind: 'start'; readonly order: unknown }
  /** All is ready for its answers. */
  | { readonly kind: 'listen' }
  /** Finish what is under way, and end. */
  | { readonly kind: 'stop' }
  /** What have you counted? */
  | { readonly kind: 'report'; readonly id: number }
  /** What requests take of another process. */
  | { readonly kind: 'load'; readonly load: RequestLoad }
  /** What all have counted, as this process asked. */
  | { readonly kind: 'collected'; readonly id: number; readonly reports: readonly MetricsReport[] };

/** From a process of the service to the supervisor. */
export type ToSupervisor =
  /** It has opened all that it needs, and waits to be told to listen. */
  | { readonly kind: 'opened' }
  /** It answers requests. */
  | { readonly kind: 'ready' }
  /** It cannot start; `fixable`: by the operator, as the message says. */
  | { readonly kind: 'refused'; readonly message: string; readonly fixable: boolean }
  | { readonly kind: 'report'; readonly id: number; readonly metrics: MetricsReport }
  /** What requests take of it, told while many ask. */
  | { readonly kind: 'load'; readonly load: RequestLoad }
  /** What have all counted? */
  | { readonly kind: 'collect'; readonly id: number };
