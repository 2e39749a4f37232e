/** What only some pages may do, beside loading what this service serves itself. */
export interface PageRights {
  /** Runs the reader of C2PA manifests, which is WebAssembly. */
  readonly opensImages?: boolean;
}

/**
 * Headers of every page: nothing from elsewhere, nothing in place, no frame around it (Content Security Policy Level 3).
 * Hashed files come and go with versions, so a copy of a page is asked about before it is used.
 */
export function pageHeaders({ opensImages = false }: PageRights = {}): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self'${opensImages ? " 'wasm-unsafe-eval'" : ''}`,
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
    vary: 'Accept, Accept-Language',
  };
}
