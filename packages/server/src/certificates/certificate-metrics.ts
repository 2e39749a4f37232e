import type { Metrics } from '../platform/metrics/metrics.ts';
import type { CertificatesOptions } from './open-certificates.ts';

/** What a node counts of the certificates that it makes and answers. */
export function certificateMetrics(
  metrics: Metrics,
): Required<Pick<CertificatesOptions, 'onSignature' | 'onIssued' | 'onAnswer'>> {
  return {
    onSignature: metrics.counter({ name: 'signatures_total', help: 'Proofs signed by this node.' }),
    onIssued: metrics.labelledCounter({
      name: 'certificates_ahead_total',
      help: 'Products whose certificate this node checked before anyone asked: issued, withdrawn, unchanged or failed.',
      label: 'outcome',
    }),
    onAnswer: metrics.labelledCounter({
      name: 'certificate_answers_total',
      help: 'Certificates answered, from memory or from the database.',
      label: 'from',
    }),
  };
}
