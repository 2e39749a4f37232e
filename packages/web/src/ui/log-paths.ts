const LOG = '/api/v1/mc4p/log';

/** Path of what was issued for a host. */
export const domainLogPath = (host: string): string => `${LOG}/domains/${encodeURIComponent(host)}`;

/** Path of the inclusion of a proof in the log, by its SHA-256, base64url. */
export const logProofPath = (proof: string): string => `${LOG}/proofs/${proof}`;
