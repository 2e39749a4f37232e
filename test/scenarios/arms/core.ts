import { createKeySet, verify, verifyProof } from '@touchstone/certificate/verify';
import type { Vector } from '../../support/vectors.ts';
import {
  type Arm,
  answersOf,
  codesOf,
  expectedWithoutRegistry,
  expectedWithRegistry,
  type Outcome,
} from './arm.ts';

type Verifiable = Parameters<Arm['run']>[0];

const cannot = ({ kind }: Vector) => (kind === 'page' ? 'pages are judged in packages/page' : null);

/** The pure core, with the registry's facts as data. */
export const coreArm: Arm = {
  name: 'core',
  cannot,
  expected: expectedWithRegistry,
  run: (vector, jwks) => run(vector, jwks, true),
};

/** The same without a registry: what an offline verifier comes to. */
export const offlineArm: Arm = {
  name: 'core offline',
  cannot,
  expected: expectedWithoutRegistry,
  run: (vector, jwks) => run(vector, jwks, false),
};

async function run(vector: Verifiable, jwks: unknown, withRegistry: boolean): Promise<Outcome> {
  const { issuers } = vector.context;
  const now = new Date(vector.context.now);
  if (vector.kind === 'proof') {
    const { proofKind: kind } = vector.context;
    return { checks: answersOf({ ...(await verifyProof(vector.input.jwt, jwks, { now, kind, issuers })) }) };
  }
  const { pageUrl, productId, registry } = vector.context;
  const result = await verify({
    ...vector.input,
    pageUrl,
    productId,
    keySet: createKeySet(jwks),
    issuers,
    now,
    ...(withRegistry ? { registry } : {}),
  });
  return {
    status: result.status,
    checks: answersOf(result.checkDetails),
    warnings: codesOf(result.warnings),
    errors: codesOf(result.errors),
  };
}
