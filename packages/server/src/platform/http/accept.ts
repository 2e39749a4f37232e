/** Whether Accept gives `wanted` more weight than `otherwise` (RFC 9110 section 12.5.1); a tie is a no. */
export function prefers(accept: string | undefined, wanted: string, otherwise: string): boolean {
  const ranges = new Map((accept ?? '*/*').split(',').map(rangeOf));
  // the most specific range that matches decides
  const weight = (type: string) =>
    ranges.get(type) ?? ranges.get(`${type.split('/', 1)[0]}/*`) ?? ranges.get('*/*') ?? 0;
  return weight(wanted) > weight(otherwise);
}

function rangeOf(text: string): [range: string, weight: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q *=/.test(parameter));
  const q = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1));
  return [range, q >= 0 && q <= 1 ? q : 0];
}
