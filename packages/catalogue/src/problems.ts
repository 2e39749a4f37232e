/** Remarks on products that were read. Each sentence is followed by the detail. */
export const NOTES = {
  url_rebased: 'the address was moved to the store URL from',
  images_rebased: 'image addresses were moved to the store URL from',
  image_dropped: 'an image was left out, its address cannot be used:',
  image_repeated: 'an image that is listed twice was taken once:',
  barcode_not_gtin: 'the barcode is not a GTIN and was left out:',
  price_unread: 'the price was left out, since it is no amount with a currency:',
  vendor_is_placeholder: "the vendor is the platform's placeholder and was not taken as brand:",
  brand_ambiguous: 'several brands are named, so none was taken:',
  attributes_cut: 'some attributes were left out:',
  handle_is_id: 'the export carries no product ids, so the handle serves as external id',
} as const;

/** A code of `NOTES`. */
export type NoteCode = keyof typeof NOTES;

/** Why a row, or the file, could not be read. */
export const PROBLEMS = {
  // of one row
  row_not_json: 'The row is not valid JSON.',
  row_not_product: 'The row is not a product of a known shape.',
  row_too_large: 'The row is larger than one product can be.',
  id_missing: 'The product has no usable identifier.',
  name_missing: 'The product has no readable name.',
  address_missing: 'The product has no address of its own.',
  address_foreign: 'The address of the product is not on the store URL.',
  variation: 'This is a variation, which has no page of its own.',
  page_unreadable: 'The page of the product cannot be read.',
  page_no_product: 'The page does not state a product.',
  repeated: 'The identifier of the product occurred earlier in the file; the first one was kept.',
  // of the file
  file_empty: 'The file is empty.',
  file_is_html: 'The file is a web page, not a catalogue.',
  file_not_utf8: 'The file is not UTF-8 text.',
  file_too_large: 'The file is too large to be read completely.',
  file_truncated: 'The file is truncated.',
  csv_broken: 'The CSV cannot be read further.',
  csv_columns_missing: 'The CSV lacks columns that a catalogue needs.',
  shape_unknown: 'The file is not a catalogue of a known shape.',
  source_cut: 'The shop lists only some of its products this way.',
  source_repeats: 'The shop lists the same products again.',
  no_products: 'The file contains no products.',
} as const;

/** A code of `PROBLEMS`. */
export type ProblemCode = keyof typeof PROBLEMS;
