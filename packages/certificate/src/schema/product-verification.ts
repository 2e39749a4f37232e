import { z } from 'zod';
import { PROOF_TYP, type ProofKind } from '../proof/proof-rules.ts';
import { CONCLUSION_TABLE, type ConclusionCode } from '../verify/conclusion/conclusion-table.ts';
import { CONCLUSION_LEVELS } from '../verify/conclusion/conclusions.ts';
import { REASONS, type Reason } from '../verify/reasons.ts';
import { CHECK_NAMES, type CheckName } from '../verify/types.ts';
import {
  STATUS_CLAIM_FAULTS,
  WITHDRAWAL_REASONS,
  WITHDRAWAL_STATUSES,
  type WithdrawalReason,
  type WithdrawnCheckReason,
} from '../verify/withdrawal-reasons.ts';
import { VERIFIER } from '../version.ts';
import { Uuid } from './parts.ts';

function perCheck<T extends z.ZodType>(schema: T): z.ZodObject<Record<CheckName, T>> {
  const shape = Object.fromEntries(CHECK_NAMES.map((name) => [name, schema]));
  return z.object(shape as Record<CheckName, T>);
}

type CheckReason = Reason | WithdrawnCheckReason;

const CHECK_REASONS = [
  ...Object.keys(REASONS),
  'certificate_withdrawn',
  ...STATUS_CLAIM_FAULTS,
] as unknown as [CheckReason, ...CheckReason[]];

/** Result of one check with its reason: an entry of `checkDetails`, an addition to the spec's result. */
export const CheckResultSchema = z
  .object({
    result: z.boolean().nullable(),
    reason: z.enum(CHECK_REASONS),
    expected: z.string().optional(),
    actual: z.string().optional(),
  })
  .meta({ id: 'CheckResult', description: 'true: passed; false: ran and failed; null: did not run.' });

/** The nine checks; `null` if one did not run. */
export const ChecksSchema = perCheck(z.boolean().nullable()).meta({ id: 'Checks' });

const count = z.int().optional();
const text = z.string().optional();

const SignedControlSchema = z
  .object({
    method: z.string().meta({
      description:
        '`dns_txt`, `well_known` or `meta_tag`; `none`: control had not been proven. Later releases may add methods.',
    }),
    checkedAt: z
      .string()
      .optional()
      .meta({ description: 'The latest check that had succeeded; absent if the method is `none`.' }),
  })
  .meta({
    id: 'SignedControl',
    description:
      'How control of `domain` had been proven when it was signed. Absent in proofs from before this was signed.',
  });

/** The signed claims, separate from the page's own data; present only if the signature is valid. */
export const SignedSchema = z
  .object({
    kind: z.enum(Object.keys(PROOF_TYP) as [ProofKind, ...ProofKind[]]),
    issuer: z.string(),
    issuedAt: z.string(),
    expiresAt: z.string(),
    domain: z.string(),
    url: z.string(),
    productId: z.string(),
    externalProductId: z.string(),
    productName: z.string(),
    storeName: z.string(),
    storeUrl: z.string(),
    control: SignedControlSchema.optional(),
    certifiedAssets: count,
    totalAssets: count,
    coveragePercent: z.number().optional(),
    assetId: text,
    imageId: text,
    contentUrl: text,
    uhash: text,
    phash: text,
  })
  .meta({ id: 'Signed', description: 'The signed claims. Absent unless the signature is valid.' });

export const VerifierSchema = z
  .string()
  .meta({ description: 'Name and version of the verifier.', example: VERIFIER });

/** Whether a certificate has been withdrawn, as far as it is known. */
export const WithdrawalSchema = z
  .object({
    status: z.enum(WITHDRAWAL_STATUSES).nullable(),
    reason: z.enum(Object.keys(WITHDRAWAL_REASONS) as [WithdrawalReason, ...WithdrawalReason[]]),
    listIssuedAt: z.string().optional().meta({
      description: 'When the status list was issued; absent if the registry itself answered.',
    }),
    nextLook: z.string().optional().meta({ description: 'From when on a newer list is looked for.' }),
  })
  .meta({
    id: 'Withdrawal',
    description:
      'valid: not withdrawn; invalid: withdrawn for good; suspended: not published at present; null: not known, for the reason, which is neither a pass nor a failure.',
  });

/** What a reader may conclude from a result or a report. */
export const ConclusionSchema = z
  .object({
    level: z.enum(CONCLUSION_LEVELS),
    code: z.enum(CONCLUSION_TABLE.map(({ code }) => code) as [ConclusionCode, ...ConclusionCode[]]),
    sentence: z.string(),
  })
  .meta({
    id: 'Conclusion',
    description:
      'What a reader may conclude: good: go ahead; caution: not as it stands; bad: do not rely on it; none: nothing is known either way. A program that reads only the level does the right thing.',
  });

/** Spec "Verification result (product-keyed)". */
export const VerificationResultSchema = z
  .object({
    status: z.enum(['verified', 'failed', 'unverified']),
    productId: Uuid,
    issuedFor: z.string().optional(),
    signed: SignedSchema.optional(),
    checks: ChecksSchema,
    checkDetails: perCheck(CheckResultSchema).meta({ id: 'CheckDetails' }),
    warnings: z.array(z.string()),
    errors: z.array(z.string()),
    withdrawal: WithdrawalSchema.optional(),
    conclusion: ConclusionSchema,
    verifier: VerifierSchema,
  })
  .meta({ id: 'VerificationResult' });

/** Spec "Submitted document": the members that are read; others are ignored. Documentation only, not validated. */
const SUBMITTED_DOCUMENT = {
  type: 'object',
  properties: {
    productID: { type: 'string', format: 'uuid' },
    url: { type: 'string' },
    'svc:issuedFor': {
      type: 'object',
      properties: { domain: { type: 'string' }, productID: { type: 'string', format: 'uuid' } },
    },
    proof: {
      type: 'object',
      properties: { jwt: { type: 'string', description: 'A compact JWS; RS256.' } },
      required: ['jwt'],
    },
  },
};

/** Body of `POST …/verify`. No value of `document` causes a 4xx response: callers post what they found. */
export const ProductVerificationRequestSchema = z
  .object({
    productUrl: z.string().meta({ description: 'Address of the page that was loaded.' }),
    document: z
      .unknown()
      .optional()
      .meta({
        description:
          'The certificate node found on the page: an object, or a string holding one. Other values are accepted but are not a certificate.',
        anyOf: [SUBMITTED_DOCUMENT, { type: 'string' }, {}],
      }),
  })
  .meta({ id: 'ProductVerificationRequest' });
