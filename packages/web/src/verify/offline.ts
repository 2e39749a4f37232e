/** Path of the page, the only one that is cached. */
export const PAGE_PATH = '/verify';
/** Spec, Endpoints 5. */
export const KEYS_PATH = '/api/v1/.well-known/jwks.json';
/** Name of the cache of status lists, which the page writes. */
export const LISTS_CACHE = 'touchstone-verify-lists';
/** In the same folder as the page, so that its scope can be the page. */
export const WORKER_PATH = '/verify-worker.js';
/** Approximate bytes of the engine that reads manifests, for its progress. */
export const ENGINE_BYTES = 9_050_000;
