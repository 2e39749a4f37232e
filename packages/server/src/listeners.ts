import { certificateOrders } from './core/certificates/order-certificates.ts';
import { imageScans } from './core/images/order-scans.ts';
import { tellAll } from './core/registry/events.ts';
import { sessionEnds } from './parts/console/sessions/end-sessions.ts';
import { sweepOrders } from './parts/sweeps/order-sweeps.ts';
import { webhookEvents } from './parts/webhooks/record-events.ts';

/** What the rest of the core and the parts do when something happens, in the order in which their rows are locked. */
export const tell = tellAll([imageScans, certificateOrders, sweepOrders, webhookEvents, sessionEnds]);
