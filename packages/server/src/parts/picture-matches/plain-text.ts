/** A text by which it is compared: case, form of characters and white space make no difference. */
export const plainText = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
