/** heic-decode comes without types. */
declare module 'heic-decode' {
  function decode(options: {
    buffer: Uint8Array;
  }): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  export = decode;
}
