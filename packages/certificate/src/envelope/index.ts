/** Certificates as W3C Verifiable Credentials, secured by an enveloping JWS (VC-JOSE-COSE). */
export { credentialOf, type ProductCredential, VC_CONTEXT } from './credential.ts';
export { ENVELOPE_FAULTS, type EnvelopeFault } from './envelope-faults.ts';
export { credentialFault, type EnvelopeParts, MAX_ENVELOPE, readEnvelope } from './read-envelope.ts';
export { ENVELOPE_TYP, encodeEnvelope, signEnvelope, VC_JWT } from './sign-envelope.ts';
export { type EnvelopeFinding, verifyEnvelope } from './verify-envelope.ts';
