/** A package.json, as far as packing reads it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/**
 * The manifest that is published, made of the workspace's own: what leads to a source there leads to the built
 * file and its types here (Node strips no types below node_modules).
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
    // of the server: its pages
    files: manifest.bin === undefined ? ['dist', 'web'] : ['bin', 'dist'],
  };
}

/** Where the build of `./src/a/b.ts` lies, without its ending. */
export function builtPath(source: string): string {
  const path = /^\.\/src\/(.+)\.ts$/.exec(source)?.[1];
  if (path === undefined) throw new Error(`an export leads to ${source}, which is no source`);
  return `./dist/${path}`;
}
