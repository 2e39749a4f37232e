import { createKeySet, type VerificationResult, verify } from '@touchstone/certificate';
import { bindMembers, prepareProof, productCertificate, productClaims } from '@touchstone/certificate/issue';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  testClaims,
} from '@touchstone/certificate/testing';
import { nodeRs256, nodeSha256 } from '../../packages/server/src/core/keys/rsa-keys.ts';
import { alternate, type Measure, median } from '../kit/rounds.ts';
import { costOfRun, type Subject } from '../kit/subject.ts';

// node bench/verify/bound.ts: the cost of binding the members of a document, as ratios within one run.

const issuer = await createTestIssuer();
const keySet = createKeySet(issuer.jwks, nodeRs256(), nodeSha256());
const image = TEST_PRODUCT.images[0];
const large = {
  ...TEST_PRODUCT,
  images: Array.from({ length: 50 }, (_, at) => ({
    ...image,
    imageId: `${at}`,
    contentUrl: `https://shop.example/${at}.jpg`,
  })),
} as typeof TEST_PRODUCT;

const addresses = { baseUrl: TEST_ISSUER, namespaceUrl: `${TEST_ISSUER}/ns#` };
const rendered = (snapshot: typeof TEST_PRODUCT, jwt: string) =>
  productCertificate(snapshot, { jwt, issuedAt: TEST_NOW.toISOString() }, addresses);

async function verifying(name: string, snapshot: typeof TEST_PRODUCT, isBound: boolean): Promise<Subject> {
  const bound = isBound ? await bindMembers('product', rendered(snapshot, ''), nodeSha256()) : {};
  const jwt = await issuer.sign({ ...testClaims(), ...bound });
  const document = rendered(snapshot, jwt);
  const input = {
    document,
    pageUrl: TEST_PRODUCT.url,
    productId: TEST_PRODUCT.productId,
    keySet,
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
  };
  return {
    name,
    run: () => verify(input),
    isGood: (answer) => (answer as VerificationResult).status === 'verified',
  };
}

function preparing(name: string, snapshot: typeof TEST_PRODUCT, isBound: boolean): Subject {
  return {
    name,
    run: async () => {
      const issuance = { issuer: TEST_ISSUER, issuedAt: TEST_NOW };
      const bound = isBound
        ? { bound: await bindMembers('product', rendered(snapshot, ''), nodeSha256()) }
        : {};
      return prepareProof('product', productClaims(snapshot, { ...issuance, ...bound }), 'key-1');
    },
    isGood: (answer) => typeof answer === 'object',
  };
}

const subjects = [
  await verifying('verify, 2 images, members not bound', TEST_PRODUCT, false),
  await verifying('verify, 2 images, members bound', TEST_PRODUCT, true),
  await verifying('verify, 50 images, members not bound', large, false),
  await verifying('verify, 50 images, members bound', large, true),
  preparing('prepare to sign, 2 images, not bound', TEST_PRODUCT, false),
  preparing('prepare to sign, 2 images, bound', TEST_PRODUCT, true),
];
const measures: Record<string, Measure> = {};
for (const subject of subjects) measures[subject.name] = await costOfRun(subject);
const costs = Object.entries(await alternate(40, measures)).map(([name, all]) => ({
  name,
  cost: median(all),
}));
costs.forEach(({ name, cost }, at) => {
  const ratio = at % 2 === 1 ? `${(cost / (costs[at - 1]?.cost ?? cost)).toFixed(2)} times the time` : '';
  process.stdout.write(`${name.padEnd(42)}${cost.toFixed(1).padStart(8)} µs  ${ratio}\n`);
});
