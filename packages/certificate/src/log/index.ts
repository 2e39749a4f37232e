export * from '../verify/log-reasons.ts';
export { proofJwt } from '../verify/submitted-document.ts';
export { type AnyHash, type HashBytes, webCryptoHash } from './bytes.ts';
export { type Checkpoint, formatCheckpoint, parseCheckpoint } from './checkpoint.ts';
export {
  type CheckpointAnswer,
  type Checkpoints,
  type CheckpointsOptions,
  createCheckpoints,
  type ForkEvidence,
} from './checkpoints.ts';
export { cosign, cosignedMessage } from './cosignature.ts';
export { type EndedLog, formatEndedLog, isLastHead } from './ended-log.ts';
export {
  encodeLeaf,
  LEAF_SALT_BYTES,
  MAX_LEAF_BYTES,
  type ProofLeaf,
  parseLeaf,
  saltedHash,
} from './leaf.ts';
export { formatLogProof, type LogProof, MAX_LOG_PROOF_LENGTH, parseLogProof } from './log-proof.ts';
export { leafHash, nodeHash, rootOfInclusion, type TreeHead, verifyConsistency } from './merkle.ts';
export {
  type Policy,
  type PolicyFault,
  type PolicyFaultCode,
  type PolicyLog,
  type PolicyWitness,
  parsePolicy,
  type Quorum,
  quorumMet,
} from './policy.ts';
export {
  formatNote,
  MAX_NOTE_BYTES,
  MAX_NOTE_SIGNATURES,
  type Note,
  parseNote,
  signNote,
  type VerifiedSignature,
  verifyNote,
} from './signed-note.ts';
export { consistencyFromTiles, inclusionFromTiles, rootFromTiles } from './tile-proofs.ts';
export {
  decodeEntries,
  decodeTilePath,
  encodeEntries,
  encodeTilePath,
  newTiles,
  TILE_WIDTH,
  type Tile,
  type TileReader,
  tileWidth,
} from './tiles.ts';
export { createTree, edgeFromTiles, type TileBytes, type Tree, type TreeEdge } from './tree.ts';
export {
  type CheckpointFault,
  type ReadCheckpoint,
  readCheckpoint,
  type VerifiedCheckpoint,
  verifyCheckpoint,
} from './verify-checkpoint.ts';
export {
  leafFault,
  logProofOf,
  type VerifyLogProofOptions,
  verifyIncluded,
  verifyLogProof,
  yearOfOrigin,
} from './verify-log-proof.ts';
export {
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  ED25519,
  formatVkey,
  type NoteSignature,
  type NoteSigner,
  parseVkey,
  type VerifyEd25519,
  type Vkey,
  vkeyOf,
  webCryptoEd25519,
} from './vkey.ts';
export { type Loggable, type LogPolicy, withLog } from './with-log.ts';
