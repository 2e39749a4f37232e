export interface DeliveryFailure {
  readonly sentence: string;
  /** What the merchant can do about it. */
  readonly nextStep: string;
}

/** Every reason for which a delivery attempt can fail. A closed list (docs/codes.md). */
export const DELIVERY_FAILURES = {
  delivery_refused: {
    sentence: 'The endpoint did not answer with a success status.',
    nextStep: 'Find the request with this webhook-id in its log; it must answer 2xx.',
  },
  delivery_redirected: {
    sentence: 'The endpoint answered with a redirect; redirects are not followed.',
    nextStep: 'Set the address of the webhook to the final address of the endpoint.',
  },
  endpoint_gone: {
    sentence: 'The endpoint answered 410 (no further events wanted), so the webhook is paused.',
    nextStep: 'Delete the webhook, or fix the endpoint and resume it.',
  },
  delivery_timed_out: {
    sentence: 'The endpoint did not answer within 15 seconds.',
    nextStep: 'Let it answer at once and process the event afterwards.',
  },
  endpoint_unknown: {
    sentence: 'The host name of the endpoint does not resolve to an address.',
    nextStep: 'Correct the address of the webhook or the DNS record.',
  },
  endpoint_blocked: {
    sentence: 'The address or port of the endpoint is not allowed: only public ones are.',
    nextStep: 'Make the endpoint reachable from the public internet on port 443.',
  },
  endpoint_unreachable: {
    sentence: 'The connection to the endpoint failed or was interrupted.',
    nextStep: 'Check that its server is running and accepts connections from outside.',
  },
  endpoint_tls_failed: {
    sentence: 'The TLS handshake failed, or the certificate of the host is not valid for it.',
    nextStep: 'Renew or correct the TLS certificate of the endpoint.',
  },
  delivery_malformed: {
    sentence: 'The response of the endpoint is not valid HTTP, or exceeds 1 MB.',
    nextStep: 'Check what answers at the address of the webhook.',
  },
  delivery_queue_full: {
    sentence: 'The webhook had 10,000 pending deliveries, so this one was not attempted.',
    nextStep: 'Correct the endpoint; when fewer deliveries are pending, replay this one.',
  },
} as const satisfies Readonly<Record<string, DeliveryFailure>>;

export type DeliveryFailureCode = keyof typeof DELIVERY_FAILURES;
