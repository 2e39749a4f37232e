/**
 * Codes that only the companion tools give, with their sentences; every other code in their answers is a fault of
 * the service (`errors.ts`). The list is closed, as those are.
 */
export const TOOL_CODES = {
  arguments_invalid: 'The arguments of the tool do not fit its schema.',
  product_not_named:
    'A document was given, but neither productId nor a productID in it: give productId, or leave the document out to have the page itself checked.',
  code_unknown:
    'No answer of the service carries this code. Give what stands before the colon of a warning, error or finding.',
  service_unreachable: 'The service that this tool server asks does not answer.',
  service_not_understood: 'The service that this tool server asks gave an answer that is not understood.',
} as const;

export type ToolCode = keyof typeof TOOL_CODES;
