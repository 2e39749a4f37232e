import type { ByteText } from '../platform/http/rendered-document.ts';

/** A document that anyone may read, ready to be sent. */
export interface PublicDocument {
  /** As the service has it. */
  readonly path: string;
  readonly body: ByteText;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Documents that parts publish besides certificates and public keys: of which there are few, for those who copy them elsewhere. */
export interface PublicDocuments {
  /** @param read - all documents of a part, as they are in the database now */
  add(read: () => Promise<readonly PublicDocument[]>): void;
  read(): Promise<readonly PublicDocument[]>;
}

export function createPublicDocuments(): PublicDocuments {
  const sources: (() => Promise<readonly PublicDocument[]>)[] = [];
  return {
    add: (read) => void sources.push(read),
    read: async () => (await Promise.all(sources.map((read) => read()))).flat(),
  };
}
