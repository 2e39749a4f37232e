import { verifyReceipt } from '@touchstone/certificate/receipt';
import { expect, it } from 'vitest';
import { receiptVectorFile } from '../kit/receipt-vectors.ts';

const { vectors, ...file } = receiptVectorFile();

it.each(vectors)(
  'the receipt $id: $title',
  async ({ given, request, answer, page, expect: wanted, ...own }) => {
    const { issuers, jwks, now } = { ...file, ...own };
    const { valid, faults, claims } = await verifyReceipt(given, {
      trustedIssuers: issuers,
      keys: [{ issuers, jwks }],
      now: new Date(now * 1000),
      request,
      answer,
      page: page === undefined ? undefined : new Uint8Array(Buffer.from(page, 'base64')),
    });
    const codes = faults.map(({ code }) => code);
    expect({ signed: claims !== undefined, faults: codes.toSorted() }).toEqual({
      ...wanted,
      faults: wanted.faults.toSorted(),
    });
    expect(valid).toBe(codes.length === 0);
  },
);
