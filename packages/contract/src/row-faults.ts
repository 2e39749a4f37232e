/**
 * Why the registry rejects a product row: `type` of its errors, with a sentence in which `{field}` is the field and
 * `{value}` the value found. Names taken from FastAPI mean the same as in a 422. Some codes (`missing`) also occur in
 * other lists, so this list is not on the codes page. A closed list.
 */
export const ROW_FAULTS = {
  missing: 'The field {field} is missing.',
  extra_forbidden: 'A product has no field {field}.',
  string_type: 'The field {field} must be text.',
  bool_type: 'The field {field} must be true or false.',
  list_type: 'The field {field} must be a list.',
  dict_type: 'The product, or its field {field}, must be an object.',
  string_too_short: 'The text of {field} is too short, or empty.',
  string_too_long: 'The text of {field} is too long.',
  string_unicode: 'The text of {field} is not valid Unicode.',
  too_long: 'The row, or the list in {field}, is too long.',
  url_parsing: 'The field {field} must be an absolute http or https address.',
  json_invalid: 'The row is not valid JSON.',
  product_limit:
    'There may be {value} products, deleted ones included, so this one was not added. The operator can raise the limit',
  host_not_of_store: 'The host {value} is not a domain of this store; add it as one first',
  id_repeated: 'An earlier row of this call has the same externalProductId',
  row_exceeds_proof: 'Together with the images already registered, the row is more than a proof can hold',
  value_error: 'The value of {field} is not accepted.',
} as const;

/** One of `ROW_FAULTS`. */
export type RowFaultType = keyof typeof ROW_FAULTS;
