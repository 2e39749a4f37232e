/** Why a receipt does not count, with its sentence; a closed list. */
export const RECEIPT_FAULTS = {
  receipt_malformed: 'This is no receipt: it is not three parts in base64url, of which two are JSON objects.',
  receipt_too_large: 'The receipt is larger than one may be.',
  receipt_type_wrong: 'This is a signed token of another type.',
  receipt_algorithm_not_allowed: 'Receipts are signed with Ed25519 and with nothing else.',
  receipt_header_not_allowed: 'The header of the receipt has other members than alg, kid and typ.',
  receipt_issuer_untrusted: 'The receipt names another issuer than the trusted ones.',
  receipt_key_unknown: 'The issuer publishes no usable key of this name for receipts.',
  receipt_signature_invalid:
    'The signature of the receipt does not match: it was changed, or made by another.',
  receipt_version_unknown: 'The receipt is of a version that this verifier does not know.',
  receipt_claims_malformed: 'The receipt lacks a statement that every receipt makes.',
  receipt_from_future: 'The receipt was signed later than now.',
  receipt_request_unreadable: 'The given request has no canonical form, so that it cannot be compared.',
  receipt_request_differs: 'The receipt is for another request.',
  receipt_query_differs: 'The receipt is for an address with another query.',
  receipt_answer_unreadable: 'The given answer has no canonical form, so that it cannot be compared.',
  receipt_answer_differs: 'The receipt is for another answer.',
  receipt_page_absent: 'The receipt states no bytes of a page: the service fetched none.',
  receipt_page_differs: 'The receipt is for a page of other bytes.',
  receipt_timestamp_malformed: 'The time stamp beside the receipt cannot be read.',
  receipt_timestamp_differs: 'The time stamp is one of something else than this receipt.',
} as const;

/** A code of `RECEIPT_FAULTS`. */
export type ReceiptFault = keyof typeof RECEIPT_FAULTS;
