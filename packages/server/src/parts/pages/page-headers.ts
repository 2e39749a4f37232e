/** What only some pages may do. All may load resources of this service. */
export interface PageRights {
  /** Runs WebAssembly, which reads C2PA manifests. */
  readonly opensImages?: boolean;
}

/**
 * Headers of every page: no resources of other origins, no inline scripts or styles, no framing (Content Security Policy
 * Level 3). A page names hashed files that change with each version, so caches must revalidate it.
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
