/**
 * Why the registry refuses a row of products: `type` of its errors, with a sentence in which `{field}` stands for the field and
 * `{value}` for what was met. FastAPI's names among them mean the same in a 422. As other lists have some of these codes
 * (`missing`), the page of codes has none of them. The list is closed.
 */
export const ROW_FAULTS = {
  missing: 'The field {field} is missing.',
  extra_forbidden: 'A product has no field {field}.',
  string_type: 'The field {field} must be a text.',
  bool_type: 'The field {field} must be true or false.',
  list_type: 'The field {field} must be a list.',
  dict_type: 'The product, or its field {field}, must be an object.',
  string_too_short: 'The text of {field} is too short, or empty.',
  string_too_long: 'The text of {field} is too long.',
  string_unicode: 'The text of {field} is no valid Unicode.',
  too_long: 'The row, or the list in {field}, is too long.',
  url_parsing: 'The field {field} must be an absolute http or https address.',
  json_invalid: 'The row is no valid JSON.',
  host_not_of_store: 'The host {value} is not a domain of this store; add it as one first',
  id_repeated: 'An earlier row of this call has the same externalProductId',
  row_exceeds_proof: 'With the images that are there, the row is more than a proof can hold',
  value_error: 'The value of {field} is not accepted.',
} as const;

/** One of `ROW_FAULTS`. */
export type RowFaultType = keyof typeof ROW_FAULTS;
