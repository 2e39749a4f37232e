/** The members of a package.json that packing uses. */
export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** What the manifests of the workspace leave to packing. */
export interface Release {
  readonly version: string;
  /** The commit that is packed; absent if the sources are none. */
  readonly gitHead?: string;
}

/**
 * The published manifest, derived from the workspace's: exports of sources refer to the built files and their types (Node strips no types
 * below node_modules), and our packages need each other in the version that they are released in.
 */
export function publishedManifest(manifest: Manifest, release: Release): object {
  const { private: _, scripts: __, name, dependencies, peerDependencies, ...published } = manifest;
  const entries = Object.entries(manifest.exports).map(([subpath, source]) => {
    const built = builtPath(source);
    return [subpath, { types: `${built}.d.ts`, default: `${built}.js` }] as const;
  });
  return {
    name,
    ...release,
    ...published,
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    // `web`, `downloads`: what the server serves
    files: manifest.bin === undefined ? ['dist', 'web', 'downloads'] : ['bin', 'dist', 'LICENSES'],
    ...pinned({ dependencies, peerDependencies }, release.version),
  };
}

/** `*`, any version of the workspace, becomes this version. */
function pinned(kinds: Readonly<Record<string, Manifest['dependencies']>>, version: string): object {
  const given = Object.entries(kinds).flatMap(([kind, ranges]) =>
    ranges === undefined ? [] : [[kind, ranges] as const],
  );
  return Object.fromEntries(
    given.map(([kind, ranges]) => [
      kind,
      Object.fromEntries(
        Object.entries(ranges).map(([name, range]) => [name, range === '*' ? version : range]),
      ),
    ]),
  );
}

/** Path of the built file of `./src/a/b.ts`, without its extension. */
export function builtPath(source: string): string {
  const path = /^\.\/src\/(.+)\.ts$/.exec(source)?.[1];
  if (path === undefined) throw new Error(`an export leads to ${source}, which is no source`);
  return `./dist/${path}`;
}
