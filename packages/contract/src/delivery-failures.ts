export interface DeliveryFailure {
  readonly sentence: string;
  /** What the merchant can do about it. */
  readonly nextStep: string;
}

/** Every reason for which a delivery attempt can fail. A closed list (docs/codes.md). */
export const DELIVERY_FAILURES = {
  delivery_refused: {
    sentence: 'The endpoint answered with a status that is no success.',
    nextStep: 'See its log for the request of this webhook-id; it must answer 2xx.',
  },
  delivery_redirected: {
    sentence: 'The endpoint answered with a redirect, and none is followed.',
    nextStep: 'Give the webhook the address that the endpoint is really at.',
  },
  endpoint_gone: {
    sentence: 'The endpoint answered 410: it wants nothing more, and the webhook is paused.',
    nextStep: 'Delete the webhook, or fix the endpoint and resume it.',
  },
  delivery_timed_out: {
    sentence: 'The endpoint did not answer within 15 seconds.',
    nextStep: 'Have it answer at once, and work on what it received afterwards.',
  },
  endpoint_unknown: {
    sentence: 'The host of the endpoint has no address.',
    nextStep: 'Correct the address of the webhook, or the name in DNS.',
  },
  endpoint_blocked: {
    sentence: 'The endpoint is at an address or port that nothing is sent to: only public ones are.',
    nextStep: 'Put the endpoint where the public internet reaches it, on port 443.',
  },
  endpoint_unreachable: {
    sentence: 'No connection to the endpoint could be made, or it broke off.',
    nextStep: 'See that its server runs and lets connections from outside in.',
  },
  endpoint_tls_failed: {
    sentence: 'The TLS handshake failed, or the certificate of the host is not valid for it.',
    nextStep: 'Renew or correct the TLS certificate of the endpoint.',
  },
  delivery_malformed: {
    sentence: 'What the endpoint answered is no HTTP that can be read, or is over 1 MB.',
    nextStep: 'See what answers at the address of the webhook.',
  },
} as const satisfies Readonly<Record<string, DeliveryFailure>>;

export type DeliveryFailureCode = keyof typeof DELIVERY_FAILURES;
