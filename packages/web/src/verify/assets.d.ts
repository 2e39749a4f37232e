/** Vite's import of the engine: its address. */
declare module '@contentauth/c2pa-wasm/c2pa.wasm?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: Vite gives addresses so
  export default address;
}
