import { SOURCE_ERRORS, SourceError, type SourceErrorCode } from '@touchstone/catalogue';

/** An error of the reader that came from another thread, as it was; `undefined` for any other. */
export function sourceErrorOf({
  code = '',
  message,
}: {
  readonly code: string | undefined;
  readonly message: string;
}): SourceError | undefined {
  if (!Object.hasOwn(SOURCE_ERRORS, code)) return undefined;
  const known = code as SourceErrorCode;
  return new SourceError(known, message.slice(SOURCE_ERRORS[known].length).trimStart());
}
