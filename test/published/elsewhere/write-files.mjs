// Writes a certificate issued now and its keys to files for the command line.
import { writeFile } from 'node:fs/promises';
import { createTestIssuer } from '@touchstone/certificate/testing';

const issuer = await createTestIssuer();
await writeFile('certificate.json', JSON.stringify(await issuer.certificate({ issuedAt: new Date() })));
await writeFile('jwks.json', JSON.stringify(issuer.jwks));
