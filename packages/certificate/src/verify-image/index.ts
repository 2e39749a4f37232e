export { IMAGE_REASONS, type ImageReason, imageNote } from './reasons.ts';
export { checkStoredProof, type StoredProofCheck, type StoredProofContext } from './stored-proof.ts';
export { fieldMatches, type ImageBinding, VERIFY_FIELDS } from './verify-fields.ts';
export {
  type AuthorizedDomain,
  type ImageVerification,
  type ImageVerificationResult,
  type VerifyImageInput,
  verifyImage,
} from './verify-image.ts';
