/** A Blob whose bytes can be read synchronously; Node's cannot. */
class BytesBlob extends Blob {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super([]);
    this.#bytes = bytes;
  }

  override get size(): number {
    return this.#bytes.byteLength;
  }

  override slice(begin?: number, end?: number): Blob {
    return new BytesBlob(this.#bytes.subarray(begin, end));
  }

  readNow(): ArrayBuffer {
    return new Uint8Array(this.#bytes).buffer;
  }
}

/** A class of web workers that Node lacks; the engine uses it to read the image to sign. */
class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer {
    if (blob instanceof BytesBlob) return blob.readNow();
    throw new TypeError('Only a Blob of blobOf can be read here.');
  }
}

/** A Blob of these bytes that the `FileReaderSync` of this process can read. */
export function blobOf(bytes: Uint8Array): Blob {
  return new BytesBlob(bytes);
}

/** Defines the global reader; to be called once, before signing. */
export function provideFileReader(): void {
  Object.defineProperty(globalThis, 'FileReaderSync', { value: FileReaderSync });
}
