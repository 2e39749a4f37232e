/** An address with at most one parameter, a UUID, split at it. */
export interface CutPath {
  readonly before: string;
  readonly after: string;
  /** Offset of `after` in an address. */
  readonly afterAt: number;
  /** Length of the address without a query. */
  readonly length: number;
}

const UUID_LENGTH = 36;

/** @returns `null` for an address with more parameters */
export function cutPath(path: string): CutPath | null {
  const [before = '', after, more] = path.split(/\{[^}]+\}/);
  if (more !== undefined) return null;
  const afterAt = before.length + (after === undefined ? 0 : UUID_LENGTH);
  return { before, after: after ?? '', afterAt, length: afterAt + (after ?? '').length };
}

/** Whether an address begins with such a path, with anything in place of the UUID. */
export function isAt(url: string, { before, after, afterAt }: CutPath): boolean {
  return url.startsWith(before) && url.startsWith(after, afterAt);
}
