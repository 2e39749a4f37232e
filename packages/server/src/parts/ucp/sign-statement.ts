import type { UcpSignals, UcpStatement } from '@touchstone/contract';
import { getUcpProfile } from '@touchstone/contract';
import type { AttestationKeys } from '../../core/keys/open-curve-keys.ts';
import type { Named } from './documents.ts';

/** `typ` of a statement: no other token of the service can be taken for one, nor it for a certificate. */
const TYP = 'touchstone-attestation+jwt';

/**
 * Signs a statement, as a member for `signals` of UCP.
 *
 * @throws ServiceError `signer_unavailable`
 */
export async function signStatement(
  statement: UcpStatement,
  { baseUrl, signal }: Named,
  keys: Pick<AttestationKeys, 'signer'>,
): Promise<UcpSignals> {
  const { keyid: kid, sign } = await keys.signer();
  const input = `${encoded({ alg: 'ES256', kid, typ: TYP })}.${encoded(statement)}`;
  const jws = `${input}.${Buffer.from(sign(Buffer.from(input))).toString('base64url')}`;
  return {
    signals: { [signal]: { provider_jwks: baseUrl + getUcpProfile.path, kid, jws } },
    statement,
  };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
