/** Where the page is, and what is kept of it. */
export const PAGE_PATH = '/verify';
/** Spec, Endpoints 5. */
export const KEYS_PATH = '/api/v1/.well-known/jwks.json';
/** Beside the page, so that its scope may be the page. */
export const WORKER_PATH = '/verify-worker.js';
/** Bytes of the engine that reads manifests, about: what progress is measured by. */
export const ENGINE_BYTES = 9_050_000;
