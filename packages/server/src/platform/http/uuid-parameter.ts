import { z } from 'zod';

/**
 * A UUID in the path: any of the textual form, whatever its version bits say, since an id that nobody made is
 * unknown (404) rather than malformed (422).
 */
export function uuidParameter(description: string) {
  return z.guid().meta({ description });
}
