export { type Receipt, receiptIn } from './read-receipt.ts';
export { RECEIPT_TYP, type ReceiptClaims, type ReceiptPage } from './receipt-claims.ts';
export { RECEIPT_FAULTS, type ReceiptFault } from './receipt-faults.ts';
export { type ReceiptPublicJwk, receiptJwksUrl, type VerifyEd25519 } from './receipt-keys.ts';
export {
  RECEIPT_OPERATIONS,
  type ReceiptOperation,
  type ReceiptRequest,
  receiptAnswer,
  receiptRequest,
  type SplitAddress,
  splitAddress,
} from './receipt-request.ts';
export { type ReceiptSigner, signReceipt } from './sign-receipt.ts';
export { type ReceiptFinding, type VerifyReceiptOptions, verifyReceipt } from './verify-receipt.ts';
