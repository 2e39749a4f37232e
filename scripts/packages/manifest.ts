/** The members of a package.json that packing uses. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/**
 * The published manifest, derived from the workspace's: exports of sources refer to the built files and their types (Node strips no types
 * below node_modules).
 */
export function publishedManifest(manifest: Manifest): object {
  const { private: _, scripts: __, ...published } = manifest;
  const entries = Object.entries(manifest.exports).map(([subpath, source]) => {
    const built = builtPath(source);
    return [subpath, { types: `${built}.d.ts`, default: `${built}.js` }] as const;
  });
  return {
    ...published,
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    // `web`, `downloads`: what the server serves
    files: manifest.bin === undefined ? ['dist', 'web', 'downloads'] : ['bin', 'dist'],
  };
}

/** Path of the built file of `./src/a/b.ts`, without its extension. */
export function builtPath(source: string): string {
  const path = /^\.\/src\/(.+)\.ts$/.exec(source)?.[1];
  if (path === undefined) throw new Error(`an export leads to ${source}, which is no source`);
  return `./dist/${path}`;
}
