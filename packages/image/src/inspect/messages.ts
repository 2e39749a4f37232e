import type { TrustList } from '../manifest/report.ts';
import type { ImageFaultCode } from './fault.ts';
import type { ImageInspection } from './inspect.ts';

/** What an opener is told to do. */
export interface InspectOrder {
  readonly kind: 'inspect';
  readonly bytes: Uint8Array;
  readonly trust: TrustList;
}

/** Said once, before the first order. */
export interface ReadyAnswer {
  readonly kind: 'ready';
}

export interface InspectedAnswer {
  readonly kind: 'inspected';
  readonly inspection: ImageInspection;
  /** Bytes of memory that the opener holds afterwards. */
  readonly held: number;
}

export interface FaultAnswer {
  readonly kind: 'fault';
  readonly code: ImageFaultCode;
  readonly detail?: string;
  readonly held: number;
}
