import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createTrust,
  type TrustOptions,
  verifyByProfile,
  verifyProductCertificate,
} from '@touchstone/certificate';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { verify } from '@touchstone/certificate/verify';
import { verifyFromHtml } from '@touchstone/page';
import fc from 'fast-check';
import { expect } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { judgeDocument } from '../../packages/web/src/verify/judge.ts';
import { judgeSavedPage } from '../../packages/web/src/verify/judge-page.ts';
import { trustIn } from '../../packages/web/src/verify/trust.ts';
import { useFolder } from '../kit/folder.ts';
import { covers, scenario } from '../kit/scenario.ts';

/** Services with two addresses each; all documents name the first as their canonical source. Addresses may contain `,` and `=`. */
const ADDRESSES = [
  [TEST_ISSUER, 'https://former.example'],
  ['https://other.example', 'https://other.example/of=a,b'],
  ['https://third.example/base', 'https://fourth.example'],
] as const;
const signers = await Promise.all(ADDRESSES.map(() => createTestIssuer()));
const pageUrl = TEST_PRODUCT.url;
const now = TEST_NOW;
const keysAt = (address: string) => `${address}/api/v1/.well-known/jwks.json`;

type HandedOver = 'as a set' | 'by its address' | 'at the address of the issuer';

/** Which services are trusted, how their keys are handed over, and a proof of one service's key in the name of another's issuer. */
interface Case {
  readonly services: readonly {
    readonly isTrusted: boolean;
    readonly handedOver: HandedOver;
    readonly isOfTwo: boolean;
  }[];
  /** All keys have one name, or each its own. */
  readonly isOneKid: boolean;
  readonly signer: number;
  readonly named: number;
  readonly address: 0 | 1;
}

const service = fc.record({
  isTrusted: fc.boolean(),
  handedOver: fc.constantFrom<HandedOver>('as a set', 'by its address', 'at the address of the issuer'),
  isOfTwo: fc.boolean(),
});
const index = fc.nat({ max: ADDRESSES.length - 1 });
const cases: fc.Arbitrary<Case> = fc
  .record({
    services: fc.tuple(service, service, service),
    isOneKid: fc.boolean(),
    signer: index,
    named: index,
    address: fc.constantFrom(0, 1),
  })
  .map(({ services: [first, ...others], ...rest }) => ({
    // whose pages are read
    services: [{ ...first, isTrusted: true }, ...others],
    ...rest,
  }));

const kidOf = (at: number, { isOneKid }: Case) => (isOneKid ? 'key' : `key-${at}`);
const jwksOf = (at: number, of: Case) => ({
  keys: signers[at]?.jwks.keys.map((key) => ({ ...key, kid: kidOf(at, of) })),
});

const isGenuine = ({ services, signer, named, address }: Case): boolean => {
  const asked = services[named];
  return signer === named && asked?.isTrusted === true && (address === 0 || asked.isOfTwo);
};

async function certificateOf(of: Case): Promise<object> {
  const signer = signers[of.signer];
  const iss = ADDRESSES[of.named]?.[of.address];
  return (await signer?.certificate({ claims: { iss }, header: { kid: kidOf(of.signer, of) } })) ?? {};
}

interface TrustedService {
  readonly at: number;
  readonly issuers: readonly string[];
  readonly handedOver: HandedOver;
}

function trusted({ services }: Case): TrustedService[] {
  return services.flatMap(({ isTrusted, isOfTwo, handedOver }, at) => {
    const [base, second] = ADDRESSES[at] ?? ADDRESSES[0];
    return isTrusted ? [{ at, issuers: isOfTwo ? [base, second] : [base], handedOver }] : [];
  });
}

/** Options of the SDK that hand the keys over as the case says, and the network that answers for them. */
function optionsOf(of: Case): TrustOptions {
  const answers = new Map<string, unknown>();
  const keys = trusted(of).flatMap(({ at, issuers, handedOver }) => {
    if (handedOver === 'as a set') return [{ issuers, jwks: jwksOf(at, of) }];
    const url = handedOver === 'by its address' ? `https://keys.example/${at}` : keysAt(issuers[0] as string);
    answers.set(url, jwksOf(at, of));
    if (handedOver === 'by its address') return [{ issuers, jwksUrl: url }];
    // a single issuer need not be named
    return issuers.length > 1 ? [{ issuers }] : [];
  });
  const fetch = async (url: string | URL | Request) =>
    Response.json(answers.get(String(url)) ?? { keys: [] });
  return { trustedIssuers: trusted(of).flatMap(({ issuers }) => issuers), keys, fetch };
}

const htmlOf = (document: object) =>
  `<!doctype html><title>Cup</title><script type="application/ld+json">${JSON.stringify(document)}</script>`;

/** Whether each way to verify with the SDK says yes. */
async function answersOfSdk(of: Case): Promise<boolean[]> {
  const document = await certificateOf(of);
  const question = { pageUrl, now };
  const options = optionsOf(of);
  const trust = createTrust(options);
  const { productId } = TEST_PRODUCT;
  const results = [
    (await verifyProductCertificate(document, { ...question, ...options })).status,
    (await verifyProductCertificate(document, { ...question, trust })).status,
    (await verify({ document, ...question, productId, ...(await trust.keysFor(document, now)) })).status,
    (await verifyFromHtml(htmlOf(document), { ...question, trust })).verdict,
    (await verifyByProfile(document, { ...question, trust, profile: 'minimal' })).status,
    (await verifyByProfile(document, { ...question, trust, profile: 'standard' })).status,
  ];
  return results.map((result) => result === 'verified' || result === 'trusted');
}

/** The same in the offline verifier of the web, where all keys are loaded before. */
async function answersOfWeb(of: Case): Promise<boolean[]> {
  const document = await certificateOf(of);
  const judging = {
    trust: trustIn(trusted(of).map(({ at, issuers }) => ({ issuers, jwks: jwksOf(at, of) }))),
    now,
  };
  const { verification, profiles } = await judgeDocument(
    { document, certificate: 'product', place: { pageUrl } },
    judging,
  );
  const { report } = await judgeSavedPage({ html: htmlOf(document), pageUrl }, judging);
  return [
    verification?.status === 'verified',
    profiles.profiles.standard === 'trusted',
    report.verdict === 'verified',
  ];
}

/** Its name may be taken for a list of keys. */
const folder = useFolder('keys,of=issuers');

async function argumentsOf(of: Case): Promise<string[]> {
  const services = trusted(of);
  const files = services.map(async ({ at, issuers }) => {
    const file = join(folder, `${of.isOneKid},${at}=keys.json`);
    await writeFile(file, JSON.stringify(jwksOf(at, of)));
    const isOnly = services.length === 1 && issuers.length === 1;
    return ['--jwks', isOnly ? file : `${issuers.join(',')}=${file}`];
  });
  const named = services.flatMap(({ issuers }) => issuers.flatMap((issuer) => ['--issuer', `${issuer}/`]));
  return [...named, ...(await Promise.all(files)).flat()];
}

/** The same through the command line, for a document, a saved page and a profile. */
async function answersOfCommand(of: Case): Promise<boolean[]> {
  const document = await certificateOf(of);
  const args = ['verify', '-', '--page-url', pageUrl, ...(await argumentsOf(of))];
  const runs = [
    { stdin: JSON.stringify(document), more: [] },
    { stdin: htmlOf(document), more: [] },
    { stdin: JSON.stringify(document), more: ['--profile', 'standard'] },
  ];
  const codes: number[] = [];
  for (const { stdin, more } of runs) codes.push((await runCli([...args, ...more], { stdin, now })).code);
  expect(codes.filter((code) => code !== 0 && code !== 1)).toEqual([]);
  return codes.map((code) => code === 0);
}

async function noneCrosses(numRuns: number, answersOf: (of: Case) => Promise<boolean[]>): Promise<void> {
  const count = { genuine: 0, crossed: 0 };
  await fc.assert(
    fc.asyncProperty(cases, async (of) => {
      const answers = await answersOf(of);
      count[isGenuine(of) ? 'genuine' : 'crossed'] += answers.length;
      expect(answers).toEqual(answers.map(() => isGenuine(of)));
    }),
    { numRuns },
  );
  console.info(`${numRuns} runs: ${count.genuine} genuine proofs verified, ${count.crossed} others refused`);
  expect(count.genuine).toBeGreaterThan(0);
}

scenario(
  'A proof is verified by keys of its own issuer only, however they are handed to the SDK',
  covers('KEYS-BY-ISSUER', 'AUTH-3-KID', 'AUTH-3-ISS'),
  () => noneCrosses(1_000, answersOfSdk),
);

scenario('… in the offline verifier of the web', covers('KEYS-BY-ISSUER'), () =>
  noneCrosses(500, answersOfWeb),
);

scenario('… and in the command line', covers('KEYS-BY-ISSUER'), () => noneCrosses(100, answersOfCommand));

scenario(
  'A set that does not say whose keys it holds is refused as soon as several issuers are trusted',
  covers('KEYS-BY-ISSUER'),
  async () => {
    const of: Case = {
      services: [0, 1].map(() => ({ isTrusted: true, handedOver: 'as a set', isOfTwo: false })),
      isOneKid: false,
      signer: 1,
      named: 0,
      address: 0,
    };
    const jwks = { keys: [...(jwksOf(0, of).keys ?? []), ...(jwksOf(1, of).keys ?? [])] };
    const document = await certificateOf(of);
    const [[first], [other]] = ADDRESSES;
    const trustedIssuers = [first, other];
    const options = { pageUrl, now, trustedIssuers };
    for (const unnamed of [{ jwks }, { jwksUrl: 'https://keys.example/both' }]) {
      const how = /say whose keys they are: keys: \[/;
      await expect(verifyProductCertificate(document, { ...options, ...unnamed })).rejects.toThrow(how);
      await expect(verifyFromHtml(htmlOf(document), { ...options, ...unnamed })).rejects.toThrow(TypeError);
      await expect(verifyByProfile(document, { ...options, ...unnamed, profile: 'minimal' })).rejects.toThrow(
        TypeError,
      );
    }
    for (const issuers of [
      [first, first],
      [first, 'https://untrusted.example'],
    ]) {
      const keys = issuers.map((issuer) => ({ issuers: [issuer], jwks }));
      expect(() => createTrust({ trustedIssuers, keys })).toThrow(TypeError);
    }
    // the same issuer, written twice, is one issuer
    expect(createTrust({ trustedIssuers: [first, `${first}/`], jwks }).issuers).toEqual([first]);

    const file = join(folder, 'both.json');
    await writeFile(file, JSON.stringify(jwks));
    const issuers = trustedIssuers.flatMap((issuer) => ['--issuer', issuer]);
    const run = (...args: string[]) =>
      runCli(['verify', '-', '--page-url', pageUrl, ...issuers, ...args], { stdin: htmlOf(document), now });
    const unclear = await run('--jwks', file);
    expect(unclear).toMatchObject({ code: 64, out: '' });
    expect(unclear.err).toContain(
      `--jwks ${first}=${file}; or all that share these keys: --jwks ${first},${other}=`,
    );
    for (const args of [
      ['--jwks', file, '--jwks', `${other}=${file}`],
      ['--jwks', `${first}=${file}`, '--jwks', `${first},${other}=${file}`],
      ['--jwks', `https://untrusted.example=${file}`],
      ['--jwks', `${first},https://untrusted.example=${file}`],
      ['--jwks', `${first},${file}`],
    ]) {
      expect([args, (await run(...args)).code]).toEqual([args, 64]);
    }
    // only who says that both share the set gets both
    expect((await run('--jwks', `${first},${other}=${file}`)).code).toBe(0);
  },
);
